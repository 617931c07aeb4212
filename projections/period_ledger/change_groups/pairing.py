"""From statements, patches, titles and commits to pairs of requests. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from projections.period_ledger.change_groups.members import (
    CONFIDENCE,
    Kind,
    Member,
    Pair,
    Statement,
    strongest,
)
from projections.period_ledger.change_groups.similarity import equal_patches, similar_titles
from projections.period_ledger.change_groups.statements import (
    SpokenWords,
    read_words,
    resubmissions,
    stated,
)
from projections.release_inclusion.history.carriers import Carrier, CarrierRole
from projections.release_inclusion.messages.references import Names

_CARRIED: Final = {CarrierRole.PICK: Kind.PICK, CarrierRole.RESTORE: Kind.RESUBMISSION}


class Relations(msgspec.Struct, frozen=True, kw_only=True):
    """All that ties requests: `pairs` may join them, `reverts` (number, target) take them away."""

    pairs: tuple[Pair, ...]
    reverts: tuple[tuple[int, int], ...]


class StatementReader:
    """Hears what requests say of each other; each is read once, however often it is asked."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._heard: dict[int, SpokenWords] = {}

    def statements(self, members: Mapping[int, Member]) -> tuple[Statement, ...]:
        """Return what all members say, by what is known of their commits together."""
        commits = {sha: number for number, one in sorted(members.items()) for sha in one.commits}
        return tuple(
            said
            for number, one in sorted(members.items())
            for said in stated(one, self._hear(number, one), commits)
        )

    def _hear(self, number: int, member: Member) -> SpokenWords:
        found = self._heard.get(number)
        if found is None:
            found = self._heard[number] = read_words(member, self._names)
        return found


def relations(
    members: Mapping[int, Member],
    statements: Iterable[Statement],
    near: Mapping[tuple[int, int], float],
    carriers: Iterable[Carrier] = (),
) -> Relations:
    """Find everything that ties the members: what they say, and whose titles are `near`.

    `carriers` are those of the commit graph, where one is recorded: they show cherry-picks that
    only a commit tells.
    """
    told = resubmissions(statements)
    reverts = {
        (one.number, one.target)
        for one in told
        if one.kind is Kind.REVERT and one.certain and one.target in members
    }
    speaking = frozenset(one.number for one in told if one.kind is Kind.REVERT)
    pairs = [
        *_stated(members, told),
        *_carried(members, carriers),
        *equal_patches(members, reverts),
        *similar_titles(members, near, speaking),
    ]
    # one that takes a change away does not bring it, whatever else fits
    against = {frozenset(ends) for ends in reverts}
    kept = (one for one in pairs if frozenset((one.number, one.origin)) not in against)
    return Relations(pairs=strongest(kept), reverts=tuple(sorted(reverts)))


def _stated(members: Mapping[int, Member], told: Iterable[Statement]) -> Iterator[Pair]:
    for one in told:
        if one.kind is Kind.REVERT or one.number not in members or one.target not in members:
            continue
        doubt = _doubt(members[one.number], members[one.target], one)
        confidence = CONFIDENCE[one.place]
        yield Pair(
            number=one.number,
            origin=one.target,
            kind=one.kind,
            method=one.method,
            confidence=round(confidence / 2, 3) if doubt else confidence,
            certain=not doubt,
            says=one.says,
            doubt=doubt,
        )


def _doubt(speaker: Member, target: Member, one: Statement) -> str:
    """Return what keeps a statement from joining two requests; empty where nothing does."""
    if not one.certain:
        return "the words may mean something else"
    if one.kind is Kind.RESUBMISSION:
        return ""
    if speaker.base == target.base:
        return "both go to one branch"
    if one.branch and one.branch not in (target.base, target.role):
        return f"the words name {one.branch}, and #{target.number} goes to {target.base}"
    return ""


def _carried(members: Mapping[int, Member], carriers: Iterable[Carrier]) -> Iterator[Pair]:
    for one in carriers:
        kind = _CARRIED.get(one.role)
        if kind is None or one.via is None or one.via == one.number:
            continue
        if one.via in members and one.number in members:
            yield Pair(
                number=one.via,
                origin=one.number,
                kind=kind,
                method=f"commit: {one.method.value}",
                confidence=CONFIDENCE["commit"],
                certain=True,
                says=one.sha,
            )
