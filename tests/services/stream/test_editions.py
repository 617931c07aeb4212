"""Editions are kept ready, and what is kept is never an answer to another question."""

import random
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import func, select

from events.errors import NotFound
from events.log.memory import MemoryLog
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.roadmap_status.context import Convention, RoadmapContext, RoadmapView
from projections.roadmap_status.editions import cache as caches
from projections.roadmap_status.editions import kept, walk
from projections.roadmap_status.editions.cache import EditionCache
from projections.roadmap_status.items.item import Roadmap
from projections.roadmap_status.items.piecewise import Read, read_piecewise
from projections.roadmap_status.keeping import _OTHERS
from projections.roadmap_status.tables import RoadmapTables
from projections.roadmap_status.words.phrases import Phrases
from projections.roadmap_status.words.states import State
from projections.store.transaction import transaction
from services.stream import editions
from services.stream.editions import EditionKeeper
from services.stream.engines import writing_engine
from tests.builders import REPO, at
from tests.engines import NewEngine
from tests.projections.release_inclusion.bench import LAST, Arrival
from tests.projections.roadmap_status.bench import ROADMAP, edit, roadmap
from tests.worlds import SetClock, project

OTHER = 51


class Kept:
    """A read model with its keeper, and readers who remember nothing."""

    def __init__(self, new_engine: NewEngine, *arrivals: Arrival) -> None:
        self.clock = SetClock(at("01-01"))
        self.log = MemoryLog(self.clock)
        self.engine = new_engine()
        self.convention = Convention()
        self.arrive(*arrivals)
        self.keeper = EditionKeeper(
            engine=self.engine,
            read_model=self.model,
            convention=lambda _: self.convention,
            editions=EditionCache(),
        )

    def arrive(self, *arrivals: Arrival) -> None:
        """Record, and project."""
        for when, record in arrivals:
            self.clock.now = max(self.clock.now, at(when))
            self.log.append([record])
        self.model: ReadModel = project(self.log, engine=self.engine)

    def keep(self) -> None:
        """Do what the loop does in one round."""
        self.keeper._round()

    def ask(
        self,
        known_at: str = LAST,
        *,
        number: int = ROADMAP,
        as_of: str | None = None,
        cache: EditionCache | None = None,
    ) -> RoadmapView:
        """Look with an empty memory, as a new process does."""
        with self.model.snapshot() as snapshot:
            last = snapshot.watermark(REPO).last_recorded
            known = min(at(known_at), last)
            context = RoadmapContext(
                *(snapshot, REPO, min(known, at(as_of or known_at)), known),
                view=None,
                default_branch="main",
                convention=self.convention,
                cache=cache or EditionCache(),
            )
            return context.view_of(number)

    def count(self) -> int:
        """Return how many editions are kept."""
        with self.model.snapshot() as snapshot:
            table = snapshot.tables(RoadmapTables).kept
            return snapshot.connection.scalar(select(func.count()).select_from(table)) or 0

    def forget(self) -> None:
        """Drop what is kept."""
        with transaction(self.engine) as connection:
            tables = generations.tables_of(connection, RoadmapTables)
            connection.execute(tables.kept.delete())


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were read anew."""
    texts: list[str] = []

    def counted(text: str, piece: Read) -> Roadmap:
        texts.append(text)
        return read_piecewise(text, piece)

    monkeypatch.setattr(walk, "read_piecewise", counted)
    return texts


def _text(*done: int, items: int = 4) -> str:
    lines = (
        f"* **Goal {n}** — {'delivered on main' if n in done else 'in progress'} (#{n})"
        for n in range(1, items + 1)
    )
    return "# Roadmap\n\n## Part\n\n" + "\n".join(lines) + "\n"


THREE = (
    roadmap(_text(), "02-01"),
    roadmap(_text(1), "02-05"),
    roadmap(_text(1, 2, items=5), "02-10"),
)


def test_what_is_kept_answers_as_what_is_read(new_engine: NewEngine, read: list[str]) -> None:
    stood = Kept(new_engine, *THREE)
    answers = [stood.ask(when) for when in ("02-02", "02-06", LAST)]
    stood.keep()
    assert stood.count() == 3
    del read[:]
    assert [stood.ask(when) for when in ("02-02", "02-06", LAST)] == answers
    assert read == []


def test_what_is_kept_is_not_read_again_and_a_new_text_is_read_alone(
    new_engine: NewEngine, read: list[str]
) -> None:
    stood = Kept(new_engine, *THREE)
    stood.keep()
    stood.keep()
    assert len(read) == 3
    text = _text(1, 2, 3, items=5)
    stood.arrive(roadmap(text, "02-12"))
    asked = stood.ask()
    assert read[3:] == [text]
    stood.keep()
    assert read[3:] == [text, text]
    assert stood.ask() == asked
    assert stood.count() == 4
    stood.forget()
    assert stood.ask() == asked


def test_ids_that_were_used_long_ago_are_not_given_again(
    new_engine: NewEngine,
) -> None:
    """An item that left and comes back is another one, also for who reads on from what is kept."""
    left = "# Roadmap\n\n## Part\n\n* **Other things entirely** — planned\n"
    stood = Kept(new_engine, roadmap(_text(), "02-01"), roadmap(left, "02-03"))
    stood.keep()
    stood.arrive(roadmap(_text(), "02-05"))
    back = stood.ask()
    first = {item.judged.id for item in stood.ask("02-02").items}
    assert first.isdisjoint(item.judged.id for item in back.items)
    stood.forget()
    assert stood.ask() == back


def test_an_edit_that_arrives_late_makes_another_walk_and_k_still_has_its_own(
    new_engine: NewEngine, read: list[str]
) -> None:
    late = edit(_text(), _text(2), "02-03")
    stood = Kept(new_engine, THREE[0], THREE[2])
    stood.keep()
    before = stood.ask("02-10")
    stood.arrive(("02-25", late[1]))
    stood.keep()
    now = stood.ask()
    assert stood.count() == 4  # the first text is the same in both walks
    del read[:]
    assert stood.ask("02-10") == before
    assert read == []
    stood.forget()
    assert (stood.ask("02-10"), stood.ask()) == (before, now)


@pytest.mark.parametrize("seed", range(3))
def test_in_any_order_of_arrival_what_is_kept_says_what_reading_says(
    new_engine: NewEngine, seed: int
) -> None:
    chance = random.Random(seed)
    texts = [_text(*chance.sample(range(1, 7), 3), items=chance.randrange(3, 7)) for _ in range(6)]
    records = [roadmap(text, f"02-{2 * day + 1:02}") for day, text in enumerate(texts)]
    chance.shuffle(records)
    stood = Kept(new_engine)
    moments = [f"03-{day:02}" for day in range(1, 7)]
    for when, (_, record) in zip(moments, records, strict=True):
        stood.arrive((when, record))
        if chance.random() < 0.7:
            stood.keep()
    points = [(k, t) for k in moments for t in ("02-06", "02-12 12:00:00", k)]
    asked: dict[tuple[str, str], RoadmapView] = {}
    for k, t in points:
        with suppress(NotFound):  # nothing stood at that moment
            asked[k, t] = stood.ask(k, as_of=t)
    stood.forget()
    for (k, t), answer in asked.items():
        assert stood.ask(k, as_of=t) == answer, (k, t)
    assert len(asked) > 6


def test_other_words_make_other_editions(new_engine: NewEngine, read: list[str]) -> None:
    text = "# Roadmap\n\n* **Goal 1** — parked\n"
    stood = Kept(new_engine, roadmap(text, "02-01"))
    stood.keep()
    assert stood.ask().items[0].judged.match.item.claim.state is not State.DROPPED
    stood.convention = Convention(phrases=Phrases(words={"parked": State.DROPPED}))
    del read[:]
    assert stood.ask().items[0].judged.match.item.claim.state is State.DROPPED
    assert read == [text]


def test_mended_rules_make_other_editions(
    new_engine: NewEngine, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stood = Kept(new_engine, *THREE)
    stood.keep()
    del read[:]
    monkeypatch.setattr(kept, "rules_version", lambda: "mended")
    stood.ask()
    assert len(read) == 3


def test_a_link_to_what_became_a_roadmap_is_read_anew(
    new_engine: NewEngine, read: list[str]
) -> None:
    text = f"* **Goal** — see #{OTHER}\n"
    stood = Kept(new_engine, roadmap(text, "02-01"))
    stood.keep()
    stood.arrive(roadmap("* **Part**\n", "02-05", OTHER))
    del read[:]
    asked = stood.ask()
    assert text in read
    stood.keep()
    del read[:]
    assert stood.ask() == asked
    (then,), (now,) = stood.ask("02-01").items, asked.items
    assert read == []
    assert then.judged.parts[0].link.kind is not now.judged.parts[0].link.kind


def test_editions_of_other_walks_do_not_pile_up(new_engine: NewEngine) -> None:
    stood = Kept(new_engine, *THREE)
    for word in range(2 * _OTHERS):
        stood.convention = Convention(phrases=Phrases(words={f"word {word}": State.DROPPED}))
        cache = EditionCache()
        stood.ask(cache=cache)
        editions.keep_read(stood.engine, cache)
    assert stood.count() <= 2 * 3 + _OTHERS
    cache = EditionCache()
    stood.ask(cache=cache)
    assert not cache.waiting, "the walk that was kept last is there"


def test_more_editions_than_memory_holds_are_kept(
    new_engine: NewEngine, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editions, "_AT_ONCE", 5)
    monkeypatch.setattr(caches, "_MADE", 6)
    texts = [_text(items=2 + nth) for nth in range(23)]
    arrivals: Sequence[Arrival] = [
        roadmap(text, f"02-{1 + nth:02}") for nth, text in enumerate(texts)
    ]
    stood = Kept(new_engine, *arrivals)
    stood.keep()
    assert stood.count() == len(read) == 23
    del read[:]
    stood.ask()
    assert read == []


def test_the_keeper_reads_ahead_as_records_come(tmp_path: Path) -> None:
    place = tmp_path / "read_model.sqlite"
    engine = writing_engine(place)
    generations.prepare(engine)
    stood = Kept(lambda: engine)
    stood.keeper.start()
    try:
        stood.arrive(*THREE)
        deadline = time.monotonic() + 30
        while stood.count() < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert stood.count() == 3
        assert stood.keeper.fault() is None
    finally:
        assert stood.keeper.stop()
