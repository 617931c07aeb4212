"""`shipledger verify`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from services.cli.options import data_option, json_option
from services.cli.printing import print_json
from services.cli.saying import say

if TYPE_CHECKING:
    from services.audit.receipts.verifying import Verdict


@click.command("verify")
@click.argument("receipt", metavar="RECEIPT_FILE|EDITION")
@click.option(
    "--repo", "repository", metavar="OWNER/NAME", help="Whose edition it is; else all are searched."
)
@json_option
@data_option
def command(receipt: str, repository: str | None, as_json: bool, data: Path | None) -> int:
    """Make a report again from its receipt, and compare the bytes.

    A receipt is a file of its own, or the report in JSON that carries it; an edition is named by
    the id of its record. Exit code 0: the same bytes; 3: other bytes, because the program or its
    rules changed; 1: other bytes, and that is a fault.

    \b
    Example:
      shipledger report acme/widget --from 2026-07-01 --to 2026-08-01 --receipt july.json > july.md
      shipledger verify july.json
    """
    from projections.release_inclusion.view import HistoryCache
    from services.audit.edition_receipts import makers_for
    from services.audit.receipts.finding import receipt_in, receipt_of_record
    from services.audit.receipts.verifying import verify
    from services.cli.answering import up_to_date

    with up_to_date(data) as stores, stores.read_model.snapshot() as snapshot:
        path = Path(receipt)
        if path.exists():
            source = receipt_in(path)
        else:
            source = receipt_of_record(stores, snapshot, receipt, repository)
        makers = makers_for(stores, snapshot, source.receipt)
        verdict = verify(stores, snapshot, source.receipt, histories=HistoryCache(), makers=makers)
    if as_json:
        print_json({**_plain(verdict), "question": source.receipt.question})
    else:
        say(verdict.says)
    return verdict.exit_code


def _plain(verdict: "Verdict") -> dict[str, object]:
    return {
        "outcome": verdict.outcome,
        "expected": verdict.expected,
        "found": verdict.found,
        "because": list(verdict.because),
    }
