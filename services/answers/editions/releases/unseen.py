"""Brought requests of which nothing but commits is recorded: told by what a commit calls them."""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from projections.period_ledger.change_groups.grouping import ChangeGroup
from projections.period_ledger.change_groups.members import Member
from projections.period_ledger.change_groups.queries import ChangeGroups
from projections.release_inclusion.history.carriers import OWN_ROLES
from services.answers.releases.context import ReleaseContext

_NUMBER: Final = re.compile(r"(?<!\s)\s*+\(#\d+\)\s*+$")


def with_unseen(
    groups: ChangeGroups, context: ReleaseContext, numbers: Iterable[int]
) -> ChangeGroups:
    """Add the requests that no source but git's commits shows, each as a change of its own."""
    unseen = sorted(set(numbers) - groups.members.keys())
    added = {number: _member(context, number) for number in unseen}
    alone = (ChangeGroup(numbers=(number,), lead=number) for number in unseen)
    ordered = sorted((*groups.grouping.groups, *alone), key=lambda group: group.lead)
    return msgspec.structs.replace(
        groups,
        members={**groups.members, **added},
        grouping=msgspec.structs.replace(groups.grouping, groups=tuple(ordered)),
    )


def _member(context: ReleaseContext, number: int) -> Member:
    return Member(number=number, title=_subject(context, number), state="merged")


def _subject(context: ReleaseContext, number: int) -> str:
    """Return the subject of the commit that lands it, else of one that brings it."""
    carriers = context.view.history.carriers.of(number)
    shas = [
        carrier.sha
        for carrier in sorted(carriers, key=lambda carrier: carrier.role not in OWN_ROLES)
    ]
    commits = context.commits(shas[:1])
    return _NUMBER.sub("", commits[shas[0]].commit.subject) if commits else ""
