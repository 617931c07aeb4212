"""Who wrote what a clone shows merged: the names of its commits, beside no login."""

from msgspec.structs import replace

from projections.pull_requests.attributes import Attributes, attributes_of
from projections.release_inclusion.authors import with_commit_authors
from tests.builders import REPO, at
from tests.projections.release_inclusion.bench import Arrival, Bench, git, merged
from tests.projections.release_inclusion.histories import Written


def authors(*more: Arrival) -> dict[int, Attributes]:
    """#1 is a squash of ada, #2 a merge by its maintainer of what bob wrote, #3 a squash whose
    commit nobody signed.
    """
    written = Written()
    written.commit("a", subject="Add a (#1)", at=at("03-01"), author="Ada")
    written.commit("b", "a", subject="Work", at=at("03-02"), author="Bob")
    subject = "Merge pull request #2 from bob/work"
    written.commit("m", "a", "b", subject=subject, at=at("03-03"), author="Maintainer")
    written.commit("c", "m", subject="Add c (#3)", at=at("03-04"), author="")
    written.branches = {"main": "c"}
    written.commits = [
        commit if commit.subject == "Work" else replace(commit, branch="main")
        for commit in written.commits
    ]
    bench = Bench(*git(written, "03-05"), *more)
    end = at("04-01")
    with bench.model.snapshot() as snapshot:
        known = attributes_of(snapshot, REPO, [1, 2, 3], end, end)
        return with_commit_authors(snapshot, REPO, known, end)


def test_a_squash_is_its_authors_and_a_merge_the_authors_of_what_it_merged() -> None:
    known = authors()
    assert {number: its.commit_author for number, its in known.items()} == {
        1: "Ada",
        2: "Bob",
        3: None,
    }
    assert {number: its.who for number, its in known.items()} == {
        1: "Ada (in git)",
        2: "Bob (in git)",
        3: None,
    }
    assert all(its.author is None for its in known.values())


def test_a_login_that_github_shows_needs_no_name_of_a_commit() -> None:
    known = authors(merged(1, None, "03-06"))
    assert known[1].author is not None
    assert (known[1].commit_author, known[1].who) == (None, known[1].author)


def test_the_requests_of_a_merge_bots_batch_get_no_name_of_one_of_them() -> None:
    written = Written()
    written.commit("a", subject="Begin", at=at("03-01"), author="Ada")
    written.commit("b", "a", subject="Work", at=at("03-02"), author="Bob")
    written.commit("c", "a", subject="More work", at=at("03-02"), author="Cid")
    written.commit("m", "a", "b", "c", subject="Merge #1 #2", at=at("03-03"), author="bors[bot]")
    written.commit("n", "m", "b", subject="Merge #3", at=at("03-04"), author="bors[bot]")
    written.branches = {"main": "n"}
    written.commits = [
        replace(commit, branch="main") if commit.subject.startswith("Merge") else commit
        for commit in written.commits
    ]
    bench = Bench(*git(written, "03-05"))
    end = at("04-01")
    with bench.model.snapshot() as snapshot:
        known = attributes_of(snapshot, REPO, [1, 2, 3], end, end)
        named = with_commit_authors(snapshot, REPO, known, end)
    assert {number: its.commit_author for number, its in named.items()} == {
        1: None,
        2: None,
        3: "Bob",
    }
