"""What of the log asks for a fetch, and that other repositories of a partition do not."""

import msgspec

from events.log.memory import MemoryLog
from events.log.port import Appended, Cursor
from events.record import Entry, Record
from services.intake.mirror.follower import Follower
from tests.builders import REPO, pull_request, repository, webhook
from tests.services.intake.mirror.mirroring import push_record, release_record

SHA = "a" * 40
OTHER = "github.com/1002"


class _OnePartition(MemoryLog):
    """Keeps all repositories in one partition, as Kafka may."""

    def append(self, records: object) -> list[Appended]:
        assert isinstance(records, list)
        self._all: list[Record] = [*getattr(self, "_all", []), *records]
        return []

    def ends(self) -> dict[str, int]:
        return {"0": len(self._all)}

    def read(self, partition: str, cursor: Cursor, **_: object) -> list[Entry]:
        return [
            Entry(record=record, partition=partition, position=nth, recorded_at=nth + 1)
            for nth, record in enumerate(self._all)
        ][cursor.position : cursor.position + 2]


def test_pushes_created_and_deleted_refs_and_releases_ask() -> None:
    log = MemoryLog(lambda: 0)
    follower = Follower(log, REPO, REPO)
    named = {"ref": "v1", "ref_type": "tag", "repository": repository()}
    asking = [
        push_record("refs/heads/main", SHA, 0),
        webhook("c", "create", named),
        webhook("d", "delete", named),
        release_record("v1", "2026-07-01T00:00:00Z", made="2026-07-01T00:00:00Z"),
        webhook("broken", "push", b"{}"),
    ]
    assert not follower.catch_up()
    for record in asking:
        log.append([record])
        assert follower.catch_up()
    log.append([pull_request("p", 7, "opened", "03-01")])
    assert not follower.catch_up()
    assert follower.position == 6
    assert follower.asks_since(4)
    assert not follower.asks_since(5)


def test_only_its_own_repository_asks_in_a_partition_of_many() -> None:
    log = _OnePartition(lambda: 0)
    theirs = msgspec.structs.replace(push_record("refs/heads/main", SHA, 0), repository=OTHER)
    log.append([theirs] * 3)
    follower = Follower(log, REPO, "0")
    assert not follower.catch_up()
    assert follower.position == 3
    log.append([theirs, push_record("refs/heads/main", SHA, 0), theirs])
    assert follower.catch_up()
    assert follower.position == 6
    assert follower.known.dates.pushed("refs/heads/main", SHA, after=None) == 0
