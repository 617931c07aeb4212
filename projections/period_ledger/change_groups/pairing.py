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
        self._words: dict[int, SpokenWords] = {}

    def statements(self, members: Mapping[int, Member]) -> tuple[Statement, ...]:
        """Return what all members say, by what is known of their commits together."""
        commits = {
            sha: number for number, member in sorted(members.items()) for sha in member.commits
        }
        return tuple(
            statement
            for number, member in sorted(members.items())
            for statement in stated(member, self._words_of(number, member), commits)
        )

    def _words_of(self, number: int, member: Member) -> SpokenWords:
        words = self._words.get(number)
        if words is None:
            words = self._words[number] = read_words(member, self._names)
        return words


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
    resolved = resubmissions(statements)
    reverts = {
        (statement.number, statement.target)
        for statement in resolved
        if statement.kind is Kind.REVERT and statement.certain and statement.target in members
    }
    speaking = frozenset(
        statement.number for statement in resolved if statement.kind is Kind.REVERT
    )
    pairs = [
        *_stated(members, resolved),
        *_carried(members, carriers),
        *equal_patches(members, reverts),
        *similar_titles(members, near, speaking),
    ]
    # one that takes a change away does not bring it, whatever else fits
    against = {frozenset(ends) for ends in reverts}
    kept = (pair for pair in pairs if frozenset((pair.number, pair.origin)) not in against)
    return Relations(pairs=strongest(kept), reverts=tuple(sorted(reverts)))


def _stated(members: Mapping[int, Member], statements: Iterable[Statement]) -> Iterator[Pair]:
    for statement in statements:
        if (
            statement.kind is Kind.REVERT
            or statement.number not in members
            or statement.target not in members
        ):
            continue
        doubt = _doubt(members[statement.number], members[statement.target], statement)
        confidence = CONFIDENCE[statement.place]
        yield Pair(
            number=statement.number,
            origin=statement.target,
            kind=statement.kind,
            method=statement.method,
            confidence=round(confidence / 2, 3) if doubt else confidence,
            certain=not doubt,
            says=statement.says,
            doubt=doubt,
        )


def _doubt(speaker: Member, target: Member, statement: Statement) -> str:
    """Return what keeps a statement from joining two requests; empty where nothing does."""
    if not statement.certain:
        return "the words may mean something else"
    if statement.kind is Kind.RESUBMISSION:
        return ""
    if speaker.base == target.base:
        return "both go to one branch"
    if statement.branch and statement.branch not in (target.base, target.role):
        return f"the words name {statement.branch}, and #{target.number} goes to {target.base}"
    return ""


def _carried(members: Mapping[int, Member], carriers: Iterable[Carrier]) -> Iterator[Pair]:
    for carrier in carriers:
        kind = _CARRIED.get(carrier.role)
        if kind is None or carrier.via is None or carrier.via == carrier.number:
            continue
        if carrier.via in members and carrier.number in members:
            yield Pair(
                number=carrier.via,
                origin=carrier.number,
                kind=kind,
                method=f"commit: {carrier.method.value}",
                confidence=CONFIDENCE["commit"],
                certain=True,
                says=carrier.sha,
            )
