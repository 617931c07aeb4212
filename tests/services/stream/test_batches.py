"""What is cut, dropped, refused and counted on the way from Faust to the database. No broker."""

import ssl

import pytest

from events.errors import BrokenLog, ConfigurationError, InvalidQuestion
from events.log.port import BATCH_BYTES, BATCH_RECORDS
from projections.engine.catalog import PROJECTIONS
from services.logs.kafka.entries import Stored
from services.stream.app import credentials
from services.stream.consumer import HeldPartition
from services.stream.feed import batches
from services.stream.fold import following
from services.stream.worker import chosen


def message(position: int, size: int = 10) -> Stored:
    return Stored(position, 0, b"key", bytes(size), [])


def places(messages: list[Stored]) -> list[int]:
    return [each.position for each in messages]


@pytest.mark.parametrize(
    ("came", "kept"),
    [
        ([], []),
        ([5, 6, 7], [5, 6, 7]),
        ([3, 4, 5, 6], [5, 6]),
        ([3, 4], []),
        ([5, 3, 4, 5, 6, 7], [5, 6, 7]),
        ([5, 6, 5, 6, 7], [5, 6, 7]),
    ],
)
def test_what_comes_again_is_dropped_by_its_position(came: list[int], kept: list[int]) -> None:
    assert places(following(map(message, came), 5, "records 0")) == kept


@pytest.mark.parametrize("came", [[6], [5, 7], [3, 4, 6]])
def test_a_hole_is_an_error_and_never_a_skip(came: list[int]) -> None:
    with pytest.raises(BrokenLog, match="the next record is"):
        following(map(message, came), 5, "records 0")


def test_a_batch_holds_records_of_one_partition_in_order() -> None:
    came = [(1, message(7)), (0, message(3)), (1, message(8)), (0, message(4))]
    assert [(n, places(each)) for n, each in batches(came)] == [(1, [7, 8]), (0, [3, 4])]


def test_a_batch_is_bounded_in_records_and_in_bytes() -> None:
    many = [(0, message(n)) for n in range(BATCH_RECORDS + 1)]
    assert [len(each) for _, each in batches(many)] == [BATCH_RECORDS, 1]
    third = BATCH_BYTES // 3
    sizes = [third, third, third, third, BATCH_BYTES + 1, 10]
    large = [(0, message(n, size)) for n, size in enumerate(sizes)]
    assert [places(each) for _, each in batches(large)] == [[0, 1, 2], [3], [4], [5]]


def test_bytes_wait_in_memory_until_they_are_applied_and_not_beyond_a_bound() -> None:
    held = HeldPartition(limit=100)
    for position in range(10):
        assert not held.full({0: 0})
        held.add(0, position, 10)
    assert held.full({0: 0})
    assert not held.full({0: 1}), "one has been applied"
    held.add(0, 10, 10)
    held.add(0, 10, 10)
    assert held.full({0: 1}), "what comes again is counted once"
    assert not held.full({1: 0}), "what went to another worker is not waited for"


def test_a_worker_says_which_projections_there_are() -> None:
    active = [make(1) for _, make in PROJECTIONS]
    assert chosen(active, ()) == active
    assert [each.name for each in chosen(active, ("repositories",))] == ["repositories"]
    with pytest.raises(InvalidQuestion, match="there is no projection 'roadmaps'; there are: pull"):
        chosen(active, ("roadmaps",))


def test_credentials_are_those_of_the_other_clients() -> None:
    assert credentials({}) is None
    plain = credentials(
        {
            "security_protocol": "SASL_SSL",
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_plain_username": "worker",
            "sasl_plain_password": "a secret",
        }
    )
    assert (plain.protocol.value, plain.mechanism.value) == ("SASL_SSL", "SCRAM-SHA-512")
    assert (plain.username, plain.password) == ("worker", "a secret")
    assert "a secret" not in repr(plain)
    assert isinstance(credentials({"security_protocol": "SSL"}).context, ssl.SSLContext)
    with pytest.raises(ConfigurationError, match="OAUTHBEARER is not supported"):
        credentials({"security_protocol": "SASL_SSL", "sasl_mechanism": "OAUTHBEARER"})
