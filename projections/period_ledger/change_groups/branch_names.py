"""What the name of a request's own branch says: robots and people put the number there."""

import re
from collections.abc import Iterator
from typing import Final

from projections.period_ledger.change_groups.members import Kind, Member, Statement
from projections.release_inclusion.messages.references import bare_numbers

_N: Final = r"[1-9][0-9]{0,8}"
_TEMPLATES: Final = (
    (Kind.PICK, "cherry-pick branch", rf"(?:.*/)?cherry-pick-({_N})-[\w.].*"),
    (Kind.PICK, "backport branch", rf"(?:.*/)?backport-({_N})-to-.+"),
    (Kind.PICK, "mergify branch", rf"mergify/bp/.+/pr-({_N})"),
    (Kind.PICK, "patchback branch", rf"patchback/backports/.+/[0-9a-f]{{40}}/pr-({_N})"),
    (
        Kind.PICK,
        "automated cherry-pick branch",
        rf"(?:.*/)?automated-cherry-pick-of-((?:#{_N}-){{1,99}}).*",
    ),
    (Kind.REVERT, "revert branch", rf"revert-({_N})-.+"),
    (Kind.PORT, "port branch", rf"(?:.*/)?(?:forward-?|back-?)?port[-_/]#?({_N})(?:[-_/].*)?"),
)
_READ: Final = tuple((kind, name, re.compile(pattern)) for kind, name, pattern in _TEMPLATES)
#: Words of a branch name that tell where the change goes and not what it is.
_WHERE: Final = re.compile(
    r"(?<![a-z0-9])(?:main|master|dev|develop|port|ported|backport|pick|cherry|to|for|copy|pr)"
    r"(?![a-z0-9])",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"[\W_]+")


def read_branch(member: Member) -> Iterator[Statement]:
    """Yield what the branch's name says by a known template.

    The number of a port branch may be that of an issue, so it needs a person.
    """
    for kind, method, pattern in _READ:
        match = pattern.fullmatch(member.head or "")
        if match is None:
            continue
        for target in bare_numbers(match[1].replace("#", " ").replace("-", " ")):
            yield Statement(
                number=member.number,
                target=target,
                kind=kind,
                method=method,
                place="branch",
                says=member.head or "",
                certain=kind is not Kind.PORT,
            )
        return


def branch_stem(head: str | None) -> str:
    """Return what a branch's name says of the change itself; empty where that is nothing."""
    return _MARKS.sub(" ", _WHERE.sub(" ", head or "")).strip().lower()
