"""`shipledger mirror`, from the file and the environment to the log."""

from pathlib import Path

import pytest

from events.errors import ConfigurationError
from events.log.port import START
from services.cli.commands import run
from services.config.settings import load
from services.logs.sqlite import SqliteLog
from services.processes.mirroring import mirror_targets
from services.runtime.clock import wall_clock
from tests.services.intake.git.sandbox import REPOSITORY, Sandbox

CONFIG = """
[[repositories]]
name = "acme/tool"
id = 1001
[repositories.branches]
dev = ["next"]
[repositories.mirror]
{mirror}
"""


def configure(folder: Path, mirror: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "shipledger.toml").write_text(CONFIG.format(mirror=mirror))
    monkeypatch.setenv("SHIPLEDGER_CONFIG", str(folder / "shipledger.toml"))
    monkeypatch.setenv("SHIPLEDGER_DATA", str(folder / "data"))
    monkeypatch.setenv("SHIPLEDGER_LOG_FORMAT", "json")


def test_once_fetches_and_says_what_came(
    origin: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure(tmp_path, 'remote = "origin"', monkeypatch)
    assert run(["mirror", "--once"]) == 0
    assert "acme/tool: 2 commits, 1 refs changed (default branch main)" in capsys.readouterr().out
    log = SqliteLog(tmp_path / "data" / "log.sqlite", clock=wall_clock, read_only=True)
    assert len(log.read(REPOSITORY, START)) == 2
    log.close()


def test_a_remote_from_the_environment_is_never_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    configure(tmp_path, 'remote_env = "TOOL_REMOTE"', monkeypatch)
    monkeypatch.setenv("TOOL_REMOTE", "https://user:s3cr3t@127.0.0.1:1/acme/tool")
    assert run(["mirror", "--once"]) == 1
    out, err = capfd.readouterr()
    assert "127.0.0.1" in err
    assert "s3cr3t" not in out + err
    settings = load()
    assert "s3cr3t" not in repr(settings)
    assert b"s3cr3t" not in settings.content
    assert b"TOOL_REMOTE" not in settings.content


@pytest.mark.parametrize(
    ("mirror", "said"),
    [
        ('remote_env = "TOOL_REMOTE"', "environment variable TOOL_REMOTE"),
        ('remote = "ext::sh"', r"repositories\[0\].mirror.remote: a remote names a transport"),
        ('remote = "x"\nbranches = ["x"]', "branches"),
    ],
)
def test_wrong_settings_are_named(
    mirror: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(tmp_path, mirror, monkeypatch)
    monkeypatch.delenv("TOOL_REMOTE", raising=False)
    with pytest.raises(ConfigurationError, match=said):
        mirror_targets(load())


def test_the_roles_of_branches_say_which_count_as_landing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(tmp_path, 'remote = "origin"', monkeypatch)
    (target,) = mirror_targets(load())
    assert target.branches[:4] == ("main", "master", "trunk", "next")


def test_without_any_mirror_it_says_what_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHIPLEDGER_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    assert run(["mirror", "--data", str(tmp_path / "data")]) == 2
    assert "mirror = { remote" in capsys.readouterr().err
