"""Which remotes are taken, and that credentials are never repeated."""

import logging
import socket
from pathlib import Path

import pytest

from events.log.port import START
from services.config.mirror import MirrorSettings
from services.config.remotes import parse_remote
from services.intake.mirror import RemoteFault
from services.intake.mirror.clone import refspecs
from services.intake.mirror.process import RemoteGit
from tests.services.intake.git.sandbox import REPOSITORY, Sandbox
from tests.services.intake.mirror.mirroring import Mirroring, script, target

HOSTILE = [
    "",
    " ",
    "ext::sh -c touch% /tmp/owned",
    "ext::sh",
    "fd::17",
    "::x",
    "-oProxyCommand=touch owned",
    "--upload-pack=touch owned",
    "-x:y",
    "host:-path",
    "git@-oProxyCommand=x:path",
    "-user@host:path",
    "ssh://-oProxyCommand=touch/x",
    "ssh://user@-oProxyCommand=touch/x",
    "ssh://-user@host/x",
    "ssh://host/-x",
    "ssh://host:x/path",
    "https:///path",
    "https://host",
    "https://ho st/x",
    "https://host/x\ny",
    "file:///srv/git/x",
    "FILE:///srv/git/x",
    "git://host/x",
    "ftp://host/x",
    "foo+bar://host/x",
    "HTTPS://host/x",
    "host:a:b",
    "https://host/x\x00",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_could_run_a_program_or_is_unknown_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^a remote "):
        parse_remote(text)


@pytest.mark.parametrize(
    ("text", "protocols"),
    [
        ("https://host.example/acme/tool.git", "https:ssh"),
        ("https://user:pass@host.example:8443/acme/tool", "https:ssh"),
        ("http://127.0.0.1:3000/acme/tool", "http:https"),
        ("ssh://git@host.example:2222/acme/tool.git", "ssh:https"),
        ("ssh://git@[::1]:22/acme/tool.git", "ssh:https"),
        ("git@host.example:acme/tool.git", "ssh:https"),
        ("host:acme/tool", "ssh:https"),
        ("/srv/git/tool.git", "file"),
        ("../tool", "file"),
        ("/srv/with:colon", "file"),
    ],
)
def test_usual_remotes_are_taken_with_the_protocols_they_need(text: str, protocols: str) -> None:
    assert parse_remote(text).protocols == protocols


def test_a_path_becomes_absolute_so_that_it_can_be_no_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse_remote("./-x").address == str(tmp_path / "-x")


@pytest.mark.parametrize(
    ("address", "secrets"),
    [
        ("https://user:s3cr3t@host/x", ["s3cr3t"]),
        ("https://t0ken@host/x", ["t0ken"]),
        ("https://user:s3%40cr3t@host/x", ["s3%40cr3t", "s3@cr3t"]),
        ("https://user:a@b@host/x", ["a@b"]),
        ("ssh://git:s3cr3t@host/x", ["s3cr3t"]),
    ],
)
def test_no_form_of_a_secret_is_shown(address: str, secrets: list[str]) -> None:
    remote = parse_remote(address)
    assert "@" not in remote.shown
    assert address not in repr(remote)
    for secret in secrets:
        for said in (f"unable to access '{address}/': no", f"password {secret} for {address}"):
            assert secret not in remote.clean(said)
            assert secret not in repr(remote)


def test_a_failing_fetch_names_no_credentials_anywhere(
    origin: Sandbox,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    mirroring = Mirroring(origin, tmp_path / "mirror")
    mirroring.fetch()
    with socket.socket() as nobody:  # bound and not listening: nothing can be there
        nobody.bind(("127.0.0.1", 0))
        url = f"https://user:s3cr3t@127.0.0.1:{nobody.getsockname()[1]}/acme/tool.git"
        mirroring.worker = mirroring.worker_of(target(url))
        with pytest.raises(RemoteFault) as failed:
            mirroring.fetch()
    out = capfd.readouterr()
    text = "".join([str(failed.value), repr(mirroring.worker.target), caplog.text, *out])
    entries = mirroring.seen.log.read(REPOSITORY, START)
    stored = b"".join(entry.record.body for entry in entries)
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "127.0.0.1" in str(failed.value)
    assert "s3cr3t" not in text
    assert "user" not in str(failed.value)
    assert b"s3cr3t" not in stored + files


def test_the_address_is_on_no_command_line(
    origin: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    fake = script(tmp_path / "git", f'echo "$@" >> {seen}\nenv | grep ^GIT_ >> {seen}.env\nexit 9')
    monkeypatch.setenv("PATH", str(fake.parent), prepend=":")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_TRACE_CURL", "1")
    monkeypatch.setenv("GIT_SSH_COMMAND", "ssh -i key")
    mirroring = Mirroring(origin, tmp_path / "mirror")
    git = RemoteGit(
        parse_remote("https://user:s3cr3t@host/x"),
        refspecs(("refs/heads/*",)),
        stopping=mirroring.stopping,
        limit=10,
    )
    with pytest.raises(RemoteFault):
        git.run(tmp_path, "fetch", "shipledger")
    assert "s3cr3t" not in seen.read_text()
    given = Path(f"{seen}.env").read_text().splitlines()
    names = {line.partition("=")[0] for line in given}
    assert names & {"GIT_DIR", "GIT_TRACE_CURL"} == set()
    assert "GIT_SSH_COMMAND=ssh -i key" in given
    assert "GIT_TERMINAL_PROMPT=0" in given


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "give either remote or remote_env"),
        ({"remote": "/x", "remote_env": "X"}, "give either remote or remote_env"),
        ({"remote": "https://user:s3cr3t@host/x"}, "credentials do not belong into a file"),
        ({"remote": "https://t0ken@host/x"}, "credentials do not belong into a file"),
        ({"remote": "ext::sh"}, "transport helper"),
        ({"remote": "/x", "interval_seconds": 0.1}, "interval_seconds"),
        ({"remote": "/x", "time_limit_seconds": 0.0}, "time_limit_seconds"),
        ({"remote": "/x", "refs": ("refs/tags/*",)}, "must name branches"),
        ({"remote": "/x", "refs": ("--upload-pack=x",)}, "not a pattern of refs"),
        ({"remote": "/x", "refs": ("refs/heads/*", "refs/heads/-x")}, "not a pattern of refs"),
        ({"remote": "/x", "refs": ("refs/heads/*:refs/x/*",)}, "not a pattern of refs"),
        ({"remote": "/x", "refs": ("refs/*/*",)}, "not a pattern of refs"),
        ({"remote": "/x", "refs": ("refs/heads/a..b",)}, "not a pattern of refs"),
        ({"remote": "/x", "refs": ("refs/heads/[a]",)}, "not a pattern of refs"),
    ],
)
def test_wrong_settings_are_named_without_repeating_a_secret(
    fields: dict[str, object], said: str
) -> None:
    with pytest.raises(ValueError, match=said) as failed:
        MirrorSettings(**fields).check()  # type: ignore[arg-type]
    assert "s3cr3t" not in str(failed.value)
    assert "t0ken" not in str(failed.value)


def test_a_relative_path_is_taken_from_the_folder_of_the_file(tmp_path: Path) -> None:
    assert MirrorSettings(remote="x/y").within(tmp_path).remote == str(tmp_path / "x/y")
    for remote in ("git@host:x", "https://host/x", str(tmp_path)):
        assert MirrorSettings(remote=remote).within(Path("/elsewhere")).remote == remote
