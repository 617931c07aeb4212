"""Until when something was heard of a repository rises with K."""

import pytest
from sqlalchemy import select

from events.facts.base import Fact
from events.facts.repository import CensusObserved, RepositoryObserved
from events.instant import Instant
from projections.repositories.apply import Repositories
from projections.store.base import Translated
from tests.builders import REPO
from tests.worlds import memory_engine


def named(at: Instant) -> RepositoryObserved:
    return RepositoryObserved(full_name="acme/widget", at=at)


def entry(k: Instant, *facts: Fact) -> Translated:
    return Translated(
        repo=REPO,
        record_id=f"r{k}",
        source="webhook",
        partition=REPO,
        position=k,
        k=k,
        body=b"",
        facts=facts,
    )


CENSUS = CensusObserved(at=14, listed_from="api", highest_number=1, open_numbers=(), complete=False)
ENTRIES = [
    entry(10, named(5)),
    entry(11, named(3)),
    entry(12, named(8)),
    entry(13, named(7)),
    entry(14),
    entry(15, CENSUS),
    entry(16, named(99)),
]
RISES = [(10, 5), (12, 8), (15, 14), (16, 16)]


def projected(*batches: list[Translated], again: Translated | None = None) -> list[tuple[int, int]]:
    engine, projection = memory_engine(), Repositories(1)
    with engine.begin() as connection:
        projection.metadata.create_all(connection)
        for batch in batches:
            assert projection.apply(connection, batch) == []
        if again is not None:
            projection.refold(connection, again)
        table = projection.tables.heard
        return [(k, at) for k, at in connection.execute(select(table.c.k, table.c.at))]


def test_a_row_stands_where_the_moment_rises_and_never_lies_after_its_record() -> None:
    assert projected(ENTRIES) == RISES


def test_batches_and_repetition_change_nothing() -> None:
    assert projected(*([one] for one in ENTRIES)) == projected(ENTRIES, ENTRIES) == RISES


@pytest.mark.parametrize("late", ENTRIES, ids=lambda one: one.record_id)
def test_a_record_understood_later_is_folded_as_if_it_had_been_at_its_time(
    late: Translated,
) -> None:
    others = [one for one in ENTRIES if one is not late]
    assert sorted(projected(others, again=late)) == RISES
