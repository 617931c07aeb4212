"""Of which automation, of which carriers, of which stacked: parts of each count."""

import msgspec

from projections.repositories.branch_roles import STACKED
from services.answers.reports.assemble import Report


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """How many of a count are requests by bots, requests that only brought others (cherry-picks,
    syncs, promotions), and requests on another request's branch; None where that is not known.
    The three may overlap.
    """

    automation: int | None
    carriers: int | None
    stacked: int | None


def of_which(report: Report) -> dict[str, Parts]:
    """Return the parts of every count, by its name."""
    return {name: _parts(report, name) for name in report.counts}


def sentence(report: Report, name: str) -> str:
    """Write the parts of a count that are known, empty where none is."""
    parts = msgspec.structs.asdict(_parts(report, name))
    return ", ".join(f"{part} {number:,}" for part, number in parts.items() if number is not None)


def _parts(report: Report, name: str) -> Parts:
    numbers = [entry.number for entry in report.entries[name]]
    if report.counts[name] is None:
        return Parts(automation=None, carriers=None, stacked=None)
    bots = [report.requests[number].author_is_bot for number in numbers]
    # git shows neither who is a bot nor which branch a request asked to change
    bots_known = all(bot is not None for bot in bots)
    stacked = report.ledger.by_base.get(STACKED, {}).get(name, 0)
    carriers = None
    if report.places is not None:
        carriers = len(set(numbers) & set(report.places.carriers))
    return Parts(
        automation=sum(bool(bot) for bot in bots) if bots_known else None,
        carriers=carriers,
        stacked=stacked if bots_known else None,
    )
