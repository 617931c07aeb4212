"""What a body says is believed only once it is signed, and a secret speaks for its repository."""

import json

import pytest

from services.intake.webhooks import Secrets, ingest
from services.intake.webhooks.belonging import Belonging
from services.intake.webhooks.signature import sign
from tests.services.intake.webhooks.gateway import Gateway, payload

OWN = Secrets(["general"], by_repository={"acme/widget": ["widget"], "acme/gadget": ["gadget"]})


def body_of(name: str, number: int | None, event: str = "pull_request__opened") -> bytes:
    body = json.loads(payload(event))
    body["repository"] = {**body["repository"], "full_name": name, "id": number}
    if number is None:
        del body["repository"]["id"]
    return json.dumps(body).encode()


@pytest.mark.parametrize("size", [100, 25 * 1024 * 1024])
@pytest.mark.parametrize("secrets", [OWN, Secrets(["general"])])
def test_a_body_is_not_read_before_its_signature_is_right(
    monkeypatch: pytest.MonkeyPatch, size: int, secrets: Secrets
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("the body was read")

    monkeypatch.setattr(ingest, "read_routing", read)
    with Gateway(secrets=secrets) as gateway:
        body = b'{"a": "' + b"x" * size + b'"}'
        for signature in (sign("wrong", body), sign("general", body + b" "), "sha256=1"):
            reply = gateway.post(body, {"X-Hub-Signature-256": signature})
            assert (reply.status_code, reply.json()["error"]) == (403, "bad_signature")


@pytest.mark.parametrize(
    ("secret", "name", "number", "status", "error"),
    [
        ("widget", "acme/widget", 1, 202, None),
        ("gadget", "acme/gadget", 2, 202, None),
        ("widget", "acme/gadget", 2, 403, "bad_signature"),
        ("widget", "acme/widget", 2, 403, "other_repository"),
        ("widget", "Acme/Widget", 3, 403, "other_repository"),
        ("widget", "acme/other", 1, 403, "bad_signature"),
        ("widget", "acme/widget", None, 403, "bad_signature"),
        ("general", "acme/widget", 1, 403, "bad_signature"),
        ("general", "acme/other", 4, 202, None),
    ],
)
def test_a_repository_s_secret_hurts_no_other_repository(
    secret: str, name: str, number: int | None, status: int, error: str | None
) -> None:
    with Gateway(secrets=OWN) as gateway:
        gateway.post(body_of("acme/widget", 1), secret="widget", delivery="W")
        gateway.post(body_of("acme/gadget", 2), secret="gadget", delivery="G")
        before = len(gateway.records())
        reply = gateway.post(body_of(name, number), secret=secret, delivery="D")
        assert (reply.status_code, reply.json().get("error")) == (status, error)
        assert len(gateway.records()) == before + (status == 202)


def test_a_key_that_was_recorded_for_a_name_holds_from_the_start() -> None:
    with Gateway(secrets=OWN) as gateway:
        gateway.ingest._belonging = Belonging(OWN, {"acme/widget": "github.com/1"}.get)
        refused = gateway.post(body_of("acme/widget", 9), secret="widget")
        assert refused.json()["error"] == "other_repository"
        assert "write its `id`" in refused.json()["message"]
        assert gateway.post(body_of("acme/widget", 1), secret="widget").status_code == 202
