"""The period counts of MODEL.md 4, by plain counting over the truth.

Every request is looked at on its own and its whole life is walked each time. This is the oracle of
the product's counts: it must stay too simple to be wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from events.instant import Instant
from services.simulator.truth import Happening, PullTruth, Step, value_before

COUNTS: Final = (
    "opened",
    "merged",
    "landed",
    "closed_without_merge",
    "closed_unknown",
    "reopened",
    "open_at_start",
    "open_at_end",
    "opened_and_still_open",
    "active_and_open",
)


def counts(pulls: Iterable[PullTruth], start: Instant, end: Instant) -> dict[str, int]:
    """Count [start, end): each request at most once in each count. GitHub tells each outcome, so
    `closed_unknown` is always 0. What a robot landed is `landed` where git is known; without git
    give what the deliveries announce (`Truth.pulls_upto`).
    """
    found: Counter[str] = Counter()
    for pull in pulls:
        found.update(counted(pull, start, end))
    return {name: found[name] for name in COUNTS}


def counted(pull: PullTruth, start: Instant, end: Instant) -> set[str]:
    """Return the counts of [start, end) that a request belongs to."""
    before, after = pull.state_before(start), pull.state_before(end)
    within = _within(pull.transitions, start, end)
    opened = any(step.value == "opened" for step in within)
    ended = after == "closed" and bool(within)
    worked_on = any(step.value in ("opened", "reopened") for step in within) or any(
        start <= step.at < end for step in pull.commits_at
    )
    belongs = {
        "opened": opened,
        "merged": any(step.value == "merged" for step in within),
        "landed": ended and pull.method == "robot",
        "closed_without_merge": ended and pull.method != "robot",
        "reopened": before == "closed" and any(step.value == "reopened" for step in within),
        "open_at_start": before == "open",
        "open_at_end": after == "open",
        "opened_and_still_open": opened and after == "open",
        "active_and_open": after == "open" and worked_on,
    }
    return {name for name, yes in belongs.items() if yes}


def counts_by_group(
    pulls: Iterable[PullTruth], start: Instant, end: Instant, group: Callable[[str], str]
) -> dict[str, dict[str, int]]:
    """Count by group of base branch, with the terms `retargeted_in` and `retargeted_out`."""
    found: dict[str, Counter[str]] = {}
    for pull in pulls:
        names = counted(pull, start, end)
        entry, leaving = entry_base(pull, start, end), exit_base(pull, start, end)
        if entry is None or leaving is None:
            continue
        into, out_of = group(entry), group(leaving)
        at_entry = names & {"opened", "reopened", "open_at_start"}
        found.setdefault(into, Counter()).update(at_entry)
        found.setdefault(out_of, Counter()).update(names - at_entry)
        if into != out_of:
            found[into]["retargeted_out"] += 1
            found[out_of]["retargeted_in"] += 1
    names_of_all = (*COUNTS, "retargeted_in", "retargeted_out")
    return {key: {name: seen[name] for name in names_of_all} for key, seen in found.items()}


def entry_base(pull: PullTruth, start: Instant, end: Instant) -> str | None:
    """Return the base with which a request enters the range; None where it is not in it."""
    if pull.state_before(start) == "open":
        return pull.base_before(start)
    for step in _within(pull.transitions, start, end):
        if step.value in ("opened", "reopened"):
            return value_before(pull.bases, step.at + 1)
    return None


def exit_base(pull: PullTruth, start: Instant, end: Instant) -> str | None:
    """Return the base at the merge, at the close that holds at the end, or at the end."""
    if pull.state_before(end) == "open":
        return pull.base_before(end)
    within = _within(pull.transitions, start, end)
    return value_before(pull.bases, within[-1].at + 1) if within else None


def _within(
    steps: tuple[Step[Happening], ...], start: Instant, end: Instant
) -> list[Step[Happening]]:
    return [step for step in steps if start <= step.at < end]
