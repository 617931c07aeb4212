"""Heads without end, and bytes that are no HTTP or can be read as two kinds of it."""

import pytest

from tests.services.runtime.test_connections import (
    answer_of,
    assert_serves,
    connect,
    head,
    rest_of,
    serving,
)


@pytest.mark.parametrize("pieces", [1, 2_000])
def test_a_head_has_its_bound_in_one_line_or_many_and_at_once_or_slowly(pieces: int) -> None:
    lines = [b"X-%d: %b\r\n" % (nth, b"y" * (200_000 // pieces)) for nth in range(pieces)]
    with serving() as port, connect(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n")
        for line in lines:
            connection.sendall(line)
        assert answer_of(connection).startswith(b"HTTP/1.1 400 ")
        assert_serves(port)


def test_what_follows_a_request_and_is_no_http_is_refused_after_the_answer_to_it() -> None:
    with serving(linger_seconds=0.3) as port, connect(port) as connection:
        nonsense = b"\x00 nonsense\r\n\r\n"
        connection.sendall(2 * head(method="POST", Content_Length="0") + nonsense)
        _, *answers = rest_of(connection).split(b"HTTP/1.1 ")
        assert [answer[:3] for answer in answers] == [b"200", b"200", b"400"]


def test_a_body_that_breaks_the_framing_ends_its_request() -> None:
    with serving(linger_seconds=0.3) as port, connect(port) as connection:
        connection.sendall(head(method="POST", Transfer_Encoding="chunked") + b"3\r\nabcXX")
        assert rest_of(connection).startswith(b"HTTP/1.1 400 ")
        assert_serves(port)


@pytest.mark.parametrize(
    "framing", [{"Content_Length": "3, 4"}, {"Content_Length": "3", "Transfer_Encoding": "chunked"}]
)
def test_a_request_that_can_be_read_in_two_ways_is_refused(framing: dict[str, str]) -> None:
    with serving(linger_seconds=0.3) as port, connect(port) as connection:
        connection.sendall(head(method="POST", **framing) + b"3\r\nabc\r\n0\r\n\r\n")
        assert rest_of(connection).startswith(b"HTTP/1.1 400 ")
