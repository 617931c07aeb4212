"""Every command of the run-books exists, with the options and services that they name."""

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from services.cli.commands import cli
from tests.deploy.compose import DEPLOY, services
from tests.places import ROOT

TEXT = (DEPLOY / "README.md").read_text("utf-8")
TOPICS = (
    "First start",
    "Upgrade",
    "Rebuild",
    "Poison record",
    "Clock ahead",
    "Kafka lost",
    "Database restored from an older backup",
    "Adding a worker",
    "Partitions grown",
    "Rotating secrets",
    "Redaction",
    "Backup and restore of the log",
)
TOOLS = "docker compose run --rm tools "


def _commands() -> list[str]:
    """Return the lines of all shell blocks, and the commands inside sentences."""
    blocks = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    prose = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
    inline = re.findall(r"`((?:shipledger|docker compose run --rm tools) [^`]+)`", prose)
    return [line for line in (*lines, *inline) if line]


SHIPLEDGER = sorted(
    {
        line.removeprefix(TOOLS).removeprefix("shipledger ")
        for line in _commands()
        if line.startswith((TOOLS, "shipledger "))
    }
)
COMPOSE = sorted({line for line in _commands() if line.startswith("docker compose ")})


def test_every_topic_has_its_run_book() -> None:
    headings = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    assert set(TOPICS) <= set(headings)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= anchors


@pytest.mark.parametrize("line", SHIPLEDGER)
def test_a_command_of_shipledger_exists(line: str) -> None:
    words = shlex.split(line)
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, line
        command = found
    options = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= options


@pytest.mark.parametrize("line", COMPOSE)
def test_a_command_of_compose_names_services_that_exist(line: str) -> None:
    command, *words = shlex.split(line)[2:]
    assert command in ("build", "up", "ps", "run", "stop", "exec")
    scaled = [word.partition("=")[0] for word in words if re.fullmatch(r"\w+=\d+", word)]
    named = [word for word in words if re.fullmatch(r"[a-z]+", word)]
    if command in ("run", "exec"):
        named = named[:1]
    assert set(scaled + named) <= set(services()), line


def test_alerts_point_to_run_books_that_exist() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))
    told = [rule["annotations"]["summary"] for group in rules["groups"] for rule in group["rules"]]
    pointed = {found for text in told for found in re.findall(r"\(see: ([^)]+)\)", text)}
    assert pointed
    assert pointed <= set(TOPICS)


def test_files_that_are_named_exist() -> None:
    named = set(re.findall(r"`((?:deploy/|shipledger\.example)[\w./-]+)`", TEXT))
    assert named
    for name in named:
        assert (ROOT / Path(name)).exists(), name
