"""Refs as a clone has them, and as the repository it was cloned from has them.

A clone keeps the branches of its origin under other names (`refs/remotes/origin/main`), beside
local branches that the origin may never have seen. Where a clone follows a remote, only what it
follows speaks for the repository, under the names it has there; the mapping is the remote's own
fetch setting, read backwards. A bare clone, a mirror and a repository without remotes speak with
their own names.

A `Reading` says when a clone was brought up to date, and which refs it speaks for.
"""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

import msgspec

from events.instant import Instant
from services.intake.git.commits import instant_of

HEADS: Final = "refs/heads/"
TAGS: Final = "refs/tags/"
PULLS: Final = "refs/pull/"

#: Branches of the merge queue, notes and stashes are not read: their commits were never anyone's
#: work. Heads of requests are: the paths of a request's own commits are known by them. Of test
#: merges the refs are read and not the commits: GitHub keeps one of a request that is open.
_WANTED: Final = re.compile(
    r"refs/(?:heads/(?!gh-readonly-queue/).+|tags/.+|pull/[1-9][0-9]*/(?:head|merge))"
)
_TEST_MERGE: Final = re.compile(r"refs/pull/[1-9][0-9]*/merge")

_REF_FIELDS: Final = (
    "%(refname)", "%(symref)", "%(objecttype)", "%(objectname)",
    "%(*objecttype)", "%(*objectname)",
    "%(taggerdate:unix)", "%(committerdate:unix)", "%(*committerdate:unix)",
)  # fmt: skip
FOR_EACH_REF_ARGUMENTS: Final = (
    "for-each-ref",
    "--format=" + "%00".join(_REF_FIELDS),
    "refs/heads",
    "refs/tags",
    "refs/remotes",
    "refs/pull",
)


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """When a clone was read, and when the reading before it was.

    Every ref had its value by `at`. `last` is when the reading before began to ask (None: there
    was none), so a ref that changed between the two had its old value then.
    """

    at: Instant
    last: Instant | None = None
    follows: tuple[str, ...] | None = None
    """Patterns of the refs (`refs/heads/*`) that the clone follows completely: what is missing
    among them is gone, and others are not read. None where the clone itself has to tell."""
    followed: tuple[str, ...] | None = None
    """The same of the reading before: what it did not follow is seen for the first time."""

    def last_of(self, name: str) -> Instant | None:
        """Return when a ref was last read, None where this is the first sight of it."""
        if self.followed is not None and not matches(name, self.followed):
            return None
        return self.last


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether one of the patterns of a fetch takes a ref; `*` stands for any text."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def is_test_merge(name: str) -> bool:
    """Tell whether GitHub made what a ref points to, to see whether a request can be merged."""
    return _TEST_MERGE.fullmatch(name) is not None


class ClonedRef(msgspec.Struct, frozen=True, kw_only=True):
    """A ref in a clone: `sha` is peeled, None where it leads to no commit (a tag of a tree).

    `tag_object` is set of annotated tags only, and then `tagged_at` where the tag names a date.
    """

    name: str
    sha: str | None
    tag_object: str | None = None
    tagged_at: Instant | None = None
    committed_at: Instant | None = None
    points_to: str | None = None
    """Of a symbolic ref: the name of the other."""


class Remote(msgspec.Struct, frozen=True, kw_only=True):
    """A remote as the clone's configuration has it; `fetch` are its refspecs."""

    name: str
    url: str = ""
    fetch: tuple[str, ...] = ()

    @property
    def follows_all_branches(self) -> bool:
        """Tell whether a fetch brings every branch (not so in a clone of a single branch)."""
        sources = {spec.lstrip("+").partition(":")[0] for spec in self.fetch}
        return bool(sources & {"refs/heads/*", "refs/*"})


class PublishedRefs(msgspec.Struct, frozen=True, kw_only=True):
    """The refs of the repository that a clone speaks for, under the names they have there."""

    refs: tuple[ClonedRef, ...]
    remote: Remote | None
    default_branch: str | None
    """What the clone says of it; None where it does not."""

    def tips(self) -> list[str]:
        """Return the commits whose histories are read, sorted."""
        return sorted({ref.sha for ref in self.refs if ref.sha and not is_test_merge(ref.name)})

    def branches(self) -> dict[str, str]:
        """Return the commit of each branch, by short name."""
        heads = (ref for ref in self.refs if ref.name.startswith(HEADS) and ref.sha)
        return {ref.name.removeprefix(HEADS): ref.sha for ref in heads if ref.sha}


