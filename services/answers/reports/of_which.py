"""Of which automation, of which carriers, of which stacked: parts of each count."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from projections.repositories.branch_roles import STACKED
from services.answers.reports.assemble import Report

_AUTHORS: Final = ("automation", "people", "authors unknown")
_MERGERS: Final = ("merged by automation", "merged by people", "mergers unknown")


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """How many of a count are requests by bots, by people, and by authors of whom no source says
    what they are: these three add up to the count (None where it is known of nobody). Of the merged
    ones, how many were merged by bots, by people, and by nobody that a source names. Then requests
    that only brought others (cherry-picks, syncs, promotions), and requests on another request's
    branch, which may overlap with all of these; None where that is not known.
    """

    automation: int | None
    people: int | None
    author_unknown: int | None
    merged_by_bots: int | None
    merged_by_people: int | None
    merger_unknown: int | None
    carriers: int | None
    stacked: int | None


def of_which(report: Report) -> dict[str, Parts]:
    """Return the parts of every count, by its name."""
    return {name: _parts(report, name) for name in report.counts}


def sentence(report: Report, name: str) -> str:
    """Write the parts of a count that are known, empty where none is."""
    parts = _parts(report, name)
    said = [*_split(parts.automation, parts.people, parts.author_unknown, _AUTHORS)]
    said += _split(parts.merged_by_bots, parts.merged_by_people, parts.merger_unknown, _MERGERS)
    for words, number in (("carriers", parts.carriers), ("stacked", parts.stacked)):
        if number is not None:
            said.append(f"{words} {number:,}")
    return ", ".join(said)


def _split(
    bots: int | None, people: int | None, unknown: int | None, words: Sequence[str]
) -> Iterator[str]:
    """Yield a split into three; nothing of one that is not known of any request."""
    if bots is None or people is None:
        return
    yield f"{words[0]} {bots:,}"
    if unknown:
        yield f"{words[1]} {people:,}"
        yield f"{words[2]} {unknown:,}"


def _parts(report: Report, name: str) -> Parts:
    entries = report.entries[name]
    if report.counts[name] is None:
        return Parts(**dict.fromkeys(Parts.__struct_fields__))
    numbers = [entry.number for entry in entries]
    requests = [report.requests[number] for number in numbers]
    bots, people, unknown = _three(request.author_is_bot for request in requests)
    merged: tuple[int | None, int | None, int | None] = (None, None, None)
    if name == "merged":
        merged = _three(request.merger_is_bot for request in requests)
    carriers = None
    if report.places is not None:
        carriers = len(set(numbers) & set(report.places.carriers))
    # git does not show which branch a request asked to change
    from_git = bool(entries) and all(entry.evidence == "git" for entry in entries)
    stacked = report.ledger.by_base.get(STACKED, {}).get(name, 0)
    return Parts(
        automation=bots,
        people=people,
        author_unknown=unknown,
        merged_by_bots=merged[0],
        merged_by_people=merged[1],
        merger_unknown=merged[2],
        carriers=carriers,
        stacked=None if from_git else stacked,
    )


def _three(are_bots: Iterable[bool | None]) -> tuple[int | None, int | None, int]:
    """Return how many are bots, how many are people, and of how many that is not known.

    Where it is known of none, the first two are None.
    """
    counted = Counter(are_bots)
    if counted[None] and counted[None] == counted.total():
        return None, None, counted[None]
    return counted[True], counted[False], counted[None]
