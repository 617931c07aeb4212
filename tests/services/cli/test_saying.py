"""What commands print besides answers: no text from outside acts on the terminal."""

import ast
from pathlib import Path
from typing import Final

import pytest

from services.cli.saying import say, say_exactly
from tests.places import ROOT

#: They print answers, JSON and exact texts, each through what makes it harmless.
DOORS: Final = {"saying.py", "printing.py", "log.py"}


def test_a_line_does_not_act_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("v1\x1b]0;x\x07 \u202ereversed \u200bhidden")
    assert capsys.readouterr().out == "v1\ufffd]0;x\ufffd \ufffdreversed hidden\n"
    say("to the other stream\x9b", err=True)
    assert capsys.readouterr().err == "to the other stream\ufffd\n"


def test_a_patch_is_exact_where_a_program_reads_it(capsys: pytest.CaptureFixture[str]) -> None:
    say_exactly("+ a\u200db\r\n")
    assert capsys.readouterr().out == "+ a\u200db\r\n"


def test_commands_say_everything_through_one_door() -> None:
    echoing = {
        path.name
        for path in Path(ROOT / "services" / "cli").glob("*.py")
        if any(
            isinstance(node, ast.Attribute) and node.attr in ("echo", "secho")
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
        )
    }
    assert echoing == DOORS
