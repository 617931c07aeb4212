"""What changed between two readings of a repository's refs, and since when. Pure but for one
question to git: was a branch moved by force?

Valid time (MODEL.md 5): at first sight the tagger's date, else the tip's committer date, which is
only `assumed`; later a tagger's date if it lies after the reading before, else the time of this
reading, with the reading before as `not_before`. No ref has a value later than it was read.
A clone that was stale at the reading before can only make `at` late, never early.
"""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from events.facts.git import RefObserved
from events.instant import Instant
from services.git.refs import HEADS, PULLS, TAGS, ClonedRef, PublishedRefs

IsAncestor: TypeAlias = Callable[[str, str], "bool | None"]
Evidence: TypeAlias = Literal["tagger", "fetched", "assumed"]


def ref_changes(
    published: PublishedRefs,
    known: Mapping[str, RefObserved],
    *,
    last_read: Instant | None,
    now: Instant,
    is_ancestor: IsAncestor,
) -> list[RefObserved]:
    """Return the refs that are new, moved or gone since `last_read` (None: never read before)."""
    present = {ref.name: ref for ref in published.refs if ref.sha}
    changes = []
    for name, ref in sorted(present.items()):
        before = known.get(name)
        if before and (before.sha, before.tag_object) == (ref.sha, ref.tag_object):
            continue
        changes.append(_change(ref, before.sha if before else None, last_read, now, is_ancestor))
    gone = [
        ref
        for name, ref in sorted(known.items())
        if ref.sha and name not in present and _absence_is_proof(name, published)
    ]
    changes += [_deletion(ref, last_read, now) for ref in gone]
    return changes


def _change(
    ref: ClonedRef,
    before: str | None,
    last_read: Instant | None,
    now: Instant,
    is_ancestor: IsAncestor,
) -> RefObserved:
    at, evidence = _since(ref, last_read, now)
    forced = None
    if before and ref.sha and ref.name.startswith(HEADS):
        kept = is_ancestor(before, ref.sha)
        forced = None if kept is None else not kept
    return RefObserved(
        ref=ref.name,
        sha=ref.sha,
        at=at,
        evidence=evidence,
        tag_object=ref.tag_object,
        before=before,
        not_before=last_read if evidence == "fetched" else None,
        forced=forced,
    )


def _since(ref: ClonedRef, last_read: Instant | None, now: Instant) -> tuple[Instant, Evidence]:
    if ref.tagged_at is not None and (last_read is None or last_read < ref.tagged_at <= now):
        return min(ref.tagged_at, now), "tagger"
    if last_read is None and ref.committed_at is not None:
        return min(ref.committed_at, now), "assumed"
    return now, "fetched"


def _deletion(ref: RefObserved, last_read: Instant | None, now: Instant) -> RefObserved:
    return RefObserved(
        ref=ref.ref,
        sha=None,
        at=now,
        evidence="fetched",
        before=ref.sha,
        not_before=last_read,
    )


def _absence_is_proof(name: str, published: PublishedRefs) -> bool:
    """Tell whether a ref that this clone lacks is gone from the repository.

    A clone of one branch lacks the others, one made without tags has none, and only a clone that
    fetches request heads can miss one.
    """
    if name.startswith(HEADS):
        return published.remote is None or published.remote.follows_all_branches
    space = TAGS if name.startswith(TAGS) else PULLS
    return any(ref.name.startswith(space) for ref in published.refs)
