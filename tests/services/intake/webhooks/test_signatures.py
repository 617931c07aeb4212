"""Whose deliveries are believed."""

import json

import pytest

from events.errors import ConfigurationError
from services.intake.webhooks import Secrets
from services.intake.webhooks.signature import sign
from tests.services.intake.webhooks.gateway import SECRET, Gateway, payload

BODY = payload("pull_request__opened")


@pytest.mark.parametrize(
    "signature",
    [
        sign("wrong", BODY),
        sign(SECRET, BODY + b" "),
        sign(SECRET, BODY)[:-1],
        sign(SECRET, BODY).replace("sha256", "sha1"),
        "sha256=" + "g" * 64,
        "",
    ],
)
def test_a_signature_that_does_not_fit_is_refused(signature: str) -> None:
    with Gateway() as gateway:
        reply = gateway.post(BODY, {"X-Hub-Signature-256": signature})
        assert (reply.status_code, reply.json()["error"]) == (403, "bad_signature")
        assert gateway.metric("rejections_total", reason="bad_signature") == 1
        assert gateway.records() == []


def test_a_delivery_without_a_signature_is_refused() -> None:
    with Gateway() as gateway:
        reply = gateway.post(BODY, secret=None)
        assert (reply.status_code, reply.json()["error"]) == (401, "missing_signature")
        assert gateway.records() == []


def test_a_signature_of_no_ascii_digits_is_no_signature() -> None:
    assert not Secrets([SECRET]).verify(BODY, "sha256=" + "\u0661" * 64)


def test_upper_case_digits_in_a_signature_are_the_same_signature() -> None:
    digest = sign(SECRET, BODY).removeprefix("sha256=").upper()
    assert Secrets([SECRET]).verify(BODY, f"sha256={digest}")


def test_during_a_rotation_the_old_and_the_new_secret_are_both_valid() -> None:
    with Gateway(secrets=Secrets(["new", "old"])) as gateway:
        replies = [
            gateway.post(BODY, secret=secret, delivery=f"D-{secret}")
            for secret in ("old", "new", "older")
        ]
        assert [reply.status_code for reply in replies] == [202, 202, 403]


def test_a_repository_with_its_own_secret_accepts_no_other() -> None:
    secrets = Secrets(["general"], by_repository={"Acme/Widget": ["own", "next"]})
    other = payload("pull_request__opened", repository__full_name="acme/gadget")
    with Gateway(secrets=secrets) as gateway:
        tried = [
            (BODY, "own"),
            (BODY, "next"),
            (BODY, "general"),
            (other, "general"),
            (other, "own"),
        ]
        replies = [
            gateway.post(body, secret=secret, delivery=f"D{place}")
            for place, (body, secret) in enumerate(tried)
        ]
        assert [reply.status_code for reply in replies] == [202, 202, 403, 202, 403]


def test_a_secret_bound_to_an_id_cannot_be_passed_by_with_another_name() -> None:
    """Whoever knows gadget's secret may write any name into a body, and the id of widget too."""
    secrets = Secrets(by_repository={"github.com/1001": ["widget"], "acme/gadget": ["gadget"]})
    forged = payload("pull_request__opened", repository__full_name="acme/gadget")
    with Gateway(secrets=secrets) as gateway:
        assert gateway.post(forged, secret="gadget").status_code == 403
        assert gateway.post(BODY, secret="widget").status_code == 202


def test_without_any_secret_nothing_starts_unless_that_is_said_explicitly() -> None:
    with pytest.raises(ConfigurationError, match="SHIPLEDGER_WEBHOOK_SECRET"):
        Secrets([])
    with pytest.raises(ConfigurationError, match="SHIPLEDGER_WEBHOOK_SECRET"):
        Secrets(["", ""])
    with pytest.raises(ConfigurationError, match="acme/widget"):
        Secrets(["general"], by_repository={"acme/widget": []})
    with Gateway(secrets=Secrets(allow_insecure=True)) as gateway:
        assert gateway.post(BODY, secret=None).status_code == 202


def test_to_allow_insecure_does_not_weaken_a_configured_secret() -> None:
    with Gateway(secrets=Secrets([SECRET], allow_insecure=True)) as gateway:
        assert gateway.post(BODY, secret=None).status_code == 401


def test_secrets_do_not_show_in_their_text() -> None:
    assert SECRET not in repr(Secrets([SECRET], by_repository={"acme/widget": [SECRET]}))


def test_a_signed_body_that_cannot_be_read_is_malformed_and_not_stored() -> None:
    bodies = [b"", b"{", b"[]", b'{"a":"\xff"}', b"[" * 10_000 + b"]" * 10_000]
    with Gateway(secrets=Secrets([SECRET], by_repository={"acme/other": ["x"]})) as gateway:
        for body in bodies:
            reply = gateway.post(body)
            assert (reply.status_code, reply.json()["error"]) == (400, "malformed_body")
            assert reply.json()["delivery"] == "D1"
        assert gateway.records() == []


@pytest.mark.parametrize("missing", ["X-GitHub-Event", "X-GitHub-Delivery"])
def test_a_missing_header_is_named(missing: str) -> None:
    with Gateway() as gateway:
        reply = gateway.post(BODY, {missing: None})
        assert (reply.status_code, reply.json()["error"]) == (400, "missing_header")
        assert missing in reply.json()["message"]


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("X-GitHub-Event", "Pull Request"),
        ("X-GitHub-Event", "push.closed"),
        ("X-GitHub-Event", "e" * 65),
        ("X-GitHub-Delivery", "../../etc"),
        ("X-GitHub-Delivery", "d" * 129),
    ],
)
def test_a_header_that_github_would_not_send_is_refused(header: str, value: str) -> None:
    with Gateway() as gateway:
        assert gateway.post(BODY, {header: value}).status_code == 400
        assert gateway.records() == []


def test_an_odd_optional_header_is_left_out_and_the_delivery_kept() -> None:
    odd = {"X-GitHub-Hook-ID": "x y", "X-GitHub-Hook-Installation-Target-Type": "A B"}
    with Gateway() as gateway:
        assert gateway.post(BODY, odd).status_code == 202
        assert set(gateway.records()[0].attributes) == {"event", "receivedat", "targetid"}


def test_every_refusal_has_one_shape() -> None:
    with Gateway() as gateway:
        content = json.loads(gateway.post(BODY, secret="wrong").content)
        assert set(content) == {"error", "message", "delivery"}
