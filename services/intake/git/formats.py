"""Judges by their differences which commits of a clone change the format alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from events.facts.files import FormatJudgement
from services.intake.git.differences import Change, Difference, blobs, differences
from services.intake.git.format_rules import has_rules, why_not_format

_FILES: Final = frozenset({"100644", "100755"})
_STATUS: Final = {"A": "it is added", "D": "it is deleted", "T": "its type changes"}


def judge_formats(
    path: Path, asked: Sequence[Difference], held: frozenset[str] | None
) -> list[FormatJudgement]:
    """Judge commits by what they change, without those whose blobs are not here."""
    changes = [(one.sha, found) for one, found in differences(path, asked)]
    reasons = [_at_first_sight(found) for _, found in changes]
    ids = {
        blob
        for (_, found), reason in zip(changes, reasons, strict=True)
        if reason is None
        for each in found
        for blob in each.blobs
    }
    contents = blobs(path, ids, held)
    judged: list[FormatJudgement] = []
    for (sha, found), reason in zip(changes, reasons, strict=True):
        if reason is None and any(not each.blobs <= contents.keys() for each in found):
            continue
        because = reason or _at_second_sight(found, contents)
        judged.append(FormatJudgement(sha=sha, format_only=because is None, because=because or ""))
    return judged


def _at_first_sight(changes: Sequence[Change]) -> str | None:
    """Return why no look at the blobs is needed: most commits change more than files' contents."""
    if not changes:
        return "it changes no file"
    for each in changes:
        if each.status in _STATUS:
            return f"{each.path}: {_STATUS[each.status]}"
        if each.old_mode != each.new_mode or each.new_mode not in _FILES:
            return f"{each.path}: it is no plain file, or its mode changes"
        if not has_rules(each.path):
            return f"{each.path}: nothing can be proven of such a file"
    return None


def _at_second_sight(changes: Sequence[Change], contents: dict[str, bytes]) -> str | None:
    for each in changes:
        reason = why_not_format(each.path, contents[each.old], contents[each.new])
        if reason is not None:
            return f"{each.path}: {reason}"
    return None
