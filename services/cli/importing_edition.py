"""`shipledger import edition`."""

from pathlib import Path

import click

from services.cli.options import data_option, json_option
from services.cli.printing import print_json
from services.cli.saying import say


@click.command("edition")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--repo", "repository", required=True, metavar="OWNER/NAME")
@click.option(
    "--period",
    "named",
    required=True,
    metavar="PERIOD",
    help="What it is about: 2026-07, 2026-Q3, 2026-W31, 2026, or 2026-07-01..2026-08-01.",
)
@click.option("--tz", metavar="ZONE", help="The zone of its days; else that of the settings.")
@click.option("--author", default="", help="Who published it.")
@json_option
@data_option
def edition(
    path: Path,
    repository: str,
    named: str,
    tz: str | None,
    author: str,
    as_json: bool,
    data: Path | None,
) -> None:
    """Import an edition that was published before Shipledger: its figures and the numbers it told.

    Text, Markdown, or the figures as JSON. Later editions take the names and the order of its
    themes as their prior, and can be compared with it. Importing it again stores nothing.

    \b
    Example:
      shipledger import edition july.txt --repo acme/widget --period 2026-07 --tz Asia/Shanghai
    """
    from events.facts.operations import Ticked
    from events.sources.authored import author as author_record
    from projections.repositories.queries import find
    from services.answers.questions.period import named_period
    from services.authoring.publishing.importing import imported_edition
    from services.cli.answering import up_to_date

    with up_to_date(data) as stores:
        with stores.read_model.snapshot() as snapshot:
            repo = find(snapshot, repository).repo
        period = named_period(named, tz or stores.settings.zone(repository))
        fact = imported_edition(path, named, period, at=period.end, author=author)
        (appended,) = stores.log.append([author_record(repo, fact, time=stores.clock())])
        if appended.outcome == "stored":
            now = stores.clock()
            stores.log.append([author_record(repo, Ticked(at=now), time=now)])
    numbers = {number for theme in fact.themes for number in theme.numbers}
    if as_json:
        print_json(
            {
                "record": appended.record_id,
                "outcome": appended.outcome,
                "title": fact.title,
                "figures": fact.figures,
                "excluded": fact.excluded,
                "themes": len(fact.themes),
                "told": len(numbers),
            }
        )
        return
    say(f"{fact.title}: {len(fact.themes)} themes, {len(numbers)} numbers told")
    figures = ", ".join(f"{name} {value}" for name, value in fact.figures.items())
    say(f"figures: {figures or 'none'}; record {appended.record_id} ({appended.outcome})")
