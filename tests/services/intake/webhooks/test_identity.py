"""Names change, ids do not: the routing part of W13, and repositories that nobody asked for."""

from typing import Any

from services.intake.webhooks import Policy
from tests.services.intake.webhooks.gateway import Gateway, payload

GADGET = "https://github.com/newco/gadget"


def merged(delivery: str, gateway: Gateway, **repository: Any) -> None:
    changes = {f"repository__{name}": value for name, value in repository.items()}
    gateway.post(payload("pull_request__closed_merged", **changes), delivery=delivery)


def test_records_follow_the_id_and_the_host_and_never_the_name() -> None:
    """W13. Rename and transfer, a new repository under the old name, and another host."""
    with Gateway() as gateway:
        gateway.post(payload("pull_request__opened"), delivery="D1")
        gateway.post(payload("repository__transferred"), event="repository", delivery="D2")
        gateway.post(payload("repository__renamed"), event="repository", delivery="D3")
        merged("D4", gateway, full_name="newco/gadget", html_url=GADGET)
        merged("D5", gateway, id=2002)
        merged("D6", gateway, html_url="https://git.example.test/acme/widget")
        ids = {
            partition: [record.id for record in gateway.records(partition)]
            for partition in gateway.log.ends()
        }
    assert ids == {
        "github.com/1001": ["D1", "D2", "D3", "D4"],
        "github.com/2002": ["D5"],
        "git.example.test/1001": ["D6"],
    }


def test_a_delivery_of_an_untracked_repository_is_stored_with_a_warning() -> None:
    """W13. After a rename the name in the configuration matches nothing: that has to show."""
    with Gateway(policy=Policy(tracked=frozenset({"Acme/Widget"}))) as gateway:
        merged("D1", gateway)
        assert gateway.metric("untracked_deliveries_total", repository="github.com/1001") == 0
        merged("D2", gateway, full_name="newco/gadget", html_url=GADGET)
        assert gateway.metric("untracked_deliveries_total", repository="github.com/1001") == 1
        assert len(gateway.records("github.com/1001")) == 2


def test_a_repository_tracked_by_its_key_stays_tracked_when_it_is_renamed() -> None:
    with Gateway(policy=Policy(tracked=frozenset({"github.com/1001"}))) as gateway:
        merged("D1", gateway, full_name="newco/gadget", html_url=GADGET)
        assert gateway.metric("untracked_deliveries_total", repository="github.com/1001") == 0


def test_the_body_says_which_host_and_a_header_only_where_it_does_not() -> None:
    header = {"X-GitHub-Enterprise-Host": "git.example.test"}
    with Gateway() as gateway:
        gateway.post(payload("pull_request__opened"), header, delivery="D1")
        gateway.post(payload("pull_request__opened", repository={"id": 7}), header, delivery="D2")
        gateway.post(payload("ping__app"), header, event="ping", delivery="D3")
        gateway.post(payload("ping__app"), {"X-GitHub-Enterprise-Host": "a/b"}, event="ping")
        assert set(gateway.log.ends()) == {
            "github.com/1001",
            "git.example.test/7",
            "git.example.test",
            "github.com",
        }
