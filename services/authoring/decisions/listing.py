"""The decisions that stand about a repository's editions, for people and for JSON."""

from typing import Any, Final

from events.facts.editions import TellingDecided
from events.identity import RepositoryKey
from events.instant import Instant
from projections.curation.queries import decisions, editions
from projections.curation.resolving import ActiveDecision, active_by_subject
from projections.store.snapshot import Snapshot
from services.answers.editions.choices import about
from services.answers.questions.period import Period
from services.answers.reports.wording import local, rfc3339

#: So much of a text is shown on its line.
_SHOWN: Final = 60
#: What `decision_rows` has of each decision.
COLUMNS: Final = ("about", "for", "value", "author", "decided", "record", "")


def decision_documents(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> list[dict[str, Any]]:
    """Return each decision that stands at K, those taken back left out."""
    return [_decision(one) for one in _standing(snapshot, repo, known_at)]


def decision_rows(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant, zone: str
) -> list[tuple[str, ...]]:
    """Return each decision that stands at K on one line for people, its times in a zone."""
    return [
        (
            about(one),
            _holds_for(one.fact, zone),
            " ".join((one.fact.value or "").split())[:_SHOWN],
            one.fact.author,
            local(one.fact.decided_at, zone),
            one.record_id,
            "with rivals" if one.rivals else "",
        )
        for one in _standing(snapshot, repo, known_at)
    ]


def edition_documents(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> list[dict[str, Any]]:
    """Return each published edition known at K, without its text."""
    return [
        {
            "record": one.record_id,
            "title": one.fact.title,
            "from": rfc3339(one.fact.start),
            "to": rfc3339(one.fact.end),
            "tz": one.fact.zone,
            "releases": one.fact.releases,
            "language": one.fact.language,
            "place": one.fact.place,
            "made_here": one.fact.made_here,
            "published_at": rfc3339(one.fact.at),
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


def _standing(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> list[ActiveDecision]:
    held = active_by_subject(decisions(snapshot, repo, known_at)).values()
    return [one for one in held if one.fact.value is not None]


def _holds_for(fact: TellingDecided, zone: str) -> str:
    """Write for which editions a decision holds: `July 2026`, `v1..v2`, `all`."""
    if fact.releases is not None:
        return "..".join(fact.releases)
    if fact.start is None or fact.end is None:
        return "all"
    period = Period(start=fact.start, end=fact.end, zone=zone)
    # it may have been decided by the days of another zone
    return period.name if period.whole_days else f"{rfc3339(fact.start)} to {rfc3339(fact.end)}"


def _decision(one: ActiveDecision) -> dict[str, Any]:
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
        "from": rfc3339(fact.start),
        "to": rfc3339(fact.end),
        "releases": fact.releases,
        "decided_at": rfc3339(fact.decided_at),
        "author": fact.author,
        "reason": fact.reason or None,
        "saw": {"section": fact.saw.section, "numbers": list(fact.saw.numbers)},
        "replaces": list(fact.replaces),
        "rivals": list(one.rivals),
    }
