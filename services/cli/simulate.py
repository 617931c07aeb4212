"""`shipledger simulate`."""

from pathlib import Path

import click

from services.cli.options import json_option
from services.cli.printing import print_json
from services.cli.saying import say


@click.command("simulate")
@click.option("--seed", type=int, required=True, help="Equal seeds give equal worlds.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="A new folder."
)
@click.option("--pulls", type=click.IntRange(1, 1_000_000), default=150, show_default=True)
@click.option("--days", type=click.IntRange(1, 36_500), default=120, show_default=True)
@json_option
def command(seed: int, out: Path, pulls: int, days: int, as_json: bool) -> None:
    """Write a simulated repository: deliveries, git repository, and the truth about both.

    \b
    Example:
      shipledger simulate --seed 7 --out ./world
      shipledger send ./world
      shipledger import git ./world/repository --repo acme/widget --repo-id 1001
    """
    from events.errors import InvalidQuestion
    from services.simulator import simulate

    if out.exists() and any(out.iterdir()):
        raise InvalidQuestion(f"{out} is not empty; name a new folder")
    world = simulate(seed, pulls=pulls, days=days)
    world.write(out)
    truth = world.truth
    counts = {
        "repository": truth.full_name,
        "repository_id": truth.repository_id,
        "deliveries": len(world.deliveries),
        "pull_requests": len(truth.pulls),
        "tags": len(truth.tags),
        "out": str(out),
    }
    if as_json:
        print_json(counts)
        return
    say(
        f"{out}: {len(world.deliveries):,} deliveries of {truth.full_name} (id "
        f"{truth.repository_id}), {len(truth.pulls):,} pull requests, {len(truth.tags):,} tags"
    )
    say(f"next: shipledger send {out}")
