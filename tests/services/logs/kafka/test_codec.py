"""Records as Kafka messages, both ways, without a broker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import InvalidEvent
from events.record import FORM, Record
from services.logs.kafka.codec import Message, decode, encode

KEY = "github.com/1001"
DELIVERY = Record(
    id="72d3162e-cc78-11e3-81ab-4c9367dc0958",
    repository=KEY,
    source="webhook",
    type="com.github.pull_request.opened",
    body=b'{"action":"opened"}\r\n',
    time=1_782_000_000_000_001,
    content_type=FORM,
    attributes={"hookid": "7", "receivedat": "2026-07-01T00:00:00Z"},
)
HEADERS = {
    "content-type": b"application/x-www-form-urlencoded",
    "ce_specversion": b"1.0",
    "ce_id": b"72d3162e-cc78-11e3-81ab-4c9367dc0958",
    "ce_source": b"shipledger://github.com/1001",
    "ce_type": b"com.github.pull_request.opened",
    "ce_origin": b"webhook",
    "ce_time": b"2026-06-21T00:00:00.000001Z",
    "ce_hookid": b"7",
    "ce_receivedat": b"2026-07-01T00:00:00Z",
}


def again(message: Message) -> Record:
    return decode(message.key, message.value, message.headers)


def test_a_record_is_a_cloudevent_in_binary_mode() -> None:
    message = encode(DELIVERY)
    assert message.key == KEY.encode()
    assert message.value == DELIVERY.body
    assert dict(message.headers) == HEADERS
    assert message.size > len(DELIVERY.body) + len(KEY)


@given(
    st.builds(
        Record,
        id=st.text(min_size=1),
        repository=st.sampled_from([KEY, "github.com", "git.example.org/name:größe/仓库"]),
        source=st.sampled_from(["webhook", "git", "tick"]),
        type=st.text(min_size=1),
        body=st.binary(),
        time=st.none() | st.integers(-(10**15), 10**17),
        content_type=st.sampled_from(["application/json", FORM, "text/plain; charset=x"]),
        attributes=st.dictionaries(st.from_regex(r"x[a-z0-9]*", fullmatch=True), st.text()),
    )
)
def test_every_record_comes_back_as_it_was(record: Record) -> None:
    assert again(encode(record)) == record


def test_headers_of_others_are_kept_and_written_again() -> None:
    message = encode(DELIVERY)
    foreign = [("traceparent", b"00-1-2"), ("ce_subject", b"7"), ("raw", b"\xff")]
    record = decode(message.key, message.value, [*message.headers, *foreign])
    assert record.attributes["header:traceparent"] == "00-1-2"
    assert record.attributes["subject"] == "7"
    assert record.attributes["header:raw"] == "\\xff"
    assert again(encode(record)) == record


def test_an_absent_content_type_means_json() -> None:
    headers = [(name, value) for name, value in HEADERS.items() if name != "content-type"]
    assert decode(KEY.encode(), b"{}", headers).content_type == "application/json"


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"ce_id": b""}, "ce_id"),
        ({"ce_type": None}, "ce_type"),
        ({"ce_specversion": b"0.3"}, "ce_specversion"),
        ({"ce_source": b"https://github.com/o/r"}, "ce_source"),
        ({"ce_origin": b"elsewhere"}, "ce_origin"),
        ({"ce_time": b"yesterday"}, "ce_time"),
        ({"ce_time": b"2026-07-01T00:00:00"}, "ce_time"),
        ({"ce_hookid": b"\xff"}, "ce_hookid"),
        ({"content-type": b"Application/CloudEvents+json"}, "content-type"),
        (dict.fromkeys(HEADERS), "ce_specversion"),
    ],
)
def test_what_is_no_record_is_refused_with_the_place(
    changed: dict[str, bytes | None], path: str
) -> None:
    headers = [(n, v) for n, v in {**HEADERS, **changed}.items() if v is not None]
    with pytest.raises(InvalidEvent) as caught:
        decode(KEY.encode(), b"{}", headers)
    assert caught.value.path == path


@pytest.mark.parametrize("key", [None, b"", b"\xff"])
def test_a_key_that_names_no_repository_is_refused(key: bytes | None) -> None:
    with pytest.raises(InvalidEvent, match="key"):
        decode(key, b"{}", list(HEADERS.items()))


def test_an_extension_cannot_hide_a_field() -> None:
    record = Record(
        id="a", repository=KEY, source="tick", type="t", body=b"", attributes={"id": "b"}
    )
    with pytest.raises(InvalidEvent, match=r"attributes\.id"):
        encode(record)
