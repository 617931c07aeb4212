"""`shipledger curate`: what persons decide about editions."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from services.cli.curate_propose import propose
from services.cli.options import (
    NUMBER,
    asking_options,
    data_option,
    json_option,
    known_at_option,
    releases_option,
)
from services.cli.printing import print_answer
from services.cli.saying import say

if TYPE_CHECKING:
    from events.facts.editions import TellingKind
    from services.answers.questions.builder import QuestionRequest
    from services.answers.questions.question import EditionQuestion
    from services.stream.stores import Stores

F = TypeVar("F", bound=Callable[..., Any])

_repository = click.argument("repository", metavar="OWNER/NAME")
_number = click.argument("number", type=NUMBER)
_language = click.option(
    "--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Of it."
)
_named = click.option(
    "--period", "named", metavar="PERIOD", help="The edition before you: 2026-07, …"
)
_only = click.option("--only-here", "only", is_flag=True, help="For this edition alone.")
_OPTIONS: Final = (
    click.option("--undo", is_flag=True, help="Take the decision back."),
    click.option("--tz", metavar="ZONE", help="The zone of the period's days."),
    click.option("--author", help="Who decides; else the name of the user."),
    click.option("--reason", default="", help="Why."),
    data_option,
)
_TEXT: Final = "The text; `-` reads it from standard input."


def _period(function: F) -> F:
    """Let the edition that a person has before them be named; which of the two is checked later."""
    for option in (releases_option, _named):
        function = option(function)
    return function


def _shared(function: F) -> F:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.group("curate")
def command() -> None:
    """Decide how editions tell something. Each decision is a record, replaced by a later one.

    Texts belong to the change, not to its place: they stay when it moves from In Progress to
    Delivered or gets a twin, and `shipledger edition` asks for another look. They are plain text:
    no Markdown, no HTML.

    \b
    Example:
      shipledger curate theme acme/widget 42 "Checkpoints" --period 2026-07
      shipledger curate list acme/widget
    """


command.add_command(propose)


@command.command("theme")
@_repository
@_number
@click.argument("name", metavar="THEME", required=False)
@_period
@_only
@_shared
def theme(repository: str, number: int, name: str | None, **shared: Any) -> None:
    """Put a request, with its change group, into a theme.

    \b
    Example:
      shipledger curate theme acme/widget 42 "Checkpoints" --period 2026-07
    """
    _decide(repository, "theme", name, numbers=(number,), **shared)


@command.command("rename")
@_repository
@click.argument("old", metavar="THEME")
@click.argument("new", metavar="NAME", required=False)
@click.option("--language", type=click.Choice(["en", "zh"]), help="Translate it instead.")
@_shared
def rename(repository: str, old: str, new: str | None, **shared: Any) -> None:
    """Rename a theme; to the name of another one merges the two.

    \b
    Example:
      shipledger curate rename acme/widget "MoE: Decode, Router" "MoE Decode Kernels"
      shipledger curate rename acme/widget "MoE Decode Kernels" "MoE 解码内核" --language zh
    """
    _decide(repository, "rename", new, theme=old, **shared)


@command.command("twins")
@_repository
@_number
@click.argument("other", type=NUMBER)
@click.option("--apart", is_flag=True, help="They are not.")
@_shared
def twins(repository: str, number: int, other: int, apart: bool, **shared: Any) -> None:
    """Say that two requests land one change.

    \b
    Example:
      shipledger curate twins acme/widget 6022 6870
    """
    _decide(repository, "twins", "no" if apart else "yes", numbers=(number, other), **shared)


@command.command("exclude")
@_repository
@_number
@click.argument("kind", metavar="CLASS", required=False)
@_shared
def exclude(repository: str, number: int, kind: str | None, **shared: Any) -> None:
    """Give a request a class (ci-only, test-only, test-and-ci-only, format-only), or keep it.

    \b
    Example:
      shipledger curate exclude acme/widget 42 kept --reason "it changes the release scripts"
    """
    _decide(repository, "exclusion", kind, numbers=(number,), **shared)


@command.command("overview")
@_repository
@click.argument("text", required=False)
@_period
@_language
@_shared
def overview(repository: str, text: str | None, **shared: Any) -> None:
    """Write the overview of a period; TEXT `-` reads it from standard input.

    \b
    Example:
      shipledger curate overview acme/widget "The delivered portfolio …" --period 2026-07
    """
    _decide(repository, "overview", text, **shared)


@command.command("summary")
@_repository
@click.argument("name", metavar="THEME")
@click.argument("text", required=False)
@click.option(
    "--section",
    type=click.Choice(["delivered", "in_progress"]),
    default="delivered",
    show_default=True,
)
@_period
@_language
@_shared
def summary(repository: str, name: str, text: str | None, **shared: Any) -> None:
    """Write the sentence under a theme; TEXT `-` reads it from standard input.

    \b
    Example:
      shipledger curate summary acme/widget "Checkpoints" "Checkpoints gained …" --period 2026-07
    """
    _decide(repository, "summary", text, theme=name, **shared)


@command.command("bullet")
@_repository
@_number
@click.argument("text", required=False)
@_period
@_only
@_language
@_shared
def bullet(repository: str, number: int, text: str | None, **shared: Any) -> None:
    """Write the bullet of a change; TEXT `-` reads it from standard input.

    \b
    Example:
      shipledger curate bullet acme/widget 42 "Checkpoints resume after …" --period 2026-07
    """
    _decide(repository, "bullet", text, numbers=(number,), **shared)


@command.command("hide")
@_repository
@_number
@_period
@_only
@_shared
def hide(repository: str, number: int, **shared: Any) -> None:
    """Do not tell a change; it stays counted, and listed as not told.

    \b
    Example:
      shipledger curate hide acme/widget 42 --period 2026-07 --reason "embargoed"
    """
    _decide(repository, "hide", "yes", numbers=(number,), **shared)


@command.command("list")
@_repository
@known_at_option
@json_option
@asking_options
def list_all(repository: str, known_at: str | None, as_json: bool, data: Path | None) -> None:
    """List the decisions that stand, and those made without knowing of each other.

    \b
    Example:
      shipledger curate list acme/widget --json
    """
    from projections.repositories.queries import find
    from services.answers.questions.builder import QuestionBuilder, QuestionRequest
    from services.authoring.decisions.listing import decisions_forms
    from services.cli.answering import asked

    request = QuestionRequest(repository=repository, known_at=known_at)
    with asked(data) as stores, stores.read_model.snapshot() as snapshot:
        builder = QuestionBuilder(stores.settings)
        repo = find(snapshot, repository).repo
        known = snapshot.watermark(repo).known_at(builder.repository(request).known_at)
        forms = decisions_forms(snapshot, repo, known, builder.zone(request))
    print_answer(forms, "json" if as_json else "txt")


def _decide(
    repository: str,
    kind: "TellingKind",
    value: str | None,
    *,
    data: Path | None,
    undo: bool,
    tz: str | None,
    author: str | None,
    named: str | None = None,
    releases: str | None = None,
    **wished: Any,
) -> None:
    from services.answers.questions.builder import QuestionRequest
    from services.authoring.decisions.deciding import DecisionRequest, decide
    from services.cli.answering import up_to_date, whoever

    if value == "-":
        value = click.get_text_stream("stdin").read().strip()
    if (value is None) and not undo:
        raise click.UsageError("give what is decided, or --undo")
    request = QuestionRequest(repository=repository, period=named, releases=releases, zone=tz)
    with up_to_date(data) as stores:
        question = _edition(stores, request)
        wish = DecisionRequest(
            kind=kind,
            value=None if undo else value,
            author=author or whoever(),
            period=None if question is None else question.report.period,
            releases=None if question is None else question.releases,
            **wished,
        )
        fact, record_id = decide(stores, repository, wish)
    done = "taken back" if fact.value is None else "decided"
    say(f"{kind} {done}, record {record_id}")


def _edition(stores: "Stores", request: "QuestionRequest") -> "EditionQuestion | None":
    """Return the question that the edition before a person answers; None where none is named."""
    from services.answers.editions.asking import edition_question

    if request.period is None and request.releases is None:
        return None
    with stores.read_model.snapshot() as snapshot:
        return edition_question(stores, snapshot, request)
