"""Git records: golden files, versions, ids, and what commits land."""

import json

import msgspec
import pytest

from events.catalog import FACT_NAMES
from events.errors import InvalidEvent
from events.facts.base import Fact, Trust
from events.facts.git import Commit, CommitsObserved, RefObserved
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import RepositoryObserved
from events.record import Record
from events.sources.git_history import (
    COMMITS_TYPE,
    REFS_TYPE,
    commits_record,
    landings,
    refs_record,
    translate,
)
from tests.places import PAYLOADS

AUTHORED = PAYLOADS / "authored"
REPOSITORY = "github.com/1001"
GOLDEN = [
    ("git_commits__v1", COMMITS_TYPE),
    ("git_refs__v1", REFS_TYPE),
]


def a_commit(subject: str, **changes: object) -> Commit:
    commit = Commit(
        sha="c" * 40,
        parents=("a" * 40,),
        authored_at=1_000_000,
        committed_at=2_000_000,
        author="Ada",
        subject=subject,
        paths=("README.md",),
        branch="main",
    )
    return msgspec.structs.replace(commit, **changes)


def a_record(kind: str, body: bytes) -> Record:
    return Record(id="r1", repository=REPOSITORY, source="git", type=kind, body=body)


def written(facts: tuple[Fact, ...]) -> object:
    rows = [{"fact": FACT_NAMES[type(fact)], **msgspec.to_builtins(fact)} for fact in facts]
    return json.loads(msgspec.json.encode(rows))


@pytest.mark.parametrize(("name", "kind"), GOLDEN, ids=[name for name, _ in GOLDEN])
def test_a_golden_record_is_still_read(name: str, kind: str) -> None:
    facts = translate(a_record(kind, (AUTHORED / f"{name}.json").read_bytes()))
    assert isinstance(facts, tuple)
    assert written(facts) == json.loads((AUTHORED / f"{name}.facts.json").read_text())


def test_commits_come_back_as_they_were_written() -> None:
    commits = (a_commit("One (#1)"), a_commit("Two", sha="d" * 40, paths=None, branch=None))
    facts = translate(commits_record(REPOSITORY, commits, time=5))
    assert isinstance(facts, tuple)
    assert facts[0] == CommitsObserved(commits=commits)
    assert [type(fact) for fact in facts[1:]] == [PullRequestObserved]


def test_refs_come_back_with_the_repository_they_belong_to() -> None:
    ref = RefObserved(ref="refs/tags/v1", sha="a" * 40, at=3, evidence="tagger")
    record = refs_record(
        REPOSITORY, [ref], full_name="acme/tool", default_branch="main", fetched_at=9
    )
    seen = RepositoryObserved(full_name="acme/tool", at=9, default_branch="main")
    assert translate(record) == (seen, ref)
    assert record.time == 9


def test_a_squash_is_seen_as_an_unconfirmed_merge_at_its_committer_date() -> None:
    (fact,) = landings([a_commit("Add flag (#12)")])
    assert fact == PullRequestObserved(
        number=12,
        at=2_000_000,
        kind="merge_commit",
        trust=Trust.GIT_SUBJECT,
        merged=True,
        merged_at=2_000_000,
        base="main",
        merge_commit_sha="c" * 40,
        title="Add flag",
        recognised_by="trailing number",
    )


def test_a_merge_commit_is_trusted_more_than_a_subject() -> None:
    subject = "Merge pull request #12 from ada/flag"
    (fact,) = landings([a_commit(subject, message="Add flag", parents=("a" * 40, "b" * 40))])
    assert (fact.trust, fact.recognised_by) == (Trust.GIT_TEMPLATE, "merge subject")
    assert fact.title == "Add flag"


def test_a_commit_outside_every_first_parent_history_lands_nothing() -> None:
    assert landings([a_commit("Add flag (#12)", branch=None)]) == ()


def test_a_subject_that_an_older_program_lost_in_blanks_is_found_at_translation() -> None:
    old = [
        a_commit("", message="   \n\nFix x (#6)\n\nBody"),
        a_commit("\ufeffFix y (#7)", message="Body"),
    ]
    facts = translate(commits_record(REPOSITORY, old, time=5))
    assert not isinstance(facts, str)
    (observed,) = (fact for fact in facts if isinstance(fact, CommitsObserved))
    assert [(c.subject, c.message) for c in observed.commits] == [
        ("Fix x (#6)", "Body"),
        ("Fix y (#7)", "Body"),
    ]
    requests = [fact for fact in facts if isinstance(fact, PullRequestObserved)]
    assert [(fact.number, fact.title) for fact in requests] == [(6, "Fix x"), (7, "Fix y")]


def test_equal_batches_have_equal_ids_and_a_later_one_has_its_own() -> None:
    first = commits_record(REPOSITORY, [a_commit("One")], time=5)
    assert first.id == commits_record(REPOSITORY, [a_commit("One")], time=6).id
    later = commits_record(REPOSITORY, [a_commit("One")], previous=first.id, time=7)
    assert later.id != first.id
    assert first.id != commits_record("github.com/2", [a_commit("One")], time=5).id


def test_a_version_of_the_future_is_named_and_not_guessed_at() -> None:
    with pytest.raises(InvalidEvent, match=r"version: version 2 of shipledger\.git\.commits"):
        translate(a_record(COMMITS_TYPE, b'{"version": 2, "commits": "otherwise"}'))


@pytest.mark.parametrize(
    "body", [b"", b"{}", b'{"version": 1}', b'{"version": 1, "commits": [{"sha": 7}]}', b"\xff"]
)
def test_a_body_out_of_shape_is_an_invalid_event(body: bytes) -> None:
    with pytest.raises(InvalidEvent):
        translate(a_record(COMMITS_TYPE, body))


def test_another_type_is_ignored_with_a_reason() -> None:
    assert translate(a_record("shipledger.git.blobs", b"{}")) == (
        "unknown record type shipledger.git.blobs"
    )
