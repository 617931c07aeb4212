"""A request's list of files, and how lists of several commits become one. Pure."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from projections.period_ledger.exclusions import ListState
from projections.release_inclusion.commit_paths import RecordedCommit

Origin: TypeAlias = Literal["landing", "head", "api", "nothing"]


class Files(msgspec.Struct, frozen=True, kw_only=True):
    """The paths of one request, sorted, where they come from, and the records that show them.

    `commits` are those whose differences are the change; empty where a list of the API is.
    """

    paths: tuple[str, ...] = ()
    state: ListState = "missing"
    origin: Origin = "nothing"
    commits: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


def union(shas: Sequence[str], known: Mapping[str, RecordedCommit], origin: Origin) -> Files:
    """Join the paths of commits; the list is missing where those of one commit are."""
    commits = [known[sha] for sha in shas if sha in known]
    paths = {path for each in commits for path in each.commit.paths or ()}
    whole = len(commits) == len(shas) and all(each.commit.paths is not None for each in commits)
    state: ListState = "missing" if not whole else "whole" if paths else "empty"
    return Files(
        paths=tuple(sorted(paths)),
        state=state,
        origin=origin,
        commits=tuple(shas),
        records=tuple(sorted({each.record_id for each in commits})),
    )
