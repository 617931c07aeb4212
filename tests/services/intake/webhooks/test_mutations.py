"""Whatever a signed body holds, the answer is never a 5xx."""

from hypothesis import given
from hypothesis import strategies as st

from tests.events.sources.github_webhook.mutations import damaged
from tests.laws import tried
from tests.services.intake.webhooks.gateway import Gateway


@tried(100)
@given(damaged())
def test_damaged_payloads_are_accepted_or_refused_and_never_a_fault(
    delivery: tuple[str, bytes],
) -> None:
    event, body = delivery
    with Gateway() as gateway:
        reply = gateway.post(body, event=event)
        assert reply.status_code == 202
        assert len(gateway.records()) == (0 if event == "check_run" else 1)


@tried(100)
@given(body=st.binary(max_size=300), is_form=st.booleans())
def test_any_signed_bytes_are_accepted_or_refused_and_never_a_fault(
    body: bytes, is_form: bool
) -> None:
    kind = "application/x-www-form-urlencoded" if is_form else "application/json"
    with Gateway() as gateway:
        assert gateway.post(body, content_type=kind).status_code in (202, 400)
