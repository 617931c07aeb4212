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
    path: Path, batch: Sequence[Difference], held: frozenset[str] | None
) -> list[FormatJudgement]:
    """Judge commits by what they change, without those whose blobs are not here."""
    judging = [(difference.sha, changes) for difference, changes in differences(path, batch)]
    reasons = [_at_first_sight(changes) for _, changes in judging]
    ids = {
        blob
        for (_, changes), reason in zip(judging, reasons, strict=True)
        if reason is None
        for change in changes
        for blob in change.blobs
    }
    contents = blobs(path, ids, held)
    judged: list[FormatJudgement] = []
    for (sha, changes), reason in zip(judging, reasons, strict=True):
        if reason is None and any(not change.blobs <= contents.keys() for change in changes):
            continue
        because = reason or _at_second_sight(changes, contents)
        judged.append(FormatJudgement(sha=sha, format_only=because is None, because=because or ""))
    return judged


def _at_first_sight(changes: Sequence[Change]) -> str | None:
    """Return why no look at the blobs is needed: most commits change more than files' contents."""
    if not changes:
        return "it changes no file"
    for change in changes:
        if change.status in _STATUS:
            return f"{change.path}: {_STATUS[change.status]}"
        if change.old_mode != change.new_mode or change.new_mode not in _FILES:
            return f"{change.path}: it is no plain file, or its mode changes"
        if not has_rules(change.path):
            return f"{change.path}: nothing can be proven of such a file"
    return None


def _at_second_sight(changes: Sequence[Change], contents: dict[str, bytes]) -> str | None:
    for change in changes:
        reason = why_not_format(change.path, contents[change.old], contents[change.new])
        if reason is not None:
            return f"{change.path}: {reason}"
    return None
