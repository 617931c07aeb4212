"""`shipledger curate propose`: a language model writes what waits, if one is configured."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from services.cli.options import data_option, json_option, print_json

if TYPE_CHECKING:
    from events.facts.editions import Language


@click.command("propose")
@click.argument("repository", metavar="OWNER/NAME")
@click.option(
    "--period", "named", metavar="PERIOD", required=True, help="The edition that waits: 2026-07, …"
)
@click.option("--tz", metavar="ZONE", help="The zone of the period's days.")
@click.option(
    "--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Of it."
)
@click.option("--accept", "accepted", is_flag=True, help="Record what passed as decisions.")
@json_option
@data_option
def propose(
    repository: str,
    named: str,
    tz: str | None,
    language: str,
    accepted: bool,
    as_json: bool,
    data: Path | None,
) -> None:
    """Ask a language model for the sentence of each theme that waits for one.

    The model of [language_model] in shipledger.toml is sent titles and texts of the theme's
    requests; without that setting nothing is sent. A sentence with a number, unit, name or request
    that these do not have is refused, with the reason. What passed is recorded with --accept, by an
    author whose name says that a model wrote it, and is replaced by `shipledger curate summary`.

    \b
    Example:
      shipledger curate propose acme/widget --period 2026-07 --accept
    """
    from projections.release_inclusion.view import HistoryCache
    from services.answers.editions.asking import edition_question
    from services.answers.editions.assemble import assemble_edition
    from services.answers.questions.period import named_period
    from services.authoring.decisions.proposing import accept, as_document, summary_gaps
    from services.authoring.decisions.proposing import propose as asked
    from services.cli.answering import up_to_date
    from services.processes.bootstrap import build_language_model, catch_up

    chosen: Language = "zh" if language == "zh" else "en"
    with up_to_date(data) as stores:
        model = build_language_model(stores.settings)
        period = named_period(named, tz or stores.settings.zone(repository))
        with stores.read_model.snapshot() as snapshot:
            question = edition_question(stores.settings, repository, period)
            edition = assemble_edition(snapshot, question, HistoryCache())
            gaps = summary_gaps(snapshot, edition, chosen)
        done: list[dict[str, Any]] = []
        try:
            for each in asked(model, gaps):
                record = accept(stores, edition, each, model.name, catch_up) if accepted else None
                done.append(as_document(each, record))
                if not as_json:
                    _tell(done[-1], accepted=accepted)
        finally:  # what was recorded is told, also where the model went away in between
            if as_json:
                print_json({"model": model.name, "proposals": done})
            else:
                _sum_up(done, len(gaps), accepted=accepted)


def _tell(one: dict[str, Any], *, accepted: bool) -> None:
    pulls = ", ".join(f"#{number}" for number in one["pulls"])
    click.echo(f"{one['section']}: {one['theme']} ({pulls})")
    if one["text"] is None:
        click.echo(f"  refused  {'; '.join(one['refused'])}")
        click.echo(f"  it said  {one['said'] or 'nothing'}")
        return
    click.echo(f"  {one['text']}")
    if one["record"] is not None:
        click.echo(f"  recorded {one['record']}")
    elif accepted:
        click.echo("  not recorded: somebody wrote this sentence while the model was asked")


def _sum_up(done: list[dict[str, Any]], gaps: int, *, accepted: bool) -> None:
    passed = sum(one["text"] is not None for one in done)
    recorded = sum(one["record"] is not None for one in done)
    hint = "" if accepted or not passed else "; add --accept to record what passed"
    click.echo(
        f"{gaps} sentences waited: {passed} passed, {len(done) - passed} were refused, "
        f"{gaps - len(done)} were not answered; {recorded} recorded{hint}",
        err=True,
    )
