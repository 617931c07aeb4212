"""Releases whose commits name no request: how many requests are new is unknown there, never 0."""

import msgspec

from services.answers.releases.answer import listing_answer
from services.answers.releases.document import listing_document, summary
from services.documents.text import render
from tests.builders import at
from tests.projections.release_inclusion.bench import git
from tests.projections.release_inclusion.histories import Written
from tests.services.answers.releases.desk import Desk


def desk() -> Desk:
    """v1.1.0 has two commits without a number, v1.2.0 one with and one without, v1.3.0 nothing
    but a merge.
    """
    history = Written()
    history.commit("a", subject="Add a (#1)", at=at("03-01"))
    history.commit("b", "a", subject="Sync from the inner repository", at=at("03-02"))
    history.commit("c", "b", subject="Sync again", at=at("03-03"))
    history.commit("d", "c", subject="Add d (#2)", at=at("03-04"))
    history.commit("e", "d", subject="Tidy", at=at("03-05"))
    history.commit("m", "e", "a", subject="Merge branch a", at=at("03-06"))
    history.branches = {"main": "m"}
    history.tags = {"v1.0.0": "a", "v1.1.0": "c", "v1.2.0": "e", "v1.3.0": "m"}
    return Desk(*git(history, "03-07"))


def test_new_is_unknown_where_no_new_commit_names_a_request_and_the_commits_are_counted() -> None:
    listed = {r.tag: r for r in listing_answer(desk().listing()).releases}
    counted = {tag: (r.new, r.commits_without_number) for tag, r in listed.items()}
    assert counted == {
        "v1.0.0": (1, 0),
        "v1.1.0": (None, 2),
        "v1.2.0": (1, 1),
        "v1.3.0": (0, 0),
    }


def test_the_list_says_unknown_and_what_the_column_is() -> None:
    listing = desk().listing()
    text = render(listing_document(listing))
    row = next(line for line in text.splitlines() if line.startswith("v1.1.0"))
    assert row.split()[-4:] == ["main", "unknown", "0", "2"]
    assert "where no new commit names one, how many requests are new is unknown" in text
    assert msgspec.json.encode(listing_answer(listing))


def test_the_page_of_a_release_never_says_that_commits_bring_nothing() -> None:
    asked = desk()
    assert summary(asked.release("v1.1.0")) == (
        "v1.1.0 brings 2 commits, none of which names a pull request, against v1.0.0."
    )
    assert summary(asked.release("v1.3.0")) == "v1.3.0 brings 0 pull requests against v1.2.0."
