"""`Closes #43` with the head of #43 in the history: pushed by a robot or a person, and landed."""

import pytest

from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.messages.closing import read_closed
from tests.projections.release_inclusion.histories import ACME, Written, sha_of

READ = {
    "Closes #43": (43,),
    "fixes: #43": (43,),
    "It mends x.\n\nResolved acme/widget#43, closes #44": (43, 44),
    "Close https://github.com/acme/widget/pull/43": (43,),
    "Closes other/widget#43": (),
    "See #43": (),
    "prefixes #43": (),
}


@pytest.mark.parametrize(("message", "closed"), READ.items())
def test_the_words_that_github_reads(message: str, closed: tuple[int, ...]) -> None:
    assert read_closed("Subject", message, ACME) == closed


def _pushed(*, head: str, subject: str = "Mend it", says: str = "Closes #43") -> list[str]:
    """Tell where #43 is: main has `change` of its branch, and `closing` after it."""
    written = Written(branches={"main": "end"})
    written.commit("start")
    written.commit("other", "start", subject="Another change (#40)", at=1)
    written.commit("change", "other", at=2)
    written.commit("closing", "change", subject=subject, message=says, at=3)
    written.commit("end", "closing", at=4)
    written.commit("beside", "start", at=2)
    asked = written.read(Request(number=43, head=sha_of(head)))
    return [asked.verdict(43, "main").outcome]


@pytest.mark.parametrize("head", ["closing", "change"])
def test_a_head_that_was_pushed_as_it_is_has_landed(head: str) -> None:
    assert _pushed(head=head) == ["included"]


def test_a_head_that_came_by_a_merge_has_landed_whenever_it_was_closed() -> None:
    written = Written(branches={"main": "closing"})
    written.commit("start")
    written.commit("a", "start", at=1)
    written.commit("merge", "start", "a", subject="Merge branch 'f'", at=2)
    written.commit("next", "merge", at=3)
    written.commit("closing", "next", message="Closes #43", at=4)
    answer = written.read(Request(number=43, head=sha_of("a"))).verdict(43, "main")
    assert (answer.outcome, answer.evidence) == ("included", (sha_of("a"),))


def test_words_in_the_subject_count_too() -> None:
    assert _pushed(head="change", subject="Mend it, fixes #43", says="") == ["included"]


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("beside", "Closes #43"),  # the head is not there
        ("unknown", "Closes #43"),
        ("end", "Closes #43"),  # it came later
        ("other", "Closes #43"),  # a branch set back to main: the head is another's landing
        ("start", "Closes #43"),  # and so it may be where nothing has a number
        ("change", "See #43"),
        ("change", "Closes other/widget#43"),
    ],
)
def test_words_or_a_head_alone_show_nothing(head: str, says: str) -> None:
    assert _pushed(head=head, says=says) == ["undetermined"]


def test_a_merge_by_hand_lands_all_that_it_brought() -> None:
    written = Written(branches={"main": "merge"}, tags={"v1": "merge", "v2": "undo"})
    written.commit("start")
    written.commit("a", "start", at=1)
    written.commit("b", "a", at=2)
    written.commit("merge", "start", "b", subject="Merge branch 'f'", message="Closes #43", at=3)
    words = f"This reverts commit {sha_of('a')}."
    written.commit("undo", "merge", subject="Undo", message=words, at=4)
    asked = written.read(Request(number=43, head=sha_of("b")))
    assert [asked.verdict(43, tag).outcome for tag in ("v1", "v2")] == ["included", "partly"]


def test_a_request_that_landed_under_its_number_needs_no_words() -> None:
    written = Written(branches={"main": "closing"})
    written.commit("start")
    written.commit("landed", "start", subject="Mend it (#43)", at=1)
    written.commit("closing", "landed", message="Closes #43", at=2)
    asked = written.read(Request(number=43, head=sha_of("start")))
    assert [carrier.sha for carrier in asked.history.carriers.of(43)] == [sha_of("landed")]


@pytest.mark.parametrize(("state", "outcome"), [("open", "not_included"), ("closed", "included")])
def test_what_is_still_open_has_not_landed(state: str, outcome: str) -> None:
    written = Written(branches={"main": "closing"})
    written.commit("start")
    written.commit("closing", "start", message="Closes #43", at=2)
    request = Request(number=43, head=sha_of("closing"), state=state)  # type: ignore[arg-type]
    assert written.read(request).verdict(43, "main").outcome == outcome
