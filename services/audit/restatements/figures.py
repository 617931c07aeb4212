"""The figures of a report that are compared: each count on both bases, and the excluded. Pure.

A figure whose members are known is the number of its members; figures of an edition that printed
only numbers have none.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from events.errors import InvalidQuestion
from events.facts.editions import EditionPublished
from projections.period_ledger.counting import DEFINITIONS
from projections.period_ledger.exclusions import EXCLUDED
from services.answers.reports.assemble import Report

Basis: TypeAlias = Literal["raw", "filtered", "excluded"]
BASES: Final[tuple[Basis, ...]] = ("raw", "filtered", "excluded")


class Name(msgspec.Struct, frozen=True):
    """Which figure: a count on the raw or filtered basis, or a class of excluded requests."""

    basis: Basis
    count: str


#: Every figure that can be compared, in the order in which they are printed.
NAMES: Final = tuple(
    [Name("raw", count) for count in DEFINITIONS]
    + [Name("filtered", count) for count in DEFINITIONS]
    + [Name("excluded", kind) for kind in EXCLUDED]
)


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A value (None: unknown), its quality, and the requests that make it up (None: not told)."""

    value: int | None
    quality: str = ""
    members: frozenset[int] | None = None


Figures: TypeAlias = Mapping[Name, Figure]


def figures(report: Report) -> dict[Name, Figure]:
    """Return the figures of a report."""
    exclusions = report.exclusions
    result: dict[Name, Figure] = {}
    for count, entries in report.entries.items():
        raw = {entry.number for entry in entries}
        kept = {number for number in raw if not exclusions.requests[number].verdict.excluded}
        result[Name("raw", count)] = _figure(report.counts[count], report.quality[count], raw)
        filtered = _figure(exclusions.filtered[count], exclusions.bounds[count], kept)
        result[Name("filtered", count)] = filtered
    for kind in exclusions.table:
        members = {
            number
            for number, request in exclusions.requests.items()
            if request.active and request.verdict.kind == kind
        }
        result[Name("excluded", kind)] = _figure(
            exclusions.total(kind), exclusions.quality, members
        )
    return result


def figures_of_document(document: Mapping[str, Any]) -> dict[Name, Figure]:
    """Return the figures of a report in JSON as it was made; raise InvalidQuestion for another.

    It lists who is in each raw count and in each class, and so on every basis.
    """
    try:
        return _of_document(document)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidQuestion(
            f"this JSON is not a report ({error!r} is missing); "
            "`shipledger report … --json` writes one"
        ) from error


def figures_of_edition(edition: EditionPublished) -> dict[Name, Figure]:
    """Return the figures that an edition printed, as far as they have the names of ours."""
    values = {_name(name): value for name, value in edition.figures.items()}
    values |= {Name("excluded", kind): value for kind, value in edition.excluded.items()}
    return {name: Figure(value=value) for name, value in values.items() if name in NAMES}


def _of_document(document: Mapping[str, Any]) -> dict[Name, Figure]:
    excluded = {request["number"]: request for request in document["excluded_requests"]}
    result: dict[Name, Figure] = {}
    # a document of an earlier version has fewer counts
    for count in (name for name in DEFINITIONS if name in document["counts"]):
        raw = {row["number"] for row in document["ledger"][count]}
        quality = document["quality"][count]
        result[Name("raw", count)] = _figure(document["counts"][count], quality, raw)
        result[Name("filtered", count)] = _figure(
            document["filtered"][count],
            document["filtered_quality"][count],
            raw - excluded.keys(),
        )
    for kind, outcomes in document["exclusions"].items():
        members = {
            n for n, request in excluded.items() if request["active"] and request["class"] == kind
        }
        value = sum(count or 0 for count in outcomes.values())
        quality = document["exclusions_quality"]
        result[Name("excluded", kind)] = _figure(value, quality, members)
    return result


def _figure(value: int | None, quality: str, members: set[int]) -> Figure:
    listed = None if value is None else frozenset(members)
    return Figure(value=value, quality=quality, members=listed)


def _name(printed: str) -> Name:
    """Read the name of a count as editions keep it: `merged`, `filtered.merged`."""
    basis, dot, count = printed.partition(".")
    return Name("filtered", count) if dot and basis == "filtered" else Name("raw", printed)
