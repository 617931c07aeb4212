"""Records of one key, copied forward under another."""

import pytest

from events.errors import InvalidQuestion, NotFound
from events.log.memory import MemoryLog
from projections.repositories.queries import find as find_repository
from projections.repositories.queries import listing
from services.authoring.joining import join
from services.logs.walk import entries, find
from services.simulator import World
from tests.worlds import REPO, SetClock, log_of, project, record_of

NAME = "github.com/name:acme/widget"


def test_records_are_copied_in_order_recorded_now_and_say_where_they_are_from(
    small_world: World,
) -> None:
    clock = SetClock()
    records = [record_of(each, NAME) for each in small_world.deliveries[:50]]
    log = log_of(records, lambda index: index + 1, clock)
    clock.now = 1_000_000
    assert join(log, NAME, REPO, at=1).copied == 50
    copies = list(entries(log, REPO))
    assert [each.record.body for each in copies] == [each.body for each in records]
    assert min(each.recorded_at for each in copies) == 1_000_000
    assert copies[7].record.attributes["joinedid"] == records[7].id
    assert find(log, NAME, NAME, records[7].id).record == records[7]
    assert join(log, NAME, REPO, at=1).copied == 0


@pytest.mark.parametrize("key", ["github.com", "widget"])
def test_only_keys_of_repositories_can_be_joined(key: str) -> None:
    with pytest.raises(InvalidQuestion, match="no key of a repository"):
        join(MemoryLog(SetClock()), key, REPO, at=1)


def test_nothing_to_copy_is_told() -> None:
    with pytest.raises(NotFound, match="nothing was recorded"):
        join(MemoryLog(SetClock()), NAME, REPO, at=1)


def test_the_name_means_the_repository_that_it_was_joined_into(small_world: World) -> None:
    clock = SetClock()
    records = [record_of(each, NAME) for each in small_world.deliveries[:50]]
    log = log_of(records, lambda index: index + 1, clock)
    before = project(log)
    with before.snapshot() as snapshot:
        assert find_repository(snapshot, "acme/widget").repo == NAME
    clock.now = 1_000_000
    join(log, NAME, REPO, at=clock.now)
    clock.now += 1
    join(log, NAME, REPO, at=clock.now)
    model = project(log, engine=before.engine)
    with model.snapshot() as snapshot:
        assert find_repository(snapshot, "acme/widget").repo == REPO
        assert [each.repo for each in listing(snapshot)] == [REPO]
        assert find_repository(snapshot, NAME).repo == NAME
