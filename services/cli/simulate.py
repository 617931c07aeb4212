"""`shipledger simulate`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from services.cli.options import json_option
from services.cli.printing import print_json
from services.cli.saying import say

if TYPE_CHECKING:
    from services.simulator.shapes import Shape


@click.command("simulate")
@click.option("--seed", type=int, required=True, help="Equal seeds give equal worlds.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="A new folder."
)
@click.option("--pulls", type=click.IntRange(1, 1_000_000), default=150, show_default=True)
@click.option("--days", type=click.IntRange(1, 36_500), default=120, show_default=True)
@click.option(
    "--shapes",
    metavar="all|NAME,…",
    help="Habits of real projects that the world has too, with requests beside --pulls.",
)
@json_option
def command(seed: int, out: Path, pulls: int, days: int, shapes: str | None, as_json: bool) -> None:
    """Write a simulated repository: deliveries, git repository, and the truth about both.

    \b
    Shapes (all of them: all):
      fork-numbers       commits of forks with numbers of their own
      backports          by robots and by hand, said and unsaid
      squashed-branches  a long-lived branch that lands as one commit
      merge-robots       they push and close in place of a merge
      version-schemes    tags of several packages, each numbered its own way
      combined-reverts   one revert of several changes
      late-patches       patch releases of older lines

    \b
    Example:
      shipledger simulate --seed 7 --shapes backports,merge-robots --out ./world
      shipledger send ./world
      shipledger import git ./world/repository --repo acme/widget --repo-id 1001
    """
    from events.errors import InvalidQuestion
    from services.simulator import simulate

    if out.exists() and any(out.iterdir()):
        raise InvalidQuestion(f"{out} is not empty; name a new folder")
    world = simulate(seed, pulls=pulls, days=days, shapes=_shapes(shapes))
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


def _shapes(typed: str | None) -> "tuple[Shape, ...]":
    """Return the shapes that were typed; raise InvalidQuestion for one that is not known."""
    from events.errors import InvalidQuestion
    from services.simulator.shapes import SHAPES

    if typed is None:
        return ()
    by_name = {shape.replace(" ", "-"): shape for shape in SHAPES}
    names = ["-".join(name.lower().split()) for name in typed.split(",")]
    unknown = [name for name in names if name not in by_name and name != "all"]
    if unknown:
        known = ", ".join(("all", *by_name))
        raise InvalidQuestion(f"--shapes: {unknown[0]!r} is no shape; known: {known}")
    return SHAPES if "all" in names else tuple(by_name[name] for name in names)
