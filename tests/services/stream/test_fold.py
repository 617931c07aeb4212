"""One batch into the read model, on both engines."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, select

from events.errors import BrokenLog, TransientError
from events.log.memory import MemoryLog
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.rebuild import rebuild
from projections.store.base import Projection
from projections.store.schema import dead_letters
from services.logs.kafka.entries import Stored
from services.simulator import simulate
from services.stream import fold as fold_module
from services.stream.fold import GenerationRetired, fold, stand
from tests.builders import pull_request, webhook
from tests.engines import NewEngine
from tests.services.stream.messages import WHERE, stored
from tests.worlds import record_of, rows

MESSAGES = stored(map(record_of, simulate(3, pulls=8, days=30).deliveries))


def pull_requests(engine: Engine) -> Projection:
    with engine.connect() as connection:
        return generations.active(connection)[0]


def all_folded(
    engine: Engine, cuts: Sequence[Sequence[Stored]]
) -> dict[str, set[tuple[object, ...]]]:
    with engine.connect() as connection:
        active = generations.active(connection)
    for projection in active:
        for batch in cuts:
            fold(engine, projection, WHERE, batch)
    return rows(ReadModel(engine))


def test_known_history_does_not_depend_on_how_the_broker_delivers(new_engine: NewEngine) -> None:
    """One stamp for a whole producer batch, cut and repeated in any way (MODEL.md 1 and 8)."""
    whole = all_folded(new_engine(), [MESSAGES])
    source = random.Random(7)
    cuts, at = [], 0
    while at < len(MESSAGES):
        again = max(0, at - source.randrange(5))
        end = at + source.randint(1, 40)
        cuts.append(MESSAGES[again:end])
        at = end
    assert all_folded(new_engine(), cuts) == whole
    repeated = [[*MESSAGES[:9], *MESSAGES[:9], *MESSAGES]]
    assert all_folded(new_engine(), repeated) == whole


def test_a_batch_says_what_became_of_it(new_engine: NewEngine) -> None:
    engine = new_engine()
    projection = pull_requests(engine)
    assert stand(engine, projection, [WHERE.number])[WHERE.number].position == 0
    assert fold(engine, projection, WHERE, MESSAGES[:5]) == (5, 0, 0, 5, 0)
    assert fold(engine, projection, WHERE, MESSAGES[3:8]) == (3, 2, 0, 8, 0)
    assert fold(engine, projection, WHERE, MESSAGES[:8]) == (0, 8, 0, 8, 0)
    assert stand(engine, projection, [WHERE.number, 0])[WHERE.number].position == 8


def test_a_hole_leaves_everything_as_it_was(new_engine: NewEngine) -> None:
    engine = new_engine()
    projection = pull_requests(engine)
    fold(engine, projection, WHERE, MESSAGES[:5])
    before = rows(ReadModel(engine))
    with pytest.raises(BrokenLog, match="the next record is 5, and 6 came"):
        fold(engine, projection, WHERE, MESSAGES[6:9])
    assert rows(ReadModel(engine)) == before
    assert stand(engine, projection, [WHERE.number])[WHERE.number].position == 5


def test_poison_and_what_is_not_ours_do_not_stop_the_partition(new_engine: NewEngine) -> None:
    engine = new_engine()
    projection = pull_requests(engine)
    first, bad, last = stored(
        [
            pull_request("D1", 7, "opened", "03-01"),
            webhook("D2", "pull_request", b"\xff\xfe not text"),
            pull_request("D3", 8, "opened", "03-02"),
        ]
    )
    foreign = Stored(2, first.appended_ms, first.key, b"hello", [])
    tombstone = Stored(3, first.appended_ms, first.key, None, [])
    batch = [first, bad, foreign, tombstone, last._replace(position=4)]
    assert fold(engine, projection, WHERE, batch) == (5, 0, 2, 5, 0)
    with engine.connect() as connection:
        letters = connection.execute(select(dead_letters.c.position, dead_letters.c.stage))
        assert sorted(tuple(row) for row in letters) == [(1, "translate"), (2, "translate")]


def test_a_generation_that_was_replaced_is_fed_no_more(new_engine: NewEngine) -> None:
    engine = new_engine()
    old = pull_requests(engine)
    rebuild(engine, MemoryLog(lambda: 0), old.name, lambda: 0)
    with pytest.raises(GenerationRetired, match=f"generation {old.generation} of pull_requests"):
        fold(engine, old, WHERE, MESSAGES[:5])
    new = pull_requests(engine)
    assert fold(engine, new, WHERE, MESSAGES[:5]).applied == 5


def test_a_failure_after_the_rows_undoes_them_with_the_checkpoint(
    new_engine: NewEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = new_engine()
    projection = pull_requests(engine)
    before = rows(ReadModel(engine))

    @contextmanager
    def cut_off(given: Engine) -> Iterator[object]:
        with given.begin() as connection:
            yield connection
            raise TransientError("the connection was lost before the commit")

    with monkeypatch.context() as patch:
        patch.setattr(fold_module, "transaction", cut_off)
        with pytest.raises(TransientError):
            fold(engine, projection, WHERE, MESSAGES)
    assert rows(ReadModel(engine)) == before
    assert fold(engine, projection, WHERE, MESSAGES).applied == len(MESSAGES)
