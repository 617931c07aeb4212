"""`shipledger send`."""

from collections import Counter
from pathlib import Path

import click

from services.cli.options import json_option
from services.cli.printing import print_json, progress_bar
from services.cli.saying import say
from services.config.settings import load


@click.command("send")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--url",
    default="http://127.0.0.1:8080/webhooks/github",
    show_default=True,
    help="Where to post to.",
)
@click.option("--event", help="The event of a payload whose file name does not tell it.")
@click.option("--unsigned", is_flag=True, help="Send without a signature.")
@json_option
def command(path: Path, url: str, event: str | None, unsigned: bool, as_json: bool) -> int:
    """Post a stored delivery, or all of a folder in order, signed as GitHub does.

    The secret is the first of SHIPLEDGER_WEBHOOK_SECRET. Sending again does no harm: a delivery
    that is known is counted as a duplicate.

    \b
    Example:
      SHIPLEDGER_WEBHOOK_SECRET=... shipledger send ./world --url http://127.0.0.1:8080/webhooks/github
      shipledger send payload.json --event pull_request
    """
    from services.intake.sending import Sender, stored_deliveries
    from services.intake.sending.stored import files

    total = len(files(path))
    outcomes: Counter[str] = Counter()
    refused: list[dict[str, object]] = []
    sender = Sender(url, _secret(unsigned))
    with progress_bar("Deliveries") as tell:
        for done, delivery in enumerate(stored_deliveries(path, event=event), start=1):
            answer = sender.send(delivery)
            outcomes[answer.outcome] += 1
            if not answer.accepted:
                refused.append(
                    {"file": str(delivery.path), "status": answer.status, "says": answer.message}
                )
            tell(done, total)
    sender.close()
    if as_json:
        print_json({"sent": total, "outcomes": dict(outcomes), "refused": refused})
    else:
        summary = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))
        say(f"{total:,} sent: {summary}")
    for refusal in refused[:10]:
        say(f"refused: {refusal['file']}: {refusal['status']} {refusal['says']}", err=True)
    return 1 if refused else 0


def _secret(unsigned: bool) -> str | None:
    from events.errors import ConfigurationError
    from services.config.settings import SECRET

    if unsigned:
        return None
    secrets = load(data=None).webhook_secrets
    if not secrets:
        raise ConfigurationError(
            f"{SECRET} is not set: set it to the receiver's secret, or send with --unsigned"
        )
    return secrets[0]
