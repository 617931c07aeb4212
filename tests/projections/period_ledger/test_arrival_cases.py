"""Cases about arrival, names, texts and the two clocks (CASES.md, W and S), down to the report."""

from itertools import permutations

import pytest

from tests.builders import at, merge, pull_request, repository, webhook, with_body, with_parts
from tests.lab import Lab, created

# W05, W06, W13


def test_w05_arrival_decides_nothing() -> None:
    tied = "05-02 09:05:10"
    opened = "05-02 09:00:00"
    label = pull_request("b", 12, "labeled", tied, created_at=opened, labels=[{"name": "bug"}])
    records = [
        merge("a", 12, tied, created_at=opened),
        with_parts(label, label={"name": "bug"}),
        pull_request("c", 12, "opened", opened),
    ]
    for order in permutations(records):
        lab = Lab([created(), *((f"05-03 00:00:0{i}", each) for i, each in enumerate(order))])
        assert lab.counts("2026-05-01", "2026-06-01") == {"opened": 1, "merged": 1}
        life = lab.life(12)
        assert (life.state, life.attributes.labels) == ("merged", ("bug",))
        assert life.states[0].vf == at("05-02 09:00:00")


def test_w06_a_merge_learned_late_counts_in_its_own_month() -> None:
    opened = {"created_at": "05-20"}
    when = "05-31 23:50:00"
    lab = Lab(
        [
            created(),
            ("05-20", pull_request("a", 14, "opened", "05-20")),
            ("06-02", merge("b", 14, when, **opened)),
            ("06-03", pull_request("c", 14, "synchronize", "05-30", **opened)),
        ]
    )
    assert lab.counts("2026-05-01", "2026-06-01") == {
        "opened": 1,
        "merged": 1,
    }
    before = lab.counts("2026-05-01", "2026-06-01", known_at="06-01")
    assert before == {
        "opened": 1,
        "open_at_end": 1,
        "opened_and_still_open": 1,
        "active_and_open": 1,
    }


def test_w13_ids_keep_requests_apart_and_together_where_names_change() -> None:
    renamed = repository(full_name="newco/gadget", name="gadget")
    moved = merge("b", 16, "05-10", created_at="05-01")
    other_host = "git.example.test/1001"
    lab = Lab(
        [
            ("05-01", pull_request("a", 16, "opened", "05-01")),
            ("05-09", webhook("r", "repository", {"action": "renamed", "repository": renamed})),
            ("05-10", with_parts(moved, repository=renamed)),
            ("05-12", pull_request("x", 16, "opened", "05-12", repo="github.com/2002")),
            ("05-13", pull_request("y", 16, "opened", "05-13", repo=other_host)),
        ]
    )
    report = lab.report("2026-05-01", "2026-06-01", name="newco/gadget")
    assert report.repo == "github.com/1001"
    assert [entry.number for entry in report.entries["merged"]] == [16]
    assert lab.counts("2026-05-01", "2026-06-01", name="github.com/2002")["opened"] == 1
    assert lab.counts("2026-05-01", "2026-06-01", name=other_host)["opened"] == 1


# S05, S13


@pytest.mark.parametrize(
    ("escaped", "stored"),
    [(r"a\u0000b", "a\ufffdb"), (r"a\\u0000b", r"a\u0000b"), (r"a\ud800b", "a\ufffdb")],
    ids=["NUL", "the escape as text", "half a surrogate pair"],
)
def test_s05_text_that_a_database_refuses_is_replaced(escaped: str, stored: str) -> None:
    record = pull_request("a", 3, "opened", "05-01", title="TITLE")
    lab = Lab([("05-01", with_body(record, record.body.replace(b"TITLE", escaped.encode())))])
    assert lab.life(3).attributes.title == stored


def test_s13_true_at_and_known_at_are_two_questions() -> None:
    when = "05-31 23:59:40"
    lab = Lab(
        [
            created(),
            ("05-30", pull_request("a", 25, "opened", "05-30")),
            ("06-04", merge("b", 25, when, created_at="05-30")),
        ]
    )
    assert lab.life(25, as_of="06-01").state == "merged"
    assert lab.life(25, known_at="06-01").state == "open"
    assert lab.life(25, as_of=when).state == "merged"
    assert lab.life(25, as_of="05-31 23:59:39").state == "open"
    first = lab.report("2026-05-01", "2026-06-01", known_at="06-01")
    assert first.settled
    assert first.counts["merged"] == 0
