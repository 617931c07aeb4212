"""The verdict: is a pull request in a release, by what route, and if not, why not?

`included`, `partly`, `reverted` and `removed` need the commits to prove it, `not_included` needs
a whole history and a known state of the request; everything else is `undetermined`, and says what
is missing. Verdicts are computed when asked and never stored.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from projections.release_inclusion.history.again import AGAIN
from projections.release_inclusion.history.carriers import Carrier, CarrierRole
from projections.release_inclusion.history.history import History
from projections.release_inclusion.messages.mention import Role

Outcome: TypeAlias = Literal[
    "included", "partly", "reverted", "removed", "not_included", "undetermined"
]
How: TypeAlias = Literal["direct", "cherry-picked", "via", "restored"]
Reason: TypeAlias = Literal[
    "every commit is in force",
    "some commits are in force",
    "a revert is in force",
    "open",
    "closed without a merge",
    "on other branches only",
    "after the cut",
    "a revert found no target",
    "a mention waits for review",
    "a copy may hold more than its original",
    "history is incomplete",
    "no commit is known",
    "nothing is known of it",
]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one request and one tip, with what decided it."""

    number: int
    tip: str
    outcome: Outcome
    reason: Reason
    how: How | None = None
    by: tuple[int, ...] = ()
    """Requests: those that brought it (`cherry-picked`, `via`, `restored`) or took it out."""
    branches: tuple[str, ...] = ()
    """Of a request that is not included: where it is in force."""
    carriers: tuple[Carrier, ...] = ()
    """Its carriers in the tip, alive or not."""
    evidence: tuple[str, ...] = ()
    """The commits that decided: those in force, those that took it out, those to look at."""
    missing: tuple[str, ...] = ()
    """What the tip's history lacks, by name: a commit hidden behind it could change the answer."""
    new: bool | None = None
    """Whether the release it was told against lacks it, or a commit of what is there in part; None
    without one, or where that is unknown."""


def verdict(history: History, number: int, tip: str, *, against: str | None = None) -> Verdict:
    """Answer for one request and one tip; `against` is the commit of the release before.

    Raise NotFound for a tip that the history was not built with.
    """
    answer = _complete(history, number, tip)
    if against is None:
        return answer
    before = _complete(history, number, against)
    unknown = before.outcome == "undetermined"
    if answer.outcome == "reverted" and unknown:
        missing = tuple(dict.fromkeys((*answer.missing, *before.missing)))
        return replace(answer, outcome="undetermined", reason=before.reason, missing=missing)
    if answer.outcome == "reverted" and before.outcome in ("included", "partly"):
        return replace(answer, outcome="removed")
    if answer.outcome in ("included", "partly"):
        brings = before.outcome != answer.outcome or bool(_parts(answer) - _parts(before))
        return replace(answer, new=None if unknown else brings)
    return answer


def _parts(answer: Verdict) -> set[str]:
    """Return the commits that are in force of a request that is there in part, by the originals."""
    if answer.outcome != "partly":
        return set()
    living = (c for c in answer.carriers if c.sha in answer.evidence)
    return {sha for carrier in living for sha in carrier.copies or (carrier.sha,)}


def _complete(history: History, number: int, tip: str) -> Verdict:
    """Judge, and add what the tip's history lacks: all of it where the tip was never fetched."""
    if tip not in history.graph:
        return Verdict(
            number=number,
            tip=tip,
            outcome="undetermined",
            reason="history is incomplete",
            missing=history.missing_of(tip),
        )
    return replace(_judge(history, number, tip), missing=history.missing_of(tip))


def first_shipped(history: History, number: int, releases: Iterable[tuple[str, str]]) -> str | None:
    """Return the first of the releases, given as (name, commit) in order, that includes it.

    None where no release does, and where an earlier one may.
    """
    for name, commit in releases:
        outcome = _complete(history, number, commit).outcome
        if outcome in ("included", "undetermined"):
            return name if outcome == "included" else None
    return None


def _judge(history: History, number: int, tip: str) -> Verdict:
    return next(
        answer
        for answer in (
            doubted(history, number, tip),
            _included(history, number, tip),
            _partly(history, number, tip),
            _reverted(history, number, tip),
            _absent(history, number, tip),
        )
        if answer is not None
    )


def _here(history: History, number: int, tip: str) -> tuple[Carrier, ...]:
    return tuple(c for c in history.carriers.of(number) if history.is_in(c.sha, tip))


def doubted(history: History, number: int, tip: str) -> Verdict | None:
    """Refuse to decide where a revert, a restore or a pick may change the answer."""
    here = _here(history, number, tip)
    living = any(history.is_alive(c.sha, tip) for c in history.contents(number))
    base = Verdict(
        number=number,
        tip=tip,
        outcome="undetermined",
        reason="a mention waits for review",
        carriers=here,
    )
    doubtful = history.unsure_reverts(number, tip)
    if living:
        idle = [r.sha for r in history.idle_reverts.get(number, ())]
        aimless = [sha for sha in idle if history.is_alive(sha, tip)]
        if aimless:
            return replace(base, reason="a revert found no target", evidence=tuple(aimless))
    if not (living and any(_whole(history, number, tip))):
        role = Role.RESTORE if here else Role.PICK
        newest = max((history.graph.rank(c.sha) for c in here), default=None)
        for doubt in history.doubtful(number, role, tip):
            # what landed again is known to come after the revert of what it puts back
            again = doubt.mention.method == AGAIN
            if newest is None or again or history.graph.rank(doubt.sha) > newest:
                doubtful.append(doubt.sha)
    evidence = tuple(dict.fromkeys(doubtful))
    return replace(base, evidence=evidence) if evidence else None


