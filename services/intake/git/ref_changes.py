"""What changed between two readings of a repository's refs, and since when. Pure but for one
question to git: was a branch moved by force?

Valid time (MODEL.md 5), the best that is known and can have been after the reading before: a
release's publication, a push, the tagger's date; else the time of this reading, with the reading
before as `not_before`. At first sight the tip's committer date stands in, which is only `assumed`.
No ref has a value later than it was read. A clone that was stale at the reading before can only
make `at` late, never early.
"""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import msgspec

from events.facts.git import RefObserved
from events.instant import Instant
from services.intake.git.ref_dates import RefDates
from services.intake.git.refs import (
    HEADS,
    PULLS,
    TAGS,
    ClonedRef,
    PublishedRefs,
    Reading,
    is_test_merge,
    matches,
)

IsAncestor: TypeAlias = Callable[[str, str], "bool | None"]
Evidence: TypeAlias = Literal["published", "pushed", "tagger", "fetched", "assumed"]


def ref_changes(
    published: PublishedRefs,
    known: Mapping[str, RefObserved],
    *,
    reading: Reading,
    dates: RefDates,
    is_ancestor: IsAncestor,
) -> list[RefObserved]:
    """Return the refs that are new, moved or gone since the reading before."""
    present = {ref.name: ref for ref in published.refs if ref.sha}
    changes = []
    for name, ref in sorted(present.items()):
        before = known.get(name)
        if before and (before.sha, before.tag_object) == (ref.sha, ref.tag_object):
            continue
        if before and before.sha and is_test_merge(name):  # it moves with every push to its base
            continue
        changed = _change(ref, reading, dates)
        changes.append(_after(before, changed, is_ancestor) if before else changed)
    gone = [
        ref
        for name, ref in sorted(known.items())
        if ref.sha and name not in present and _absence_is_proof(name, published, reading)
    ]
    changes += [_deletion(ref, reading, dates) for ref in gone]
    return changes


def _change(ref: ClonedRef, reading: Reading, dates: RefDates) -> RefObserved:
    last = reading.last_of(ref.name)
    at, evidence = _since(ref, last, reading.at, dates)
    return RefObserved(
        ref=ref.name,
        sha=ref.sha,
        at=min(at, reading.at),
        evidence=evidence,
        tag_object=ref.tag_object,
        not_before=last if evidence == "fetched" else None,
    )


def _after(before: RefObserved, change: RefObserved, is_ancestor: IsAncestor) -> RefObserved:
    """Add what the ref was before, and whether its branch was moved by force."""
    forced = None
    if before.sha and change.sha and change.ref.startswith(HEADS):
        ancestor = is_ancestor(before.sha, change.sha)
        forced = None if ancestor is None else not ancestor
    return msgspec.structs.replace(change, before=before.sha, forced=forced)


def _since(
    ref: ClonedRef, last: Instant | None, now: Instant, dates: RefDates
) -> tuple[Instant, Evidence]:
    if ref.name.startswith(TAGS):
        made = max(ref.committed_at or 0, ref.tagged_at or 0)
        published = dates.published(ref.name.removeprefix(TAGS), after=last, made=made)
        if published is not None:
            return published, "published"
    pushed = dates.pushed(ref.name, ref.tag_object or ref.sha, after=last)
    if pushed is not None:
        return pushed, "pushed"
    if ref.tagged_at is not None and (last is None or last < ref.tagged_at <= now):
        return ref.tagged_at, "tagger"
    if last is None and ref.committed_at is not None:
        return ref.committed_at, "assumed"
    return now, "fetched"


def _deletion(ref: RefObserved, reading: Reading, dates: RefDates) -> RefObserved:
    last = reading.last_of(ref.ref)
    pushed = dates.pushed(ref.ref, None, after=last)
    return RefObserved(
        ref=ref.ref,
        sha=None,
        at=reading.at if pushed is None else min(pushed, reading.at),
        evidence="fetched" if pushed is None else "pushed",
        before=ref.sha,
        not_before=last if pushed is None else None,
    )


def _absence_is_proof(name: str, published: PublishedRefs, reading: Reading) -> bool:
    """Tell whether a ref that this clone lacks is gone from the repository.

    A clone of one branch lacks the others, one made without tags has none, and only a clone that
    fetches request heads can miss one.
    """
    if reading.follows is not None:
        return matches(name, reading.follows)
    if name.startswith(HEADS):
        return published.remote is None or published.remote.follows_all_branches
    space = TAGS if name.startswith(TAGS) else PULLS
    return any(ref.name.startswith(space) for ref in published.refs)
