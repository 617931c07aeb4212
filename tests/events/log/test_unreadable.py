"""Messages of others in the log: poison or ignored, never a crash."""

import pytest

from events.errors import InvalidEvent
from events.log.irregular import tombstone_record, unreadable_record
from events.translate import translate

PLACE = "shipledger.records/3/41"


def test_an_unreadable_message_is_poison_with_its_reason() -> None:
    record = unreadable_record("github.com/7", b"\xff", "ce_id: is missing", PLACE)
    with pytest.raises(InvalidEvent, match="ce_id: is missing"):
        translate(record)


def test_a_tombstone_is_ignored_with_a_reason() -> None:
    translation = translate(tombstone_record("github.com/7", PLACE))
    assert translation.facts == ()
    assert translation.ignored == "a message without a value"


def test_the_same_place_gives_the_same_id() -> None:
    first = unreadable_record("unknown", b"a", "reason", PLACE)
    assert first.id == unreadable_record("unknown", b"a", "reason", PLACE).id
    assert first.id != unreadable_record("unknown", b"a", "reason", PLACE + "0").id
    assert first.id != tombstone_record("unknown", PLACE).id
