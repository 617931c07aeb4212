"""Sights of refs with defaults."""

from collections.abc import Sequence
from itertools import count
from typing import Literal, TypeAlias

from events.facts.git import RefObserved
from events.identity import derived_id
from events.instant import Instant
from projections.release_inclusion.refs import RefSighting, RefSpan

Sight: TypeAlias = RefSighting
_numbers = count()


def sight(
    evidence: Literal["published", "pushed", "tagger", "fetched", "assumed"],
    when: Instant,
    sha: str | None,
    *,
    before: str | None = None,
    not_before: Instant | None = None,
    ref: str = "refs/heads/main",
    tag_object: str | None = None,
    k: Instant | None = None,
) -> Sight:
    """Return one sight of a ref; each has a record of its own."""
    fact = RefObserved(
        ref=ref,
        sha=sha,
        at=when,
        evidence=evidence,
        before=before,
        not_before=not_before,
        tag_object=tag_object,
    )
    number = next(_numbers)
    return RefSighting(
        k=when if k is None else k,
        idx=0,
        record_id=f"record-{number}",
        digest=derived_id(repr(fact)),
        fact=fact,
    )


def values(spans: Sequence[RefSpan]) -> list[tuple[Instant, str | None]]:
    """Return since when a ref had each value."""
    return [(span.vf, span.sha) for span in spans]
