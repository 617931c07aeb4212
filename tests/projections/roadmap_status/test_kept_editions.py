"""An edition that was packed is the one that was read."""

from pathlib import Path

from events.instant import Instant
from projections.roadmap_status.context import Convention, RoadmapContext
from projections.roadmap_status.editions import kept
from projections.roadmap_status.editions.cache import EditionCache
from projections.store.snapshot import Snapshot
from services.simulator import simulate
from tests.builders import REPO, at
from tests.projections.roadmap_status.bench import roadmap
from tests.worlds import log_of, project, world_log


def test_what_is_packed_is_what_was_read() -> None:
    """Texts from the field and of a simulated world, with all that items can hold."""
    q3 = Path(__file__).parent / "q3.md"
    stood = project(log_of([roadmap(q3.read_text(), "02-01")[1]], lambda _: at("02-02")))
    world = simulate(8, pulls=60, days=90)
    told = project(world_log(world))
    for model, end in ((stood, at("03-01")), (told, world.truth.end)):
        cache = EditionCache()
        with model.snapshot() as snapshot:
            _walk_all(snapshot, end, cache)
        made = cache.take_made()
        assert made
        for edition in made:
            unpacked = kept.unpack(edition.data)
            assert kept.unpack(kept.pack(unpacked)) == unpacked
            remembered = cache.editions.known(edition.name)
            assert remembered is None or remembered == unpacked
            assert remembered is None or repr(remembered.matches) == repr(unpacked.matches)


def _walk_all(snapshot: Snapshot, end: Instant, cache: EditionCache) -> None:
    context = RoadmapContext(
        snapshot,
        REPO,
        end,
        end,
        view=None,
        default_branch="main",
        convention=Convention(),
        cache=cache,
    )
    for known in context.roadmaps:
        walked = context.walk(known.number)
        for place in range(len(walked)):
            walked.edition(place)
