"""`shipledger projections`: status, rebuild."""

from pathlib import Path

import click
import msgspec

from services.cli.options import data_option, json_option
from services.cli.printing import print_json, progress_bar, table
from services.cli.saying import say
from services.config.settings import load


@click.group("projections")
def command() -> None:
    """Look at the read model, or make a part of it again from the log.

    \b
    Example:
      shipledger projections status
      shipledger projections rebuild pull_requests
    """


@command.command("status")
@json_option
@data_option
def status(as_json: bool, data: Path | None) -> None:
    """Show how far each projection has read each partition, and what it set aside.

    It looks and changes nothing: without `shipledger up`, what was imported since the last
    question is shown as still to be read.

    \b
    Example:
      shipledger projections status --json
    """
    from services.stream.backlog import measure
    from services.stream.stores import open_prepared

    with open_prepared(load(data=data)) as stores:
        projections = measure(stores.read_model, stores.log, stores.clock)
    if as_json:
        print_json({"projections": projections})
        return
    rows = [
        (
            progress.name,
            f"{progress.generation} (rules {progress.version})",
            partition.partition,
            f"{partition.position:,} of {partition.end:,}",
            f"{partition.seconds:.0f} s",
            f"{progress.dead_letters:,}",
        )
        for progress in projections
        for partition in progress.partitions
    ]
    table(("projection", "generation", "partition", "read", "behind", "dead letters"), rows)
    for progress in projections:
        if progress.outdated:
            say(
                f"{progress.name} was made by older rules; run: shipledger projections rebuild "
                f"{progress.name}",
                err=True,
            )


@command.command("rebuild")
@click.argument("name")
@click.option(
    "--accept-dead-letters",
    is_flag=True,
    help="Switch over even if records are set aside that the old rules had understood.",
)
@json_option
@data_option
def rebuild(name: str, accept_dead_letters: bool, as_json: bool, data: Path | None) -> int:
    """Make a projection again from the log, in new tables, and switch over at the end.

    The old tables answer meanwhile, also while `shipledger up` runs. Rows that differ from the old
    ones are named: none are expected unless the rules have changed.

    \b
    Example:
      shipledger projections rebuild pull_requests
    """
    from projections.engine.rebuild import rebuild as make_again
    from services.stream.stores import open_prepared

    with open_prepared(load(data=data)) as stores, progress_bar("Records") as tell:
        result = make_again(
            stores.engine,
            stores.log,
            name,
            stores.clock,
            tell,
            accept_dead_letters=accept_dead_letters,
        )
    if as_json:
        print_json(msgspec.to_builtins(result))
        return 0 if result.switched else 1
    say(
        f"{name}: {result.records:,} records read into generation {result.new_generation}; "
        f"{result.differing:,} rows differ from generation {result.old_generation}"
    )
    for difference in result.differences:
        say(f"  differs: {difference}")
    if not result.switched:
        say(
            f"error: not switched: {len(result.new_dead_letters)} records were understood by the "
            f"old rules and are not by the new ones ({', '.join(result.new_dead_letters[:3])} …); "
            "mend the rules, or accept it with --accept-dead-letters",
            err=True,
        )
    return 0 if result.switched else 1
