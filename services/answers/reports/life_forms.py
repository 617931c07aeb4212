"""The life of a request in its forms. Times are RFC 3339 in UTC."""

from collections.abc import Iterator
from typing import Final

import msgspec

from projections.pull_requests.bases import BaseSpan
from projections.pull_requests.observation import Sighting
from projections.pull_requests.queries import KnownSpan
from projections.pull_requests.spans import StateSpan
from projections.release_inclusion.heads import RequestHead
from services.answers.reports.request_life import RequestLife
from services.answers.reports.wording import FLAGS, commit_author, rfc3339
from services.documents.forms import Forms
from services.documents.model import (
    Block,
    Code,
    Column,
    Document,
    List,
    Paragraph,
    Section,
    Table,
    Text,
)

#: So many files of a head are named to people.
_FILES: Final = 8


class NamedRepository(msgspec.Struct, frozen=True, kw_only=True):
    """A repository by its name and its key."""

    name: str
    key: str


class StateAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """One span of a state: how it was entered, and the record that says so."""

    state: str
    enter: str
    start: str | None
    until: str | None
    record: str
    evidence: str
    flags: tuple[str, ...]


class BaseAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """One span of a base branch."""

    base: str
    start: str | None
    until: str | None
    record: str


class KnownSpanAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """A span of a state or of a base branch, and from when until when it was known so."""

    known_from: str | None
    known_until: str | None
    state: str | msgspec.UnsetType = msgspec.UNSET
    enter: str | msgspec.UnsetType = msgspec.UNSET
    base: str | msgspec.UnsetType = msgspec.UNSET
    start: str | None
    until: str | None
    record: str
    evidence: str | msgspec.UnsetType = msgspec.UNSET
    flags: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


class ObservationAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One record that showed the request."""

    known_at: str | None
    at: str | None
    kind: str
    source: str
    record: str


class HeadAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a request as its own ref shows it: its last commit, and what that changes."""

    sha: str
    subject: str | None
    author: str | None
    committed_at: str | None
    paths: tuple[str, ...] | None
    test_merge: bool
    record: str


class LifeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one number at (T, K), and every row that was ever known."""

    repository: NamedRepository
    number: int
    as_of: str | None
    known_at: str | None
    state: str
    base: str | None
    title: str | None
    author: str | None
    commit_author: str | msgspec.UnsetType = msgspec.UNSET
    draft: bool | None
    labels: tuple[str, ...]
    recognised_by: str | None
    refused: tuple[str, ...]
    states: tuple[StateAnswer, ...]
    bases: tuple[BaseAnswer, ...]
    known_history: tuple[KnownSpanAnswer, ...]
    observations: tuple[ObservationAnswer, ...]
    head: HeadAnswer | msgspec.UnsetType = msgspec.UNSET


def life_forms(life: RequestLife) -> Forms:
    """Return the life of a request in its forms."""
    return Forms(document=lambda: _document(life), answer=lambda: _answer(life))


def _answer(life: RequestLife) -> LifeAnswer:
    attributes = life.attributes
    return LifeAnswer(
        repository=NamedRepository(name=life.full_name, key=life.repo),
        number=life.number,
        as_of=rfc3339(life.as_of),
        known_at=rfc3339(life.known_at),
        state=life.state,
        base=life.base,
        title=attributes.title,
        author=attributes.author,
        commit_author=commit_author(attributes),
        draft=attributes.draft,
        labels=tuple(attributes.labels),
        recognised_by=attributes.recognised_by,
        refused=life.refused,
        states=tuple(map(_state, life.states)),
        bases=tuple(map(_base, life.bases)),
        known_history=tuple(map(_known, life.history)),
        observations=tuple(
            ObservationAnswer(
                known_at=rfc3339(sighting.k),
                at=rfc3339(sighting.fact.at),
                kind=sighting.fact.kind,
                source=sighting.source,
                record=sighting.record_id,
            )
            for sighting in life.seen
        ),
        head=msgspec.UNSET if life.head is None else _head(life.head),
    )


def _head(head: RequestHead) -> HeadAnswer:
    commit = head.commit
    return HeadAnswer(
        sha=head.sha,
        subject=commit.subject if commit else None,
        author=commit.author if commit else None,
        committed_at=rfc3339(commit.committed_at) if commit else None,
        paths=head.paths,
        test_merge=head.test_merge,
        record=head.record_id,
    )


def _state(span: StateSpan) -> StateAnswer:
    return StateAnswer(
        state=span.state,
        enter=span.enter,
        start=rfc3339(span.vf),
        until=rfc3339(span.vt),
        record=span.record_id,
        evidence=span.evidence,
        flags=tuple(span.flags),
    )


def _base(span: BaseSpan) -> BaseAnswer:
    return BaseAnswer(
        base=span.base, start=rfc3339(span.vf), until=rfc3339(span.vt), record=span.record_id
    )


def _known(row: KnownSpan) -> KnownSpanAnswer:
    span = _base(row.span) if isinstance(row.span, BaseSpan) else _state(row.span)
    return KnownSpanAnswer(
        known_from=rfc3339(row.kf),
        known_until=rfc3339(row.kt),
        **msgspec.structs.asdict(span),
    )


def _document(life: RequestLife) -> Document:
    attributes = life.attributes
    author = f" — {attributes.who}" if attributes.who else ""
    base = f", base {life.base}" if life.base else ""
    return Document(
        title=f"{life.full_name} #{life.number}: {life.state}{base}",
        blocks=(
            Paragraph(f"{attributes.title or '(title not recorded)'}{author}"),
            Paragraph(f"As of {rfc3339(life.as_of)}, known at {rfc3339(life.known_at)}."),
            *_head_words(life),
            Section("What happened (valid time)", tuple(_happened(life))),
            Section(
                "When it became known (known time)",
                (List(tuple(_known_line(row) for row in life.history)),),
            ),
            Section(
                f"Observations ({len(life.seen)})",
                (List(tuple(_observation(sighting) for sighting in life.seen)),),
            ),
        ),
    )


def _head_words(life: RequestLife) -> Iterator[Block]:
    if life.head is None:
        return
    commit, paths = life.head.commit, life.head.paths
    author = f" by {commit.author}" if commit and commit.author else ""
    when = rfc3339(commit.committed_at) if commit else None
    said = f", {when}{author}: {commit.subject}" if commit else ""
    yield Paragraph(("Head, by its own ref: ", Code(life.head.sha[:10]), f"{said}."))
    if paths:
        more = f" and {len(paths) - _FILES:,} more" if len(paths) > _FILES else ""
        yield Paragraph(f"Its last commit changes {', '.join(paths[:_FILES])}{more}.")
    if life.head.test_merge:
        yield Paragraph("GitHub keeps a test merge of it, as it does of open requests.")
    if not life.seen:
        yield Paragraph(
            "The clone shows that there is such a request and its head, and nothing of whether it "
            "is open, was closed or was merged."
        )


def _happened(life: RequestLife) -> Iterator[Block]:
    columns = (Column("at"), Column("what"), Column("evidence"), Column("record"), Column("note"))
    rows: list[tuple[Text, ...]] = [_happening(span) for span in life.states]
    rows += [(_when(span.vf), f"base {span.base}", "", span.record_id, "") for span in life.bases]
    yield Table(columns, tuple(rows))
    if life.refused:
        yield List(tuple(f"not taken: {reason}" for reason in life.refused))


def _happening(span: StateSpan) -> tuple[Text, ...]:
    note = "; ".join(FLAGS[flag] for flag in span.flags if flag in FLAGS)
    return _when(span.vf), span.enter, span.evidence, span.record_id, note


def _known_line(row: KnownSpan) -> str:
    what = f"base {row.span.base}" if isinstance(row.span, BaseSpan) else row.span.enter
    until = f", until {rfc3339(row.kt)}" if rfc3339(row.kt) else ""
    return f"{rfc3339(row.kf)}: {what} at {_when(row.span.vf)}{until}"


def _observation(sighting: Sighting) -> str:
    fact = sighting.fact
    return (
        f"{rfc3339(sighting.k)}: {fact.kind} of {rfc3339(fact.at)} "
        f"({sighting.source} {sighting.record_id})"
    )


def _when(instant: int) -> str:
    return rfc3339(instant) or "no date"