def parse_refs(output: bytes) -> list[ClonedRef]:
    """Read what `git for-each-ref` with FOR_EACH_REF_ARGUMENTS prints.

    A tag of a tag is peeled once only: its `sha` is None here, and its `tag_object` is set.
    """
    return [_ref(line.split(b"\0")) for line in output.split(b"\n") if line]


class _Fields(NamedTuple):
    name: bytes
    symref: bytes
    type: bytes
    object: bytes
    peeled_type: bytes
    peeled: bytes
    tagged: bytes
    committed: bytes
    peeled_committed: bytes


def _ref(raw: Sequence[bytes]) -> ClonedRef:
    fields = _Fields(*raw)
    annotated = fields.type == b"tag"
    kind, target = (
        (fields.peeled_type, fields.peeled) if annotated else (fields.type, fields.object)
    )
    committed = fields.peeled_committed if annotated else fields.committed
    return ClonedRef(
        name=fields.name.decode("utf-8", "replace"),
        sha=target.decode("ascii") if kind == b"commit" else None,
        tag_object=fields.object.decode("ascii") if annotated else None,
        tagged_at=instant_of(fields.tagged) if fields.tagged else None,
        committed_at=instant_of(committed) if committed else None,
        points_to=fields.symref.decode("utf-8", "replace") or None,
    )


def parse_remotes(output: bytes) -> list[Remote]:
    """Read what `git config -z --get-regexp` prints of `remote.*.url` and `remote.*.fetch`."""
    urls: dict[str, str] = {}
    fetches: dict[str, list[str]] = {}
    for item in output.decode("utf-8", "replace").split("\0"):
        key, _, value = item.partition("\n")
        name, _, setting = key.removeprefix("remote.").rpartition(".")
        if setting == "url":
            urls.setdefault(name, value)
        elif setting == "fetch":
            fetches.setdefault(name, []).append(value)
    names = sorted(urls.keys() | fetches.keys())
    return [Remote(name=n, url=urls.get(n, ""), fetch=tuple(fetches.get(n, ()))) for n in names]


def published_refs(
    refs: Sequence[ClonedRef], remotes: Iterable[Remote], full_name: str, head: str | None
) -> PublishedRefs:
    """Return the refs that a clone knows of the repository `full_name`.

    Of several remotes it is the one whose URL ends with the name, else `origin`, else the first.
    `head` is the branch that the clone itself stands on.
    """
    followed = [
        remote for remote in remotes if any(_upstream_name(ref.name, remote) for ref in refs)
    ]
    if not followed:
        own = tuple(ref for ref in refs if _WANTED.fullmatch(ref.name) and not ref.points_to)
        return PublishedRefs(refs=own, remote=None, default_branch=head)
    remote = min(
        followed,
        key=lambda remote: (not _is_for(remote, full_name), remote.name != "origin", remote.name),
    )
    return _through(remote, refs)


def _through(remote: Remote, refs: Sequence[ClonedRef]) -> PublishedRefs:
    published: dict[str, ClonedRef] = {}
    default = None
    for ref in refs:
        own = ref.name if ref.name.startswith((TAGS, PULLS)) else None
        name = _upstream_name(ref.name, remote) or own
        if ref.points_to:
            if ref.name == f"refs/remotes/{remote.name}/HEAD":
                default = _upstream_name(ref.points_to, remote)
        elif name and _WANTED.fullmatch(name):
            published.setdefault(name, msgspec.structs.replace(ref, name=name))
    return PublishedRefs(
        refs=tuple(published.values()),
        remote=remote,
        default_branch=default.removeprefix(HEADS) if default else None,
    )


def _upstream_name(local: str, remote: Remote) -> str | None:
    """Return the name that a remote-tracking ref has at the remote, by the narrowest refspec."""
    if not local.startswith("refs/remotes/"):
        return None
    matches = []
    for spec in remote.fetch:
        source, _, target = spec.lstrip("+").partition(":")
        if source == target:  # a mirror keeps all names, also those that somebody pushed there
            continue
        before, star, after = target.partition("*")
        long_enough = len(local) > len(before) + len(after)
        if star and long_enough and local.startswith(before) and local.endswith(after):
            middle = local[len(before) : len(local) - len(after)]
            matches.append((len(before), source.replace("*", middle)))
        elif not star and local == target:
            matches.append((len(target), source))
    return max(matches)[1] if matches else None


def _is_for(remote: Remote, full_name: str) -> bool:
    url = remote.url.lower().rstrip("/").removesuffix(".git")
    return url.endswith((f"/{full_name.lower()}", f":{full_name.lower()}"))
