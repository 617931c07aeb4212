"""How much of a roadmap was checked, in words: silence is no agreement."""

import pytest

from projections.roadmap_status.checked import checked
from services.answers.roadmaps.document import checked_words
from tests.projections.roadmap_status.bench import RoadmapBench, issue, roadmap
from tests.projections.roadmap_status.test_statuses import merges

KNOWN = "* **Known** — delivered\n  * #1\n"
UNSAID = "* **Unsaid**\n"
UNPROVED = "* **Unproved** — delivered\n  * #99\n"


def words(text: str | None) -> str:
    edition = issue(50, "02-01", "edited", title="[ROADMAP] Q3", body=text)
    return checked_words(RoadmapBench(*merges(), edition).board())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KNOWN, "0 drifts in 1 item that can be checked."),
        (KNOWN + UNSAID, "0 drifts in 1 item that can be checked, 1 cannot."),
        (UNPROVED + UNSAID, "0 drifts in 0 items that can be checked, 2 cannot."),
        ("- [ ] box alone\n- [x] another\n", "0 drifts in 0 items that can be checked, 2 cannot."),
        ("* **Bad** — delivered\n  * #4\n" + KNOWN, "1 drift in 2 items that can be checked."),
        ("* ~~Gone~~\n* ~~Gone #6~~\n", "0 drifts in 1 item that can be checked, 1 cannot."),
        ("Only prose.\n", "The text holds no items: there is nothing to check."),
        ("", "The text is empty: there is nothing to check."),
        (None, "The text is empty: there is nothing to check."),
        (" \n\t\u00a0\ufeff\n", "The text is empty: there is nothing to check."),
        ("<!-- a template -->\n", "The text is empty: there is nothing to check."),
    ],
)
def test_what_cannot_be_checked_is_counted(text: str | None, expected: str) -> None:
    assert words(text) == expected


def test_numbers_add_up() -> None:
    counts = checked(RoadmapBench(*merges(), roadmap(KNOWN + UNSAID + UNPROVED)).board().items)
    assert (counts.items, counts.checkable, counts.uncheckable, counts.drifts) == (3, 1, 2, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (UNSAID, "unknown"),
        ("* **Thing** — planned\n", "planned"),
        ("* **Thing** — not started\n", "planned"),
        ("* **Thing** — in progress\n", "unknown"),
        ("* **Thing** — closed\n", "unknown"),
        ("* **Thing** — delivered\n", "unknown"),
    ],
)
def test_only_what_says_so_is_planned(text: str, expected: str) -> None:
    (item,) = RoadmapBench(roadmap(text)).board().items
    assert item.judged.status.kind.value == expected


def test_beside_what_is_unknown_a_parent_is_at_least_partly_delivered() -> None:
    text = "* **Parent**\n  * **Done** — delivered\n    * #1\n  * **Unsaid**\n"
    status = RoadmapBench(*merges(), roadmap(text)).item("Parent").judged.status
    assert (status.kind.value, status.at_least) == ("partly delivered", True)
