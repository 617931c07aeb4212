"""The public example payloads of octokit, posted as deliveries; `make fixtures` fetches them."""

import asyncio
import json
from collections import Counter
from typing import Any, Final

import pytest

from events.errors import InvalidEvent
from events.record import Record
from events.translate import translate
from services.intake.webhooks import Policy
from tests.places import ROOT
from tests.services.intake.webhooks.gateway import Gateway, request

PACKAGE: Final = ROOT / ".cache/fixtures/node_modules/@octokit/webhooks-examples"

pytestmark = pytest.mark.skipif(
    not PACKAGE.is_dir(),
    reason="the public example payloads are not fetched (tests/fixtures/fetch.sh, needs npm)",
)


def examples() -> list[tuple[str, Any]]:
    """Return all (event, payload), of github.com and of every enterprise version."""
    return [
        (event["name"], example)
        for path in sorted(PACKAGE.glob("*/index.json"))
        for event in json.loads(path.read_text(encoding="utf-8"))
        for example in event["examples"]
    ]


def test_every_public_example_is_stored_and_accounted_for() -> None:
    sent = examples()
    requests = [
        request(json.dumps(example).encode(), event=event, delivery=f"D{place}")
        for place, (event, example) in enumerate(sent)
    ]
    with Gateway(policy=Policy(store_unused=True)) as gateway:
        replies = asyncio.run(gateway.send(requests))
        assert {reply.status_code for reply in replies} == {202}
        records = gateway.records()
    assert len(records) == len(sent) > 700
    fates = Counter(fate(record) for record in records)
    assert fates.total() == len(sent)
    assert fates["fact"] > 250
    assert fates["dead letter"] == 0, "every published shape is understood"


def fate(record: Record) -> str:
    """Return what becomes of a record."""
    try:
        outcome = translate(record)
    except InvalidEvent:
        return "dead letter"
    assert bool(outcome.facts) != bool(outcome.ignored)
    return "fact" if outcome.facts else "ignored"
