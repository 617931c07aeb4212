"""Answers about releases for a terminal."""

from collections.abc import Iterator
from typing import Final

from services.answers.releases.inclusion import Everywhere, Inclusion
from services.answers.releases.listing import ListedRelease, Listing
from services.answers.releases.markdown import overview, standing
from services.answers.releases.subjects import newest_first
from services.answers.releases.wording import VERDICTS, day, requests, short
from services.answers.reports.wording import title

_HEADINGS: Final = ("release", "date", "commit", "branch", "new", "removed", "also")


def inclusion(answer: Inclusion) -> str:
    """Write one answer: the sentence first, then what else has to be said, then the evidence."""
    return "\n".join(_one(answer)) + "\n"


def everywhere(answer: Everywhere) -> str:
    """Write all answers for one request: the sentence first, the newest releases first."""
    return "\n".join(_all(answer)) + "\n"


def listing(found: Listing) -> str:
    """Write all releases, the newest of each family first."""
    rows = [
        _HEADINGS,
        *(_listed(one) for one in newest_first(found.releases, lambda one: one.subject)),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([*lines, "", *found.notes]) + "\n"


def _listed(one: ListedRelease) -> tuple[str, ...]:
    subject, counts = one.subject, one.counts
    return (
        subject.name,
        f"{day(subject.at)}{' (assumed)' if subject.evidence == 'assumed' else ''}",
        short(subject.commit),
        (subject.cut.branch if subject.cut else None) or "-",
        f"{counts.new:,}" if counts else "unknown",
        f"{counts.removed:,}" if counts else "unknown",
        ", ".join(subject.release.aliases if subject.release else ()) or "-",
    )


def _one(answer: Inclusion) -> Iterator[str]:
    yield answer.sentence
    yield from answer.subject.notes
    if answer.first and answer.first != answer.subject.name:
        yield f"First shipped in {answer.first}."
    if answer.brings:
        yield f"#{answer.number} carries {requests(answer.brings)}."
    yield ""
    yield f"{answer.subject.ref} is commit {answer.subject.commit}, {day(answer.subject.at)}."
    for carrier in answer.verdict.carriers:
        via = f", by #{carrier.via}" if carrier.via else ""
        yield f"carried by {short(carrier.sha)} ({carrier.role.value}, {carrier.method.value}{via})"
    for one in answer.evidence:
        yield f"evidence: {one.kind} {one.name}, record {one.record_id or 'none'}"


def _all(answer: Everywhere) -> Iterator[str]:
    yield overview(answer)
    yield from (f"#{answer.number} {title(answer.attributes)}", *standing(answer), "")
    width = max((len(one.subject.name) for one in answer.releases), default=0)
    widest = max(map(len, VERDICTS.values()))
    for one in newest_first(answer.releases, lambda one: one.subject):
        verdict = VERDICTS[one.verdict.outcome]
        yield f"{one.subject.name:<{width}}  {verdict:<{widest}}  {one.because}".rstrip()
