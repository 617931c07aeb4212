"""Making a decision about how editions tell something: checked, with what its author saw."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from events.errors import InvalidQuestion
from events.facts.editions import DecisionContext, Language, Section, TellingDecided, TellingKind
from events.identity import RepositoryKey
from events.instant import Instant
from events.sources.authored import author as author_record
from projections.curation.queries import decisions
from projections.curation.resolving import replaced_by
from projections.period_ledger.exclusions import CLASS_NAMES
from projections.pull_requests.queries import sightings_of
from projections.repositories.queries import find
from projections.store.snapshot import Snapshot
from services.answers.editions.asking import with_themes
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.choices import YES
from services.answers.editions.edition import Edition, ToldChange
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.period import Period
from services.authoring.decisions.pairs import pairs_in_doubt
from services.authoring.grouping import grouping_records
from services.stream.stores import Stores

#: Kinds whose text or place belongs to one change, seen in an edition.
_OF_CHANGES: Final = frozenset({"theme", "bullet", "hide"})
#: Kinds that hold for their period alone: the next one tells other changes.
_OF_PERIODS: Final = frozenset({"overview", "summary"})


class DecisionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a person wants to decide; `value` None takes it back.

    `period` is the edition before them, `seen` that edition where it is at hand; `only` lets the
    decision hold for it alone.
    """

    kind: TellingKind
    value: str | None
    author: str
    numbers: tuple[int, ...] = ()
    theme: str = ""
    section: Section | None = None
    language: Language | None = None
    period: Period | None = None
    seen: Edition | None = None
    releases: tuple[str, str] | None = None
    """Two releases, where the edition is about what the second brings; `period` is the time
    between them."""
    only: bool = False
    reason: str = ""


def decide(stores: Stores, full_name: str, wish: DecisionRequest) -> tuple[TellingDecided, str]:
    """Record a decision; return it with its record's id. The read model must be up to date.

    Raise InvalidQuestion for what cannot be decided so.
    """
    now = stores.clock()
    with stores.read_model.snapshot() as snapshot:
        repo = find(snapshot, full_name).repo
        known_at = snapshot.watermark(repo).last_recorded
        _check(snapshot, repo, wish, known_at)
        decided = decisions(snapshot, repo, known_at)
        ranged = wish.period if wish.only or wish.kind in _OF_PERIODS else None
        edition = _before_them(stores, snapshot, full_name, wish)
        fact = TellingDecided(
            kind=wish.kind,
            decided_at=now,
            author=wish.author,
            value=wish.value,
            numbers=tuple(sorted(set(wish.numbers))),
            theme=wish.theme,
            section=wish.section,
            language=wish.language,
            start=None if ranged is None else ranged.start,
            end=None if ranged is None else ranged.end,
            days=None if ranged is None or wish.releases else ranged.days,
            releases=edition.releases if edition and ranged else None,
            saw=DecisionContext() if edition is None else _saw(edition, wish),
            reason=wish.reason,
        )
        fact = msgspec.structs.replace(fact, replaces=replaced_by(decided, fact))
    if fact.value is None and not fact.replaces:
        raise InvalidQuestion("nothing of the kind was decided, so there is nothing to take back")
    record = author_record(repo, fact, time=now)
    # what was decided about themes rests on those that its author saw
    grouping = [] if edition is None else grouping_records(repo, edition, now)
    stores.log.append([*grouping, record])
    return fact, record.id


def decide_pair(
    stores: Stores,
    name: str,
    request: QuestionRequest,
    *,
    holds: bool,
    author: str,
    reason: str,
) -> TellingDecided:
    """Record a person's answer to a pair, for all periods; the read model must be up to date."""
    with stores.read_model.snapshot() as snapshot:
        pair = pairs_in_doubt(stores, snapshot, request).named(name)
    wish = DecisionRequest(
        kind="twins",
        value="yes" if holds else "no",
        author=author,
        numbers=(pair.number, pair.origin),
        period=QuestionBuilder(stores.settings).period(request),
        reason=reason,
    )
    return decide(stores, request.repository, wish)[0]


