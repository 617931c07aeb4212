"""What there is, is told in the documents."""

import re
from typing import Final

import click
import pytest
from msgspec import inspect

from events.catalog import FACTS
from projections.engine.catalog import PROJECTIONS
from services.config import settings, source
from tests.docs_tables import with_tables
from tests.places import ROOT
from tests.services.cli.test_main import ALL

README: Final = (ROOT / "README.md").read_text("utf-8")
OPERATIONS: Final = (ROOT / "docs/operations.md").read_text("utf-8")
ARCHITECTURE: Final = (ROOT / "docs/architecture.md").read_text("utf-8")


def test_the_readme_begins_with_the_two_commands() -> None:
    first = re.search(r"```\n(.*?)```", README, re.DOTALL)
    assert first is not None
    assert first[1].split("\n") == ["make demo", "make test", ""]
    assert README.index("```") < 20


@pytest.mark.parametrize(
    "name", [name for name, command in ALL if not isinstance(command, click.Group)]
)
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"`shipledger {name}" in README


@pytest.mark.parametrize("name", [name for name, _ in FACTS])
def test_every_fact_is_in_the_architecture(name: str) -> None:
    assert f"| `{name}` |" in ARCHITECTURE


@pytest.mark.parametrize("name", [name for name, _ in PROJECTIONS])
def test_every_projection_is_in_the_architecture(name: str) -> None:
    assert f"| `{name}` |" in ARCHITECTURE


def test_the_table_of_metrics_is_what_make_docs_writes() -> None:
    assert with_tables(OPERATIONS) == OPERATIONS


def keys(kind: inspect.Type, prefix: str = "") -> list[str]:
    """Return the keys that a type of the settings file has, with dots between."""
    match kind:
        case inspect.StructType():
            return [
                found
                for field in kind.fields
                for found in keys(field.type, f"{prefix}.{field.name}".lstrip("."))
            ]
        case inspect.UnionType():
            return sorted({found for each in kind.types for found in keys(each, prefix)})
        case inspect.VarTupleType():
            return keys(kind.item_type, prefix)
        case _:
            return [prefix]


@pytest.mark.parametrize("key", keys(inspect.type_info(settings.Decided)))
def test_every_setting_is_explained_and_stands_in_the_example(key: str) -> None:
    name = key.rpartition(".")[2]
    if name not in ("mirror", "language_model"):  # the keys of whole blocks
        assert f"| `{key}` |" in OPERATIONS
    example = (ROOT / "shipledger.example.toml").read_text("utf-8")
    assert re.search(rf"^(# )?\[?(repositories\.)?{name}( = |\]$)", example, re.MULTILINE)


@pytest.mark.parametrize(
    "name",
    [source.DATA, source.CONFIG, settings.SECRET, settings.LOG_FORMAT, settings.LOG_LEVEL],
)
def test_every_variable_is_explained(name: str) -> None:
    assert f"| `{name}` |" in OPERATIONS


def test_every_link_between_documents_leads_somewhere() -> None:
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_every_target_of_the_makefile_that_documents_name_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for text in (README, OPERATIONS, ARCHITECTURE):
        for target in re.findall(r"`make ([a-z-]+)", text):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_api_is_named_in_the_readme() -> None:
    for path in ("/v1/repositories", "/v1/records/", "/healthz", "/readyz", "/metrics", "/docs"):
        assert path in README
