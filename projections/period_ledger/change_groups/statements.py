"""All that the title, text and branch of one request say about others. Pure.

Cherry-picks, reverts and restores are read by the templates of `release_inclusion`, which reads
commit messages by them: a request's title and text become that message when it is squashed.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from projections.period_ledger.change_groups.branch_names import read_branch
from projections.period_ledger.change_groups.members import Kind, Member, Statement
from projections.period_ledger.change_groups.port_words import own_words, read_text, read_title
from projections.release_inclusion.messages.mention import Certainty, Mention, Role
from projections.release_inclusion.messages.reading import read_mentions
from projections.release_inclusion.messages.references import Names

_KINDS: Final = {Role.PICK: Kind.PICK, Role.REVERT: Kind.REVERT, Role.RESTORE: Kind.RESUBMISSION}
#: git takes abbreviations of seven digits and more.
_SHORTEST_SHA: Final = 7


class SpokenWords(msgspec.Struct, frozen=True):
    """What one request says, read once: its mentions, and statements that need no commits."""

    mentions: tuple[Mention, ...]
    statements: tuple[Statement, ...]


def read_words(member: Member, names: Names) -> SpokenWords:
    """Read title, text and branch of a request; `names` are the repository's own."""
    text = own_words(member.text)
    return SpokenWords(
        mentions=tuple(read_mentions(member.title, text, names)),
        statements=(*_port_words(member, text, names), *read_branch(member)),
    )


def read_statements(
    member: Member, names: Names, commits: Mapping[str, int] | None = None
) -> tuple[Statement, ...]:
    """Return what a request says; `commits` tells which request a SHA means."""
    return stated(member, read_words(member, names), commits or {})


def stated(member: Member, heard: SpokenWords, commits: Mapping[str, int]) -> tuple[Statement, ...]:
    """Return what a request says, each target and kind once, the most certain first."""
    mentioned = [
        _statement(member, mention, target)
        for mention in heard.mentions
        if (target := _target(mention, commits)) is not None
    ]
    statements = [*mentioned, *heard.statements]
    others = [statement for statement in statements if statement.target != member.number]
    best: dict[tuple[int, Kind], Statement] = {}
    for statement in sorted(others, key=lambda statement: not statement.certain):
        # a backport is a pick and a port: one statement, by the template that says more
        kind = Kind.PICK if statement.kind is Kind.PORT else statement.kind
        best.setdefault((statement.target, kind), statement)
    return tuple(best.values())


def _port_words(member: Member, text: str, names: Names) -> Iterator[Statement]:
    for place, words in (
        ("title", read_title(member.title, names)),
        ("text", read_text(text, names)),
    ):
        for port in words:
            yield Statement(
                number=member.number,
                target=port.target,
                kind=Kind.PORT,
                method="port words",
                place=place,
                says=port.says,
                certain=port.certain,
                branch=port.branch,
            )


def _target(mention: Mention, commits: Mapping[str, int]) -> int | None:
    if mention.number is not None:
        return mention.number
    if mention.sha is None or len(mention.sha) < _SHORTEST_SHA:
        return None
    if mention.sha in commits:
        return commits[mention.sha]
    meant = {number for sha, number in commits.items() if sha.startswith(mention.sha)}
    return meant.pop() if len(meant) == 1 else None


def _statement(member: Member, mention: Mention, target: int) -> Statement:
    named = mention.sha or f"{target}"
    in_title = named in member.title
    source = member.title if in_title else member.text
    says = next((line.strip() for line in source.splitlines() if named in line), member.title)
    return Statement(
        number=member.number,
        target=target,
        kind=_KINDS[mention.role],
        method=mention.method,
        place="title" if in_title else "text",
        says=says,
        certain=mention.certainty is Certainty.CERTAIN,
    )


def resubmissions(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return the statements, with each revert of a revert told as what it is: a resubmission.

    A request that reverts a revert of #N brings #N back; one that reverts that takes it away
    again, however long the chain is. Only certain reverts count in it.
    """
    given = tuple(statements)
    by_number: dict[int, list[Statement]] = {}
    for statement in given:
        by_number.setdefault(statement.number, []).append(statement)
    added = [
        _brought(statement, target, kind)
        for statement in given
        if statement.kind is Kind.REVERT and statement.certain
        for target, kind in _undone(statement.target, by_number, frozenset((statement.number,)))
    ]
    return (*given, *added)


def _undone(
    number: int, by_number: Mapping[int, list[Statement]], passed: frozenset[int]
) -> Iterator[tuple[int, Kind]]:
    """Yield what it means for others that a request is reverted."""
    if number in passed:
        return
    for statement in by_number.get(number, ()):
        if not statement.certain:
            continue
        if statement.kind is Kind.REVERT:
            yield statement.target, Kind.RESUBMISSION
            for target, kind in _undone(statement.target, by_number, passed | {number}):
                yield target, _OPPOSITE[kind]
        elif statement.kind is Kind.RESUBMISSION:
            yield statement.target, Kind.REVERT


_OPPOSITE: Final = {Kind.RESUBMISSION: Kind.REVERT, Kind.REVERT: Kind.RESUBMISSION}


def _brought(statement: Statement, target: int, kind: Kind) -> Statement:
    return Statement(
        number=statement.number,
        target=target,
        kind=kind,
        method="undone revert",
        place=statement.place,
        says=statement.says,
        certain=True,
    )
