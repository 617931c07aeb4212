"""The few templates that the oracle reads in messages."""

import re
from typing import Final

MERGES: Final = re.compile(r"Merge pull request #(\d+) from ")
SQUASHES: Final = re.compile(r"\s\(#(\d+)\)$")
TRAILER: Final = re.compile(r"cherry[ -]picked from (?:commit )?([0-9a-f]{7,40})", re.IGNORECASE)
PICKED_NUMBER: Final = re.compile(
    r"(?:^|\s)(?:cp|cherry[ -]?pick(?:ed)?)\b.*?(?:#|\()(\d+)\)?", re.IGNORECASE
)
PICK_BRANCH: Final = re.compile(r"/(?:\S*/)?(?:cherry-pick-|backport-)(\d+)-(?:to-)?\w")
REVERTS_SHA: Final = re.compile(r"[Rr]everts? commit\s+([0-9a-f]{7,40})")
REVERTS_NUMBER: Final = re.compile(r"^(?:This r|R)everts (?:[\w./-]*)#(\d+)\.?\s*$", re.MULTILINE)
REVERTS_TITLE: Final = re.compile(r'(?:^|[:\]] )Revert "(.*)"')
NUMBERS_AT_END: Final = re.compile(r"(?:\s*\((?:PR )?#?\d+\))+$")
BRANCH_BEFORE: Final = re.compile(
    r"^(?:\[(?:(?:backport|cherry-pick) )?"
    r"(?:dev|main|(?:release|rel|v)?[-/ v]?[\d.x]+)\]\s*:?\s*)+",
    re.IGNORECASE,
)
RESTORES: Final = re.compile(r"\b(?:re-?apply|replay|re-?land|restore)\b.*?#(\d+)", re.IGNORECASE)
REVERTS_IN_SUBJECT: Final = re.compile(r"^revert(?: of)? (?:PR )?#(\d+)", re.IGNORECASE)
REAPPLIES: Final = re.compile(r'Reapply ".*" \(#\d+\)')
CUT: Final = re.compile(r'Revert "(.*…)$')
OTHER_HOST: Final = re.compile(r"\S*![0-9]+ - ")
ENDS: Final = re.compile(r"\(#\d+\)\s*\(#\d+\)$")


def title_of(text: str) -> str:
    """Return what a title says: without numbers at its end, a branch before it, case and marks."""
    text = NUMBERS_AT_END.sub("", text.strip())
    text = BRANCH_BEFORE.sub("", text.strip())
    return re.sub(r"[\W_]+", " ", text).strip().lower()


def inner_numbers(subject: str) -> str:
    """Return the numbers in brackets before the last, as words."""
    numbers = re.findall(r"\((?:PR )?#?(\d+)\)", subject)
    return "".join(f" ({number})" for number in numbers[:-1])
