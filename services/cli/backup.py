"""`shipledger backup`."""

from pathlib import Path

import click

from services.cli.options import data_option, json_option
from services.cli.printing import print_json
from services.cli.saying import say
from services.config.settings import load


@click.command("backup")
@click.argument("target", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@json_option
@data_option
def command(target: Path, as_json: bool, data: Path | None) -> None:
    """Copy the log to a new file, as of one moment, while it is being written to.

    The copy is checked before it gets its name. The read model needs no backup: it is made again
    from the log. To restore, put the copy into a new data folder as log.sqlite.

    \b
    Example:
      shipledger backup /backups/ledger-2026-07-31.sqlite
    """
    from services.logs.backup import backup
    from services.runtime.data_folder import DataFolder

    copy = backup(DataFolder(load(data=data).data).log, target)
    if as_json:
        print_json({"target": str(target), "ends": copy.ends})
    else:
        records = sum(copy.ends.values())
        say(f"{target}: {records:,} records of {len(copy.ends)} partitions, checked")
