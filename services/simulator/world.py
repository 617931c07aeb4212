"""A whole small world, made from a seed."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

import msgspec

from events.instant import DAY, Instant, parse_instant
from services.simulator import fast_import, scripts
from services.simulator.delivery import Delivery
from services.simulator.payloads import Place
from services.simulator.repository import Repository
from services.simulator.shapes import Shape
from services.simulator.stage import Stage
from services.simulator.truth import Truth
from services.simulator.verdicts import undoings, verdicts_of

#: When a world begins unless another time is asked for.
START: Final[Instant] = parse_instant("2026-05-01T00:00:00Z")


class World(msgspec.Struct, frozen=True, kw_only=True):
    """Deliveries in the order in which things happened, the repository, and the truth."""

    deliveries: tuple[Delivery, ...]
    truth: Truth
    repository: Repository

    def build_repository(self, path: Path, *, at: Instant | None = None) -> None:
        """Make the bare git repository at a path that does not exist or is empty.

        With `at` its refs are those of that moment; objects of later stay without a ref.
        """
        refs = self.repository.refs if at is None else self.repository.refs_at(at)
        default = self.truth.default_branch
        fast_import.build(self.repository, path, default_branch=default, refs=refs)

    def write(self, out_dir: Path) -> None:
        """Write `deliveries/NNNNN.headers.json` and `.body`, `repository/` and `truth.json`.

        The headers are those of a hook without a secret. The folder should be new or empty.
        """
        folder = out_dir / "deliveries"
        folder.mkdir(parents=True, exist_ok=True)
        for delivery in self.deliveries:
            stem = f"{delivery.index:05}"
            headers = msgspec.json.format(msgspec.json.encode(delivery.headers()))
            (folder / f"{stem}.headers.json").write_bytes(headers + b"\n")
            (folder / f"{stem}.body").write_bytes(delivery.body)
        (out_dir / "truth.json").write_bytes(msgspec.json.encode(self.truth) + b"\n")
        self.build_repository(out_dir / "repository")


def simulate(
    seed: int,
    *,
    pulls: int = 150,
    days: int = 120,
    start: Instant = START,
    full_name: str = "acme/widget",
    repository_id: int = 1001,
    host: str = "github.com",
    careless: bool = False,
    shapes: Collection[Shape] = (),
) -> World:
    """Make a world with about that many pull requests; equal arguments give equal bytes.

    `start` must be a whole second. Syncs and cherry-picks come on top of `pulls`. A `careless`
    keeper of roadmaps strikes items through, and links requests as issues. `shapes` are habits of
    real projects that the world has beside its own; their requests come on top of `pulls`, too.
    """
    if start % 1_000_000:
        raise ValueError("a world starts at a whole second")
    if pulls < 1 or days < 1:
        raise ValueError("a world needs at least one pull request and one day")
    place = Place(host=host, full_name=full_name, repository_id=repository_id)
    end = start + days * DAY
    stage = Stage(place, seed=seed, start=start // 1_000_000, end=end // 1_000_000)
    scripts.begin_all(stage, pulls=pulls, careless=careless, shapes=shapes)
    stage.run()
    return World(
        deliveries=tuple(stage.deliveries),
        truth=_truth(stage, seed=seed, start=start, end=end),
        repository=stage.git,
    )


def _truth(stage: Stage, *, seed: int, start: Instant, end: Instant) -> Truth:
    ledger, place = stage.ledger, stage.place
    undone = undoings(stage.git, ledger)
    return Truth(
        seed=seed,
        host=place.host,
        full_name=place.full_name,
        repository_id=place.repository_id,
        default_branch=place.default_branch,
        start=start,
        end=end,
        pulls=tuple(book.truth() for book in ledger.pulls),
        issues=tuple(book.truth() for book in ledger.issues),
        refs=tuple(stage.git.moves),
        tags=tuple(ledger.tags),
        carries=tuple(ledger.carries),
        undoings=undone,
        roadmaps=tuple(ledger.roadmaps),
        verdicts=verdicts_of(stage.git, ledger, undone),
    )
