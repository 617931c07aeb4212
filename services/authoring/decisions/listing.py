"""The decisions that stand about a repository's editions, and what was published of them."""

from textwrap import shorten
from typing import Final

import msgspec

from events.facts.editions import TellingDecided
from events.identity import RepositoryKey
from events.instant import Instant
from projections.curation.queries import decisions, editions
from projections.curation.resolving import ActiveDecision, active_by_subject
from projections.store.snapshot import Snapshot
from services.answers.editions.choices import about
from services.answers.questions.period import Period
from services.answers.reports.wording import local, rfc3339
from services.documents.forms import Forms
from services.documents.model import Column, Document, Paragraph, Table

#: So much of a text stands on its line.
_LONGEST: Final = 60
_COLUMNS: Final = ("about", "for", "value", "author", "decided", "record", "")


class SawAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a person had before them."""

    section: str | None
    numbers: tuple[int, ...]


class DecisionAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """One decision that stands. `days` are the local days for which it holds, in any zone; None
    for all periods, for releases, and where it was decided for no whole days.
    """

    record: str
    about: str
    kind: str
    value: str | None
    numbers: tuple[int, ...]
    theme: str | None
    section: str | None
    language: str | None
    start: str | None
    to: str | None
    days: tuple[str, str] | None
    releases: tuple[str, str] | None
    decided_at: str | None
    author: str
    reason: str | None
    saw: SawAnswer
    replaces: tuple[str, ...]
    rivals: tuple[str, ...]


class DecisionsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions that stand, those taken back left out."""

    decisions: tuple[DecisionAnswer, ...]


class PublishedTheme(msgspec.Struct, frozen=True, kw_only=True):
    """A theme of a published edition, with every number that it printed."""

    section: str
    theme: str
    pulls: tuple[int, ...]


class PublishedAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """One published edition, without its text."""

    record: str
    title: str
    start: str | None
    to: str | None
    tz: str
    releases: tuple[str, str] | None
    language: str
    place: str
    made_here: bool
    published_at: str | None
    sha256: str
    figures: dict[str, int | None]
    excluded: dict[str, int | None]
    themes: tuple[PublishedTheme, ...]


class EditionsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The editions that were published."""

    editions: tuple[PublishedAnswer, ...]


def decisions_forms(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant, zone: str) -> Forms:
    """Return each decision that stands at K; for people with its times in a zone."""
    active = active_by_subject(decisions(snapshot, repo, known_at)).values()
    standing = [decision for decision in active if decision.fact.value is not None]
    rows = tuple(_row(decision, zone) for decision in standing)
    table = Table(tuple(map(Column, _COLUMNS)), rows)
    return Forms(
        document=lambda: Document(
            title="Decisions", blocks=(table if rows else Paragraph("No decision stands."),)
        ),
        answer=lambda: DecisionsAnswer(decisions=tuple(map(_decision, standing))),
    )


def editions_forms(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> Forms:
    """Return each published edition known at K, without its text."""
    published = tuple(
        PublishedAnswer(
            record=recorded.record_id,
            title=recorded.fact.title,
            start=rfc3339(recorded.fact.start),
            to=rfc3339(recorded.fact.end),
            tz=recorded.fact.zone,
            releases=recorded.fact.releases,
            language=recorded.fact.language,
            place=recorded.fact.place,
            made_here=recorded.fact.made_here,
            published_at=rfc3339(recorded.fact.at),
            sha256=recorded.fact.digest,
            figures=recorded.fact.figures,
            excluded=recorded.fact.excluded,
            themes=tuple(
                PublishedTheme(section=theme.section, theme=theme.name, pulls=theme.numbers)
                for theme in recorded.fact.themes
            ),
        )
        for recorded in editions(snapshot, repo, known_at)
    )
    return Forms(answer=lambda: EditionsAnswer(editions=published))


def _row(decision: ActiveDecision, zone: str) -> tuple[str, ...]:
    fact = decision.fact
    return (
        about(decision),
        _holds_for(fact, zone),
        shorten(fact.value or "", _LONGEST),
        fact.author,
        local(fact.decided_at, zone),
        decision.record_id,
        "with rivals" if decision.rivals else "",
    )


def _holds_for(fact: TellingDecided, zone: str) -> str:
    """Write for which editions a decision holds: `July 2026`, `v1..v2`, `all`."""
    if fact.releases is not None:
        return "..".join(fact.releases)
    if fact.start is None or fact.end is None:
        return "all"
    if fact.days is not None:
        return Period.of_days(*fact.days, zone).name
    period = Period(start=fact.start, end=fact.end, zone=zone)
    # it was decided by the days of another zone, before decisions named their days
    return period.name if period.whole_days else f"{rfc3339(fact.start)} to {rfc3339(fact.end)}"


def _decision(decision: ActiveDecision) -> DecisionAnswer:
    fact = decision.fact
    return DecisionAnswer(
        record=decision.record_id,
        about=about(decision),
        kind=fact.kind,
        value=fact.value,
        numbers=fact.numbers,
        theme=fact.theme or None,
        section=fact.section,
        language=fact.language,
        start=rfc3339(fact.start),
        to=rfc3339(fact.end),
        days=fact.days,
        releases=fact.releases,
        decided_at=rfc3339(fact.decided_at),
        author=fact.author,
        reason=fact.reason or None,
        saw=SawAnswer(section=fact.saw.section, numbers=fact.saw.numbers),
        replaces=fact.replaces,
        rivals=decision.rivals,
    )
