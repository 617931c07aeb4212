"""`shipledger log`: tail, show, export, import, redact."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from services.cli.options import data_option, json_option
from services.cli.printing import print_json
from services.cli.saying import say
from services.config.settings import load
from services.documents.json import harmless

if TYPE_CHECKING:
    from events.record import Entry


@click.group("log")
def command() -> None:
    """Look at the log, copy it to a file, or fill it from one.

    \b
    Example:
      shipledger log tail --follow
      shipledger log export ledger.jsonl.gz
    """


@command.command("tail")
@click.option("-n", "count", default=20, show_default=True, help="How many records to begin with.")
@click.option("-f", "--follow", is_flag=True, help="Go on with what is appended, until Ctrl-C.")
@json_option
@data_option
def tail(count: int, follow: bool, as_json: bool, data: Path | None) -> None:
    """Print the last records, one a line: when, where, what, and its id.

    \b
    Example:
      shipledger log tail -n 50
      shipledger log tail --follow --json
    """
    from services.logs.walk import Tail
    from services.stream.stores import open_stores

    with open_stores(load(data=data)) as stores:
        tail_of = Tail(stores.log, count)
        while True:
            for entry in tail_of.news():
                _print(entry, as_json)
            sys.stdout.flush()
            if not follow:
                return
            stores.log.wait(60.0)


def _print(entry: "Entry", as_json: bool) -> None:
    import msgspec

    from events.instant import format_instant

    record = entry.record
    recorded_at = format_instant(entry.recorded_at)
    if as_json:
        line: dict[str, Any] = {
            "recorded_at": recorded_at,
            "partition": entry.partition,
            "position": entry.position,
            "type": record.type,
            "source": record.source,
            "id": record.id,
            "bytes": len(record.body),
        }
        click.echo(harmless(msgspec.json.encode(line).decode()))
        return
    where = f"{entry.partition}@{entry.position}"
    say(f"{recorded_at:<27}  {where:<28}  {record.type:<40}  {record.id}")


@command.command("show")
@click.argument("repository", metavar="KEY")
@click.argument("record_id", metavar="RECORD")
@data_option
def show(repository: str, record_id: str, data: Path | None) -> None:
    """Print one record as it was received, as JSON, with the facts that it states.

    \b
    Example:
      shipledger log show github.com/1001 72d3162e-cc78-11e3-81ab-4c9367dc0958
    """
    from services.answers.records import record_forms
    from services.cli.printing import print_answer
    from services.logs.walk import find
    from services.stream.stores import open_stores

    with open_stores(load(data=data)) as stores:
        entry = find(stores.log, stores.partition_of(repository), repository, record_id)
    print_answer(record_forms(entry), "json")


@command.command("export")
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--partition", "partitions", multiple=True, metavar="KEY", help="Only these.")
@click.option("--grown", is_flag=True, help="Of a Kafka topic to which partitions were added.")
@json_option
@data_option
def export(
    out: Path, partitions: tuple[str, ...], grown: bool, as_json: bool, data: Path | None
) -> None:
    """Write all records to one file, with checksums; a name ending in .gz is compressed.

    \b
    Example:
      shipledger log export ledger.jsonl.gz
    """
    from services.logs.exchange import export_log
    from services.stream.stores import open_log

    with open_log(load(data=data), grown=grown) as log:
        exported = export_log(log, out, partitions or None)
    if as_json:
        print_json(exported)
    else:
        say(f"{out}: {exported.entries:,} records of {len(exported.partitions)} partitions")
    if exported.moved:
        say(
            f"warning: records of {len(exported.moved)} repositories lie in more than one "
            f"partition ({', '.join(exported.moved[:5])}{' …' if exported.moved[5:] else ''}); the "
            "file has them in the order in which they were recorded",
            err=True,
        )


@command.command("import")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@json_option
@data_option
def import_(source: Path, as_json: bool, data: Path | None) -> None:
    """Fill the log from an export. Into an empty log it keeps when each record was recorded.

    The whole file is checked first: a damaged one changes nothing.

    \b
    Example:
      shipledger log import ledger.jsonl.gz --data ./restored
    """
    from services.logs.exchange import import_log
    from services.stream.stores import open_stores

    with open_stores(load(data=data)) as stores:
        imported = import_log(stores.log, source)
    if as_json:
        print_json(imported)
        return
    say(
        f"{imported.entries:,} records read, {imported.stored:,} stored, "
        f"{imported.duplicates:,} known already, {imported.conflicts:,} conflicts"
    )
    if imported.known_history_starts_now:
        say("The log was not empty: known history of these records starts now.", err=True)


@command.command("redact")
@click.argument("repository", metavar="KEY")
@click.argument("record_id", metavar="RECORD")
@click.option("--reason", required=True, help="Why; it is kept with the record.")
@data_option
def redact(repository: str, record_id: str, reason: str, data: Path | None) -> int:
    """Replace the body of one record by its digest, for good: the one change the log knows.

    Rebuild the projections afterwards: what they took from the body goes with the old tables.

    \b
    Example:
      shipledger log redact github.com/1001 72d3162e-cc78-11e3-81ab-4c9367dc0958 --reason secret
    """
    from events.errors import InvalidQuestion
    from services.logs.sqlite import SqliteLog
    from services.stream.stores import open_stores

    with open_stores(load(data=data)) as stores:
        if not isinstance(stores.log, SqliteLog):
            raise InvalidQuestion(
                "Kafka cannot change a record; export the log, redact it in a data folder, and "
                "import that into a new topic (deploy/README.md, Redaction)"
            )
        redacted = stores.log.redact(repository, record_id, reason)
    say(f"{record_id}: redacted")
    if not redacted:
        say("its bytes are still in a file that somebody reads; run this again", err=True)
    return 0 if redacted else 1
