"""How good a count is: `exact` needs proof, `at_least` a named doubt, `unknown` has no value. Pure.

MODEL.md 4: exact needs, for the whole range, a census at or before its start (or the repository's
creation), no unexplained number, no open gap and no unresolved outcome.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from events.instant import INF, Instant, format_instant
from projections.period_ledger.counting import DEFINITIONS
from projections.pull_requests.numbers import Stretch

Quality: TypeAlias = Literal["exact", "at_least", "unknown"]

#: How many numbers a sentence names before it says "and n more".
_NAMED: Final = 10
#: How many missing numbers are listed one by one; beyond that they are only counted.
LISTED: Final = 1_000
#: Kinds of doubt that leave the counts their quality. What is heard of later does not change the
#: counts of a month; it only proves that nothing of it was lost.
_TAKES_NOTHING: Final = frozenset({"notice", "unheard"})


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """One named reason why a period is not known completely.

    `kind`: `git_only`, `no_start`, `unexplained`, `gap`, `unresolved`, `set_aside`, `conflict`,
    `undated`; or, of those that take nothing from the quality, `unheard` and `notice`. `unheard`
    keeps a period from being complete, and a `notice` does not even that. The `end` of `git_only`
    and the `start` of `unheard` are the moments until which something is known.
    """

    kind: str
    says: str
    start: Instant | None = None
    end: Instant | None = None
    numbers: tuple[int, ...] = ()
    evidence: tuple[str, ...] = ()


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of which nothing is recorded: how many, and the first thousand of them."""

    count: int = 0
    numbers: tuple[int, ...] = ()


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about the completeness of [a, b) at one K."""

    shown: bool
    """Some full object of a webhook, the API or an archive was recorded."""
    anchored: bool
    """A complete census at or before a, or the creation of the repository, is recorded."""
    b: Instant = 0
    """The end of the period."""
    heard: Instant | None = INF
    """The latest moment of any delivery, listing or fetch: what was lost later shows in nothing."""
    landed: Instant | None = None
    """When the newest commit that lands a request was made."""
    unexplained: Missing = Missing()
    unresolved: Sequence[int] = ()
    undated: Sequence[int] = ()
    gaps: Sequence[Doubt] = ()
    set_aside: Sequence[Doubt] = ()
    conflicts: Sequence[Doubt] = ()


def doubts(proof: Proof) -> tuple[Doubt, ...]:
    """Return everything that stands between the counts and `exact`, worst first."""
    all_doubts: list[Doubt] = []
    if not proof.shown:
        all_doubts.append(_git_only(proof.landed))
    elif not proof.anchored:
        all_doubts.append(
            Doubt(
                kind="no_start",
                says="no full listing is recorded at or before the start, nor the creation",
            )
        )
    if proof.shown and proof.unexplained.count:
        numbers = proof.unexplained.numbers
        says = f"{named(numbers, proof.unexplained.count)}: nothing is recorded of these numbers"
        all_doubts.append(Doubt(kind="unexplained", says=says, numbers=numbers))
    if proof.unresolved:
        says = f"{named(proof.unresolved)}: the outcome has to be looked up"
        all_doubts.append(Doubt(kind="unresolved", says=says, numbers=tuple(proof.unresolved)))
    if proof.undated:
        says = f"{named(proof.undated)}: merged or closed, but nothing says when"
        all_doubts.append(Doubt(kind="undated", says=says, numbers=tuple(proof.undated)))
    all_doubts += [*proof.gaps, *proof.set_aside, *proof.conflicts]
    if proof.heard is None or proof.heard < proof.b:
        all_doubts.append(_unheard(proof.heard))
    return tuple(all_doubts)


def known_until(proof: Proof, a: Instant) -> Instant:
    """Return the bound up to which something of the period [a, b) is known: b where it is whole.

    A clone that was read late may be an old one: from git alone, the newest landing is the bound.
    """
    last = proof.heard if proof.shown else proof.landed
    return proof.b if last is None else min(proof.b, max(a, last) + 1)


def _git_only(landed: Instant | None) -> Doubt:
    until = "" if landed is None else f" up to a merge of {format_instant(landed)}"
    return Doubt(
        kind="git_only",
        says=(
            f"only git history is recorded{until}: merges that leave a number in it are seen; "
            "what was opened, closed or left open is not"
        ),
        end=landed,
    )


def _unheard(heard: Instant | None) -> Doubt:
    """Doubt the end: a delivery that was lost shows by what is heard after it."""
    after = "" if heard is None else f" after {format_instant(heard)}"
    return Doubt(
        kind="unheard",
        says=f"nothing was heard of the repository{after}, so what was lost since cannot show",
        start=heard,
    )


def qualities(proof: Proof) -> dict[str, Quality]:
    """Return the quality of every count."""
    if not proof.shown:
        return {name: "at_least" if name == "merged" else "unknown" for name in DEFINITIONS}
    takes = [doubt for doubt in doubts(proof) if doubt.kind not in _TAKES_NOTHING]
    return dict.fromkeys(DEFINITIONS, "at_least" if takes else "exact")


def missing(shown: Iterable[Stretch], start: int, end: int, *, also: Iterable[int] = ()) -> Missing:
    """Return the numbers of [start, end) that were not shown whole, and those of `also`.

    A single record may name a number of any size, so gaps are walked and never spread out.
    """
    first = sorted(set(also))
    total = len(first)
    for gap in _gaps(shown, start, end):
        if isinstance(gap, int):
            total += gap
        else:
            total += len(gap)
            first += gap[: max(0, LISTED - len(first))]
    return Missing(count=total, numbers=tuple(sorted(first)))


def _gaps(shown: Iterable[Stretch], start: int, end: int) -> Iterator[range | int]:
    """Yield what lacks: as a range, or as a number where nobody looked up which."""
    at = start
    for stretch in shown:
        yield range(at, stretch.start)
        if stretch.numbers is None:
            yield stretch.lacking
        else:
            edges = zip(
                [stretch.start - 1, *stretch.numbers], [*stretch.numbers, stretch.stop], strict=True
            )
            yield from (range(before + 1, after) for before, after in edges)
        at = stretch.stop
    if at < end:
        yield range(at, end)


def named(numbers: Sequence[int], count: int | None = None) -> str:
    """Write numbers for a sentence: `#3, #5 and 7 more`; `count` where there are more of them."""
    text = ", ".join(f"#{number}" for number in numbers[:_NAMED])
    more = (len(numbers) if count is None else count) - min(len(numbers), _NAMED)
    return f"{text} and {more} more" if more > 0 else text


def shown_counts(
    counts: Mapping[str, int], quality: Mapping[str, Quality]
) -> dict[str, int | None]:
    """Return the counts as they may be shown: None where the quality is unknown."""
    return {name: None if quality[name] == "unknown" else value for name, value in counts.items()}
