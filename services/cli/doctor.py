"""`shipledger doctor`."""

from pathlib import Path

import click

from services.cli.options import data_option, json_option
from services.cli.printing import print_json
from services.cli.saying import say
from services.config.settings import load


@click.command("doctor")
@click.option("--deep", is_flag=True, help="Also read every record and compare its digest.")
@json_option
@data_option
def command(deep: bool, as_json: bool, data: Path | None) -> int:
    """Check programs, settings, the data folder, the log and the read model; change nothing.

    The exit code is 1 where a fault is found.

    \b
    Example:
      shipledger doctor --deep
    """
    from services.processes.doctor import examine

    findings = examine(load(data=data), deep=deep)
    faults = sum(finding.verdict == "fault" for finding in findings)
    if as_json:
        print_json({"findings": findings, "faults": faults})
    else:
        for finding in findings:
            say(f"{finding.verdict:<5}  {finding.check:<10}  {finding.says}")
    return 1 if faults else 0
