"""The signature is over bytes, and the bytes are kept: W07 and W09."""

from collections.abc import AsyncIterator
from urllib.parse import quote_plus

import pytest

from events.facts.pull_request import PullRequestObserved
from events.record import FORM
from services.intake.webhooks import Secrets
from services.intake.webhooks.signature import sign
from tests.services.intake.webhooks.gateway import SECRET, Gateway, payload


def titles(gateway: Gateway) -> list[str | None]:
    return [fact.title for fact in gateway.facts() if isinstance(fact, PullRequestObserved)]


def test_githubs_own_test_vector_is_accepted() -> None:
    """The example of "Validating webhook deliveries" in GitHub's documentation."""
    secret, body = "It's a Secret to Everybody", b"Hello, World!"
    expected = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert sign(secret, body) == expected
    assert Secrets([secret]).verify(body, expected)
    assert not Secrets([secret]).verify(b"Hello, World?", expected)


@pytest.mark.parametrize("character", ["\u00e7", "\u2026", "\U0001f6a2"])
@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=iso-8859-1"]
)
def test_the_signature_is_checked_over_raw_bytes_and_the_title_is_kept(
    character: str, content_type: str
) -> None:
    """W07. The body is split in the middle of the character."""
    body = payload("pull_request__opened", pull_request__title=f"Fa{character}ade")
    middle = body.index(character.encode()) + 1

    async def split() -> AsyncIterator[bytes]:
        yield body[:middle]
        yield body[middle:]

    with Gateway() as gateway:
        reply = gateway.post(
            split(), {"X-Hub-Signature-256": sign(SECRET, body)}, content_type=content_type
        )
        assert reply.status_code == 202
        assert gateway.records()[0].body == body
        assert titles(gateway) == [f"Fa{character}ade"]


def test_a_form_gives_the_same_facts_as_json() -> None:
    """W09. The signature is over the form's bytes, and nothing of the title is lost."""
    text = payload("pull_request__opened", pull_request__title="C++ & 100% fix")
    with Gateway() as gateway:
        form = gateway.post(
            f"payload={quote_plus(text)}".encode(), delivery="D1", content_type=FORM
        )
        json = gateway.post(text, delivery="D2")
        assert (form.status_code, json.status_code) == (202, 202)
        assert titles(gateway) == ["C++ & 100% fix", "C++ & 100% fix"]
        facts = gateway.facts()
        assert facts[:2] == facts[2:]


@pytest.mark.parametrize("content_type", ["text/plain", "", "multipart/form-data", "text/json"])
def test_another_content_type_is_refused_and_never_swallowed(content_type: str) -> None:
    """W09. With a valid signature, too."""
    with Gateway() as gateway:
        reply = gateway.post(content_type=content_type)
        assert reply.status_code == 415
        assert reply.json()["error"] == "unsupported_content_type"
        assert gateway.metric("rejections_total", reason="unsupported_content_type") == 1
        assert gateway.records() == []
