"""Judges which commits of a clone change the format alone, and records the judgements.

A commit is judged once for each version of the rules, and only where its blobs are: what a partial
clone lacks is left for another time and counted.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec

from events.facts.files import FormatJudgement, FormatsJudged
from events.identity import RepositoryKey
from events.log.port import Clock, Log
from events.log.redaction import is_redacted
from events.sources.git_formats import FORMATS_TYPE, formats_record, translate
from services.git.differences import Change, blobs, differences, held_objects
from services.git.format_rules import has_rules, rules_version, why_not_format
from services.git.repository import GitRepository
from services.logs.walk import entries

#: So many commits are read, judged and recorded together.
BATCH: Final = 500
_FILES: Final = frozenset({"100644", "100755"})
_STATUS: Final = {"A": "it is added", "D": "it is deleted", "T": "its type changes"}


class FormatsResult(msgspec.Struct, frozen=True, kw_only=True):
    """How many commits were judged now, how many of them change the format alone, and how many
    were left because the clone lacks their blobs."""

    judged: int = 0
    format_only: int = 0
    without_blobs: int = 0


def judge_formats(
    git: GitRepository,
    *,
    log: Log,
    repository: RepositoryKey,
    clock: Clock,
    partition: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> FormatsResult:
    """Judge every commit of the clone's refs that these rules have not judged yet."""
    rules = rules_version()
    known = _judged(log, repository, partition or repository, rules)
    tips = sorted({ref.sha for ref in git.refs() if ref.sha})
    wanted = [sha for sha in git.graph(tips) if sha not in known]
    result, done, held = FormatsResult(), 0, held_objects(git.path)
    for batch in _batches(wanted):
        judged = [each for each in _judge(git, batch, held) if each is not None]
        if judged:
            log.append([formats_record(repository, rules, judged, time=clock())])
        result = FormatsResult(
            judged=result.judged + len(judged),
            format_only=result.format_only + sum(each.format_only for each in judged),
            without_blobs=result.without_blobs + len(batch) - len(judged),
        )
        done += len(batch)
        if progress:
            progress(done, len(wanted))
    return result


def _judged(log: Log, repository: RepositoryKey, partition: str, rules: str) -> set[str]:
    found: set[str] = set()
    for record in (entry.record for entry in entries(log, partition)):
        if record.type != FORMATS_TYPE or record.repository != repository or is_redacted(record):
            continue
        for fact in translate(record):
            if isinstance(fact, FormatsJudged) and fact.rules == rules:
                found |= {each.sha for each in fact.judgements}
    return found


def _batches(shas: Sequence[str]) -> Iterator[list[str]]:
    left = iter(shas)
    while batch := list(islice(left, BATCH)):
        yield batch


def _judge(
    git: GitRepository, shas: Sequence[str], held: frozenset[str] | None
) -> list[FormatJudgement | None]:
    """Judge commits; None stands for one whose blobs are not here."""
    changes = list(differences(git.path, shas))
    reasons = [_at_first_sight(found) for _, found in changes]
    ids = {
        blob
        for (_, found), reason in zip(changes, reasons, strict=True)
        if reason is None
        for each in found
        for blob in (each.old, each.new)
    }
    contents = blobs(git.path, ids, held)
    judged: list[FormatJudgement | None] = []
    for (sha, found), reason in zip(changes, reasons, strict=True):
        if reason is None and any(not {each.old, each.new} <= contents.keys() for each in found):
            judged.append(None)
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
