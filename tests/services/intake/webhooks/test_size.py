"""Large bodies: W10, and what is left of those that are too large."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from events.facts.repository import GapObserved
from events.record import FORM
from services.intake.webhooks import Limits
from services.intake.webhooks.limits import MIB
from tests.services.intake.webhooks.gateway import Gateway, payload, request

SMALL = Limits(json_bytes=1000, form_bytes=3000, gap_seconds=60)


def padded(size: int) -> bytes:
    """A merge with a long body, of exactly `size` bytes."""
    bare = payload("pull_request__closed_merged", pull_request__body="")
    return payload("pull_request__closed_merged", pull_request__body="x" * (size - len(bare)))


@pytest.mark.parametrize("size", [int(0.9 * MIB), int(1.1 * MIB), 3 * MIB, 24 * MIB])
def test_a_large_delivery_is_durable_when_it_is_answered_2xx(size: int) -> None:
    """W10, the part before Kafka; `tests/services/forward` goes on with the broker."""
    body = padded(size)
    with Gateway() as gateway:
        assert gateway.post(body).status_code == 202
        assert gateway.records()[0].body == body
        assert gateway.metric("delivery_bytes_total") == size


def test_an_unsigned_body_above_the_limit_is_cut_off_before_it_is_read() -> None:
    """W10. By its announced length nothing of it is read at all."""

    async def unread() -> AsyncIterator[bytes]:
        yield b"x"

    with Gateway() as gateway:
        reply = gateway.post(unread(), {"Content-Length": str(30 * MIB)}, secret=None)
        assert (reply.status_code, reply.json()["error"]) == (413, "body_too_large")
        assert gateway.metric("rejections_total", reason="body_too_large") == 1


@pytest.mark.parametrize("announced", [None, "10", "nonsense"])
def test_a_body_without_an_honest_length_is_cut_off_while_it_is_read(
    announced: str | None,
) -> None:
    chunks = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal chunks
        while chunks < 1000:
            chunks += 1
            yield b"x" * 100

    headers = {} if announced is None else {"Content-Length": announced}
    with Gateway(limits=SMALL) as gateway:
        assert gateway.post(endless(), headers).status_code == 413


def test_a_form_may_be_longer_because_it_writes_json_with_percent_signs() -> None:
    with Gateway(limits=SMALL) as gateway:
        form = b"payload=%7B%7D&padding=" + b"x" * 2000
        assert gateway.post(form, content_type=FORM).status_code == 202
        assert gateway.post(form + b"x" * 1000, content_type=FORM).status_code == 413


def test_bodies_above_the_limit_leave_one_harmless_gap_a_minute() -> None:
    with Gateway(limits=SMALL) as gateway:
        for _ in range(10):
            gateway.post(b"x" * 1001, secret=None)
        assert gaps(gateway)[1:] == []
        gateway.clock.advance(60)
        gateway.post(b"x" * 1001, secret=None)
        gateway.post(b"x" * 1001, secret=None)
    first, second, rest = gaps(gateway)
    assert all(gap.harmless and gap.start < gap.end for gap in (first, second, rest))
    assert first.reason.startswith("1 body was larger")
    assert second.reason.startswith("10 bodies were larger")
    assert rest.reason.startswith("1 body was larger")


def test_a_gap_goes_to_a_host_only_after_a_signed_delivery_named_it() -> None:
    claimed = {"X-GitHub-Enterprise-Host": "git.example.test"}
    known = payload("ping__repository", repository__html_url="https://git.example.test/acme/widget")
    with Gateway(limits=Limits(json_bytes=5000, gap_seconds=0)) as gateway:
        gateway.post(b"x" * 5001, claimed, secret=None)
        gateway.post(known, event="ping")
        gateway.post(b"x" * 5001, claimed, secret=None)
    assert len(gaps(gateway, "github.com")) == 1
    assert len(gaps(gateway, "git.example.test")) == 1


def test_bodies_in_work_together_have_a_bound_too() -> None:
    with Gateway(limits=Limits(held_bytes=1000)) as gateway:
        reply = gateway.post()
        assert (reply.status_code, reply.json()["error"]) == (503, "busy")
        assert "Retry-After" in reply.headers
        assert gateway.post(b"{}", event="ping").status_code == 202


def test_who_stops_in_a_large_body_takes_no_room_from_others() -> None:
    """Ten bodies are there but for their last byte; a genuine delivery is stored all the same."""

    async def stalling() -> AsyncIterator[bytes]:
        yield b"x" * 10_000
        await asyncio.sleep(5)
        yield b"x"

    async def genuine() -> AsyncIterator[bytes]:
        await asyncio.sleep(0.5)
        yield payload("pull_request__opened")

    limits = Limits(held_bytes=105_000, stalled_seconds=0.3, answer_seconds=3)
    with Gateway(limits=limits) as gateway:
        (_, signed) = request(payload("pull_request__opened"), delivery="G")
        hostile = [request(stalling(), delivery=f"H{nth}") for nth in range(10)]
        *held, stored = asyncio.run(gateway.send([*hostile, (genuine(), signed)]))
        assert stored.status_code == 202
        assert {answer.status_code for answer in held} == {408}
        assert [record.id for record in gateway.records()] == ["G"]
        assert gateway.post(delivery="D").status_code == 202, "all that was held is let go"


def gaps(gateway: Gateway, partition: str = "github.com") -> list[GapObserved]:
    return [fact for fact in gateway.facts(partition) if isinstance(fact, GapObserved)]
