"""`shipledger deadletters`: list, show, retry."""

from pathlib import Path

import click

from services.cli.options import asking_options, data_option, json_option
from services.cli.printing import print_json, table
from services.cli.saying import say


@click.group("deadletters")
def command() -> None:
    """Look at records that were set aside because they could not be used, or retry them.

    \b
    Example:
      shipledger deadletters list
      shipledger deadletters retry
    """


@command.command("list")
@json_option
@asking_options
def list_all(as_json: bool, data: Path | None) -> None:
    """List the records that are set aside, with the reason.

    \b
    Example:
      shipledger deadletters list --json
    """
    from services.cli.answering import asked
    from services.stream.dead_letters import dead_letters

    with asked(data) as stores:
        letters = dead_letters(stores.read_model.engine)
    if as_json:
        print_json({"dead_letters": letters})
        return
    if not letters:
        say("nothing is set aside")
        return
    table(
        ("projection", "repository", "record", "stage", "reason"),
        [
            (letter.projection, letter.repository, letter.record_id, letter.stage, letter.says)
            for letter in letters
        ],
    )


@command.command("show")
@click.argument("record_id", metavar="RECORD")
@asking_options
def show(record_id: str, data: Path | None) -> None:
    """Print a record that is set aside, as it was received, as JSON.

    \b
    Example:
      shipledger deadletters show 72d3162e-cc78-11e3-81ab-4c9367dc0958
    """
    from events.errors import NotFound
    from services.answers.records import record_forms
    from services.cli.answering import asked
    from services.cli.printing import print_answer
    from services.logs.walk import find
    from services.stream.dead_letters import dead_letters

    with asked(data) as stores:
        letters = [
            letter
            for letter in dead_letters(stores.read_model.engine)
            if letter.record_id == record_id
        ]
        if not letters:
            raise NotFound(f"{record_id} is not set aside; see `shipledger deadletters list`")
        entry = find(stores.log, letters[0].partition, letters[0].repository, record_id)
    print_answer(record_forms(entry), "json")


@command.command("retry")
@click.argument("record_ids", metavar="[RECORD]...", nargs=-1)
@json_option
@data_option
def retry(record_ids: tuple[str, ...], as_json: bool, data: Path | None) -> int:
    """Try the records again (all, or those named), after the program was mended.

    What is understood now is folded in as if it had been understood at its time.

    \b
    Example:
      shipledger deadletters retry
    """
    from projections.engine.retry import retry as try_again
    from services.cli.answering import up_to_date

    with up_to_date(data) as stores:
        results = try_again(stores.engine, stores.log, record_ids)
    failed = [result for result in results if result.reason is not None]
    if as_json:
        print_json({"retried": results})
    else:
        say(f"{len(results) - len(failed)} understood now, {len(failed)} still set aside")
        for result in failed:
            say(f"  {result.projection} {result.record_id}: {result.reason}")
    return 1 if failed else 0
