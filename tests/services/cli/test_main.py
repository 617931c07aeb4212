"""How commands are found, and how they end."""

import importlib
from typing import Final

import click
import pytest

from services.cli.catalog import COMMANDS
from services.cli.commands import cli, run
from tests.services_fixtures import Run


def below(name: str, command: click.Command) -> list[tuple[str, click.Command]]:
    """Return a command and, of a group, all that is in it, each with its whole name."""
    inner = command.commands.items() if isinstance(command, click.Group) else ()
    found = [(name, command)]
    for word, each in inner:
        found += below(f"{name} {word}", each)
    return found


ALL: Final = [
    found
    for name, (module, _) in COMMANDS.items()
    for found in below(name, importlib.import_module(f"services.cli.{module}").command)
]


@pytest.mark.parametrize(("name", "command"), ALL, ids=[name for name, _ in ALL])
def test_every_command_has_help_with_an_example(name: str, command: click.Command) -> None:
    assert command.help
    assert "Example:" in command.help
    assert f"shipledger {name}" in command.help
    for option in command.params:
        if isinstance(option, click.Option) and option.name not in ("repository",):
            assert option.help or option.metavar or option.show_default, option.name


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nope"], 2, "No such command 'nope'"),
        (["report", "acme/widget"], 2, "say which period: by name"),
        (
            ["report", "a/b", "--from", "2026-07-01", "--to", "2026-08-01"],
            2,
            "nothing was recorded",
        ),
        (["report", "a/b", "--from", "2026-08-01", "--to", "2026-07-01"], 2, "is empty"),
        (["report", "a/b", "--from", "yesterday", "--to", "2026-07-01"], 2, "write 2026-07-01"),
        (["import", "git", "nowhere", "--repo", "acme/widget"], 2, "nowhere is not a folder"),
        (["import", "git", ".", "--repo", "acme"], 2, "write OWNER/NAME"),
        (["send", "nowhere"], 2, "does not exist"),
        (["backup", "copy.sqlite"], 2, "there is no log"),
        (["log", "show", "github.com/1", "x"], 2, "github.com/1 has no record x"),
        (["projections", "rebuild", "nope"], 2, "there are: pull_requests"),
        (["deadletters", "retry", "x"], 2, "not among the dead letters"),
        (["repositories", "join", "github.com/1", "github.com/1"], 2, "to itself"),
        (["repositories", "join", "widget", "github.com/1"], 2, "is no key of a repository"),
        (["simulate", "--seed", "1", "--out", "."], 2, "is not empty"),
    ],
)
def test_an_error_is_one_line_that_says_what_to_do(
    shipledger: Run,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    if arguments[0] == "simulate":
        with open("something", "w") as file:
            file.write("here already")
    assert run(arguments) == code
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert words in said.err


def test_a_fault_of_the_program_shows_where_it_was(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("never expected")

    monkeypatch.setattr(cli, "main", fail)
    assert run(["up"]) == 1
    said = capfd.readouterr().err
    assert "Traceback" in said
    assert said.splitlines()[-1].startswith("error: this is a fault of Shipledger")
