"""The decisions that stand about a repository's editions, for people and for JSON."""

from typing import Any

from events.identity import RepositoryKey
from events.instant import Instant
from projections.curation.queries import decisions, editions
from projections.curation.resolving import Held, standing
from projections.read_model import Snapshot
from services.editions.choices import about
from services.reports.wording import stamp


def decision_documents(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> list[dict[str, Any]]:
    """Return each decision that stands at K, those taken back left out."""
    held = standing(decisions(snapshot, repo, known_at)).values()
    return [_decision(one) for one in held if one.fact.value is not None]


def edition_documents(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> list[dict[str, Any]]:
    """Return each published edition known at K, without its text."""
    return [
        {
            "record": one.record_id,
            "title": one.fact.title,
            "from": stamp(one.fact.start),
            "to": stamp(one.fact.end),
            "tz": one.fact.zone,
            "releases": one.fact.releases,
            "language": one.fact.language,
            "place": one.fact.place,
            "made_here": one.fact.made_here,
            "published_at": stamp(one.fact.at),
            "sha256": one.fact.digest,
            "figures": one.fact.figures,
            "excluded": one.fact.excluded,
            "themes": [
                {"section": theme.section, "theme": theme.name, "pulls": list(theme.numbers)}
                for theme in one.fact.themes
            ],
        }
        for one in editions(snapshot, repo, known_at)
    ]


def _decision(one: Held) -> dict[str, Any]:
    fact = one.fact
    return {
        "record": one.record_id,
        "about": about(one),
        "kind": fact.kind,
        "value": fact.value,
        "numbers": list(fact.numbers),
        "theme": fact.theme or None,
        "section": fact.section,
        "language": fact.language,
        "from": stamp(fact.start),
        "to": stamp(fact.end),
        "releases": fact.releases,
        "decided_at": stamp(fact.decided_at),
        "author": fact.author,
        "reason": fact.reason or None,
        "saw": {"section": fact.saw.section, "numbers": list(fact.saw.numbers)},
        "replaces": list(fact.replaces),
        "rivals": list(one.rivals),
    }
