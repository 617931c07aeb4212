"""One issue for each edition: planned first, shown as a difference, and only then sent.

A text that a person edited at GitHub is never overwritten.
"""

from collections.abc import Sequence
from difflib import unified_diff
from typing import Final, Literal, TypeAlias

import msgspec

from events.errors import InvalidQuestion
from services.answers.editions.marker import read_marked
from services.documents.neutral import neutral
from services.intake.github.issues import MOST_LISTED, Issue, Issues

MOST_TITLE: Final = 256

Action: TypeAlias = Literal["create", "update", "nothing"]


class IssuePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What publishing would do. `body` is the whole text with its marker."""

    action: Action
    title: str
    body: str
    labels: tuple[str, ...]
    number: int | None = None
    difference: str = ""


def plan_issue(
    issues: Issues,
    *,
    edition: str,
    title: str,
    body: str,
    labels: Sequence[str],
    number: int | None = None,
    new: bool = False,
) -> IssuePlan:
    """Look for the issue of an edition (`number` where it is known), and say what to do with it.

    `new`: a person says that there is none yet. Raise InvalidQuestion where its text was edited
    since it was published, where it is the issue of something else, or where not all issues could
    be looked through, so that a second one might be made.
    """
    title = neutral(title)[:MOST_TITLE]
    issue = None if new and number is None else _issue_of(issues, edition, labels, number)
    if issue is None:
        return IssuePlan(
            action="create",
            title=title,
            body=body,
            labels=tuple(labels),
            difference=_difference("", body, "nothing"),
        )
    _check(issue, edition)
    present = [label.name for label in issue.labels]
    wanted = (*present, *(label for label in labels if label not in present))
    before = (issue.body or "").replace("\r\n", "\n")
    same = (before, issue.title, len(present)) == (body, title, len(wanted))
    return IssuePlan(
        action="nothing" if same else "update",
        title=title,
        body=body,
        labels=wanted,
        number=issue.number,
        difference=_difference(
            f"{issue.title}\n{before}", f"{title}\n{body}", f"#{issue.number} as it is"
        ),
    )


def send(issues: Issues, plan: IssuePlan, edition: str) -> Issue | None:
    """Carry a plan out; return the issue, None where there was nothing to do.

    The issue is read once more just before it is changed: GitHub has no conditional change.
    """
    if plan.action == "nothing":
        return None
    if plan.number is None:
        return issues.create(plan.title, plan.body, plan.labels)
    _check(issues.read(plan.number), edition)
    return issues.change(plan.number, plan.title, plan.body, plan.labels)


def _issue_of(
    issues: Issues, edition: str, labels: Sequence[str], number: int | None
) -> Issue | None:
    """Return the issue of an edition, None where all were looked at and there is none.

    The label is where it most likely is, and somebody may have taken it off.
    """
    if number is not None:
        return issues.read(number)

    def carries(issue: Issue) -> bool:
        marked = read_marked(issue.body)
        return marked is not None and marked.edition == edition

    issue, whole = issues.first(carries, label=labels[0]) if labels else (None, False)
    if issue is None:
        issue, whole = issues.first(carries)
    if issue is None and not whole:
        raise InvalidQuestion(
            f"{issues.full_name} has more issues than could be looked through ({MOST_LISTED:,} at "
            "most), so this edition may have one already, and a second one is not made; name it "
            "with --number, or say with --new that there is none"
        )
    return issue


def _check(issue: Issue, edition: str) -> None:
    marked = read_marked(issue.body)
    if marked is None:
        raise InvalidQuestion(
            f"#{issue.number} was not published by Shipledger, or its marker was taken out; it is "
            "left as it is"
        )
    if marked.edition != edition:
        raise InvalidQuestion(f"#{issue.number} is another edition; it is left as it is")
    if not marked.untouched:
        raise InvalidQuestion(
            f"#{issue.number} was edited since it was published; take the edit over with "
            "`shipledger curate`, then restore the issue's text from its history, and publish again"
        )


def _difference(before: str, after: str, name: str) -> str:
    lines = unified_diff(
        before.splitlines(), after.splitlines(), name, "as it would be", lineterm=""
    )
    return "\n".join(lines)