def _included(history: History, number: int, tip: str) -> Verdict | None:
    whole = list(_whole(history, number, tip))
    if not whole:
        return None
    best = min(whole, key=lambda content: (_ORDER.index(content[-1].role), -content[-1].trust))
    how, by = _route(history, best[-1], tip)
    return Verdict(
        number=number,
        tip=tip,
        outcome="included",
        reason="every commit is in force",
        how=how,
        by=by,
        carriers=_here(history, number, tip),
        evidence=tuple(c.sha for c in best),
    )


def _whole(history: History, number: int, tip: str) -> Iterator[list[Carrier]]:
    """Yield, for each way in which a request is in force as a whole, what holds it."""
    for way in history.ways(number):
        living = [[c for c in commit if history.is_alive(c.sha, tip)] for commit in way]
        if all(living):
            yield [carriers[0] for carriers in living]


_ORDER = (
    CarrierRole.LANDING,
    CarrierRole.SYNC,
    CarrierRole.PROMOTION,
    CarrierRole.STACK,
    CarrierRole.TWIN,
    CarrierRole.PICK,
    CarrierRole.RESTORE,
)


def _route(history: History, carrier: Carrier, tip: str) -> tuple[How, tuple[int, ...]]:
    undoing = history.undone(carrier.sha, tip)
    if carrier.role is CarrierRole.RESTORE or undoing:
        restoring = undoing or (carrier.sha,)
        return "restored", tuple(_owners(history, restoring))
    if carrier.role is CarrierRole.PICK:
        return "cherry-picked", (carrier.via,) if carrier.via else ()
    if carrier.role in (CarrierRole.STACK, CarrierRole.TWIN):
        return "via", (carrier.via,) if carrier.via else ()
    entry = history.line(tip).entry(carrier.sha)
    brought = history.carriers.own(entry) if entry else None
    if brought is not None and brought != carrier.number:
        return "via", (brought,)
    return "direct", ()


def _partly(history: History, number: int, tip: str) -> Verdict | None:
    living = [c for c in history.contents(number) if history.is_alive(c.sha, tip)]
    if not living:
        return None
    partly = Verdict(
        number=number,
        tip=tip,
        outcome="partly",
        reason="some commits are in force",
        carriers=_here(history, number, tip),
        evidence=tuple(carrier.sha for carrier in living),
    )
    unsure = tuple(carrier.sha for carrier in living if history.may_hold_more(carrier))
    if not unsure:
        return partly
    reason: Reason = "a copy may hold more than its original"
    return replace(partly, outcome="undetermined", reason=reason, evidence=unsure)


def _reverted(history: History, number: int, tip: str) -> Verdict | None:
    here = _here(history, number, tip)
    if not here:
        return None
    killers = dict.fromkeys(y for c in here for y in history.killers(c.sha, tip))
    return Verdict(
        number=number,
        tip=tip,
        outcome="reverted",
        reason="a revert is in force",
        by=tuple(_owners(history, killers)),
        carriers=here,
        evidence=tuple(killers),
    )


def _absent(history: History, number: int, tip: str) -> Verdict:
    base = Verdict(number=number, tip=tip, outcome="not_included", reason="open")
    if history.reach.missing_of(tip):
        return replace(base, outcome="undetermined", reason="history is incomplete")
    carriers = history.carriers_then(number)
    if carriers:
        branches = tuple(_branches(history, carriers))
        default = next(iter(history.branches), None)
        cut = default in branches and tip not in history.branches.values()
        reason: Reason = "after the cut" if cut else "on other branches only"
        return replace(base, reason=reason, branches=branches)
    request = history.requests.get(number)
    state = None if request is None else request.state
    if leaves_traces(history, number):
        return base if state == "open" else replace(base, reason="closed without a merge")
    reason = "nothing is known of it" if state is None else "no commit is known"
    return replace(base, outcome="undetermined", reason=reason)


def leaves_traces(history: History, number: int) -> bool:
    """Tell whether a tip that has no trace of a request therefore lacks it: not so of one that may
    have been merged without any commit that shows it.
    """
    request = history.requests.get(number)
    state = None if request is None else request.state
    return bool(history.carriers_then(number)) or state in ("open", "closed")


def _branches(history: History, carriers: Iterable[Carrier]) -> Iterator[str]:
    alive = 0
    for carrier in carriers:
        alive |= history.standing.get(carrier.sha, 0)
    for name, tip in history.branches.items():
        if alive & history.reach.bit(tip):
            yield name


def _owners(history: History, shas: Iterable[str]) -> Iterator[int]:
    owners = (history.carriers.own(sha) for sha in shas)
    return iter(dict.fromkeys(number for number in owners if number is not None))