def _check(
    snapshot: Snapshot, repo: RepositoryKey, wish: DecisionRequest, known_at: Instant
) -> None:
    checks: Mapping[str, Callable[[DecisionRequest], str]] = {
        "theme": lambda request: _count(request, 1),
        "bullet": lambda request: _count(request, 1) or _language(request),
        "hide": lambda request: _count(request, 1) or _yes(request),
        "exclusion": lambda request: _count(request, 1) or _class(request),
        "twins": lambda request: _count(request, 2) or _yes(request),
        "rename": lambda request: "" if request.theme.strip() else "say which theme is renamed",
        "summary": lambda request: _language(request) or _themed(request),
        "overview": _language,
    }
    fault = checks[wish.kind](wish)
    if not fault and wish.value is not None and not wish.value.strip():
        fault = "an empty text says nothing; take the decision back instead"
    if not fault and wish.kind in _OF_CHANGES | _OF_PERIODS and wish.period is None:
        fault = "say with --period or --releases which edition you have before you"
    unknown = sorted(
        set(wish.numbers) - sightings_of(snapshot, repo, wish.numbers, known_at).keys()
    )
    if not fault and unknown:
        fault = f"nothing is recorded of #{unknown[0]}"
    if fault:
        raise InvalidQuestion(fault)


def _count(wish: DecisionRequest, wanted: int) -> str:
    if len(set(wish.numbers)) == wanted:
        return ""
    return f"{wish.kind} is about {wanted} different requests"


def _language(wish: DecisionRequest) -> str:
    return "" if wish.language is not None else "say in which language the text is"


def _themed(wish: DecisionRequest) -> str:
    named = wish.theme.strip() and wish.section is not None
    return "" if named else "say of which theme, in which section"


def _yes(wish: DecisionRequest) -> str:
    return "" if wish.value in (YES, "no", None) else f"{wish.value!r} is neither yes nor no"


def _class(wish: DecisionRequest) -> str:
    if wish.value is None or wish.value in CLASS_NAMES:
        return ""
    return f"{wish.value!r} is no class; there are: {', '.join(sorted(CLASS_NAMES))}"


def _before_them(
    stores: Stores, snapshot: Snapshot, full_name: str, wish: DecisionRequest
) -> Edition | None:
    """Return the edition that the person has before them, where something of it is needed."""
    needed = wish.kind in _OF_CHANGES or wish.kind == "summary"
    if wish.period is None or not (needed or wish.releases):
        return None
    if wish.seen is not None:
        return wish.seen
    request = QuestionRequest(repository=full_name)
    report = QuestionBuilder(stores.settings).report(request, wish.period)
    question = with_themes(stores.settings, report, releases=wish.releases)
    return assemble_edition(snapshot, question, stores.histories)


def _saw(edition: Edition, wish: DecisionRequest) -> DecisionContext:
    """Return what the edition shows of what is decided about."""
    if wish.kind == "overview":
        return DecisionContext()
    if wish.kind == "summary":
        numbers = [
            theme.numbers
            for theme in edition.of(wish.section or "delivered")
            if theme.key == wish.theme
        ]
        if not numbers and wish.value is not None:
            names = "; ".join(theme.key for theme in edition.themes)
            raise InvalidQuestion(f"there is no theme {wish.theme!r} there; there are: {names}")
        return DecisionContext(section=wish.section, numbers=numbers[0] if numbers else ())
    for change in _changes(edition):
        if wish.numbers[0] in change.numbers:
            return DecisionContext(section=change.section, numbers=change.numbers)
    if wish.value is not None:
        absent = "nothing happened to it in the period"
        if edition.releases is not None:
            absent = "the release does not bring it"
        why = edition.not_told.get(wish.numbers[0], absent)
        raise InvalidQuestion(f"#{wish.numbers[0]} is told nowhere in this edition: {why}")
    return DecisionContext()


def _changes(edition: Edition) -> list[ToldChange]:
    in_themes = [change for theme in edition.themes for change in theme.changes]
    return in_themes + [change for changes in edition.left_over.values() for change in changes]
