"""The classes that persons gave to requests, which come before those by rules. Pure."""

from collections.abc import Iterable
from typing import Final, get_args

from projections.curation.resolving import ActiveDecision
from projections.period_ledger.exclusions import Class, DecidedClass

CLASS_NAMES: Final[frozenset[str]] = frozenset(get_args(Class))


def decided_classes(held: Iterable[ActiveDecision]) -> dict[int, DecidedClass]:
    """Return the class that was decided about each request; of several the last one counts."""
    found: dict[int, DecidedClass] = {}
    for one in held:
        if one.fact.kind == "exclusion" and one.fact.value in CLASS_NAMES:
            kind: Class = one.fact.value  # type: ignore[assignment]  # looked up just above
            decided = DecidedClass(
                kind=kind,
                record_id=one.record_id,
                author=one.fact.author,
                reason=one.fact.reason,
            )
            found |= dict.fromkeys(one.fact.numbers, decided)
    return found
