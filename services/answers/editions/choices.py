"""What persons decided about one edition, made ready to be applied. Pure.

A decision about a request is bound to its change group: it finds the group by any of its numbers,
whatever section the change is in by now and whatever twins it got. That keeps the text, and what
changed since is named for another look.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from events.facts.editions import MODEL, Language, Section, TellingKind
from projections.curation.resolving import (
    ActiveDecision,
    RecordedDecision,
    Releases,
    active_decisions,
)
from projections.period_ledger.change_groups.members import Decision
from services.answers.editions.edition import Line, ReviewNote
from services.answers.questions.period import Period

YES: Final = "yes"


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions that hold for one edition, the one that counts last among equals."""

    held: tuple[ActiveDecision, ...] = ()

    def of(self, kind: TellingKind, language: Language | None = None) -> Iterator[ActiveDecision]:
        """Yield the decisions of a kind; of texts those in one language."""
        for decision in self.held:
            if decision.fact.kind == kind and (
                language is None or decision.fact.language == language
            ):
                yield decision

    def about(
        self, kind: TellingKind, numbers: Iterable[int], language: Language | None = None
    ) -> ActiveDecision | None:
        """Return the decision of a kind about a change group, by any of its numbers."""
        wanted = set(numbers)
        matching = [
            decision for decision in self.of(kind, language) if wanted & set(decision.fact.numbers)
        ]
        return matching[-1] if matching else None

    @property
    def twins(self) -> tuple[Decision, ...]:
        """What was decided about pairs of requests."""
        return tuple(
            Decision(
                number=max(decision.fact.numbers),
                origin=min(decision.fact.numbers),
                holds=decision.fact.value == YES,
            )
            for decision in self.of("twins")
            if len(decision.fact.numbers) == 2
        )

    def renamed(self, name: str, language: Language | None = None) -> str:
        """Return what a theme is called now; names in a circle stay where the circle closes.

        Without a language: in all of them; with one: its translation.
        """
        names = {
            decision.fact.theme: decision.fact.value
            for decision in self.of("rename")
            if decision.fact.language == language and decision.fact.value
        }
        earlier_names = {name}
        while (following := names.get(name)) is not None and following not in earlier_names:
            earlier_names.add(following)
            name = following
        return name

    def summary(
        self, section: Section, theme: str, numbers: Iterable[int], language: Language
    ) -> ActiveDecision | None:
        """Return the summary of a theme: by its name, else of the one that had most of its
        requests, in whatever section.
        """
        wanted = set(numbers)
        summaries = list(self.of("summary", language))
        for section_too in (True, False):
            by_name = [
                decision
                for decision in summaries
                if self.renamed(decision.fact.theme) == theme
                and (decision.fact.section == section or not section_too)
                and (section_too or wanted & set(decision.fact.saw.numbers))
            ]
            if by_name:
                return by_name[-1]
        by_numbers = [
            decision
            for decision in summaries
            if 2 * len(wanted & set(decision.fact.saw.numbers)) > len(wanted)
        ]
        return by_numbers[-1] if by_numbers else None

    def rivals(self) -> Iterator[ReviewNote]:
        """Yield the decisions that were made without knowing of each other."""
        for decision in self.held:
            if decision.rivals:
                yield ReviewNote(
                    about=about(decision),
                    why=f"decided twice without knowing of each other; the one of "
                    f"{decision.fact.author or 'unknown'} holds",
                    records=(decision.record_id, *decision.rivals),
                )


def choices(
    decisions: Iterable[RecordedDecision],
    period: Period,
    releases: Releases | None = None,
) -> Choices:
    """Return what holds for an edition about a period, or about two releases."""
    return Choices(
        held=active_decisions(decisions, period.start, period.end, releases, days=period.days)
    )


def decided_line(decision: ActiveDecision, numbers: Iterable[int] = ()) -> Line:
    """Return a text that was decided, as the work of whoever wrote it."""
    return Line(
        text=decision.fact.value or "",
        origin="model" if decision.fact.author.startswith(MODEL) else "person",
        numbers=tuple(numbers),
        records=(decision.record_id,),
    )


def about(decision: ActiveDecision) -> str:
    """Write what a decision is about: `bullet of #12`, `summary of MoE (delivered, zh)`."""
    fact = decision.fact
    subject = ", ".join(f"#{number}" for number in fact.numbers) or fact.theme
    detail = ", ".join(part for part in (fact.section, fact.language) if part)
    return f"{fact.kind}{f' of {subject}' if subject else ''}{f' ({detail})' if detail else ''}"


def changed_since(
    decision: ActiveDecision, section: Section | None, numbers: Iterable[int]
) -> ReviewNote | None:
    """Return what is not as it was when a person decided, None where nothing changed."""
    saw, now = decision.fact.saw, set(numbers)
    if saw.section is None and not saw.numbers:
        return None
    differences = []
    if saw.section != section and saw.section is not None:
        differences.append(f"was {_section(saw.section)}, is {_section(section)}")
    for words, changed_numbers in (
        ("new", now - set(saw.numbers)),
        ("gone", set(saw.numbers) - now),
    ):
        if changed_numbers:
            differences.append(
                f"{words}: {', '.join(f'#{number}' for number in sorted(changed_numbers))}"
            )
    if not differences:
        return None
    return ReviewNote(
        about=about(decision), why="; ".join(differences), records=(decision.record_id,)
    )


def stale_translations(edition_choices: Choices) -> Iterator[ReviewNote]:
    """Yield texts whose translation is missing, or older than what it translates.

    Equal subjects in two languages translate each other; English is the original.
    """
    by_subject: dict[object, dict[Language | None, ActiveDecision]] = {}
    for kind in ("overview", "summary", "bullet"):
        for decision in edition_choices.of(kind):
            key = (kind, decision.fact.numbers, decision.fact.theme, decision.fact.section)
            by_subject.setdefault(key, {})[decision.fact.language] = decision
    for texts in by_subject.values():
        yield from _stale(texts)


def _stale(texts: Mapping[Language | None, ActiveDecision]) -> Iterator[ReviewNote]:
    original, translated = texts.get("en"), texts.get("zh")
    if original is not None and translated is None:
        yield ReviewNote(
            about=about(original), why="no Chinese text", records=(original.record_id,)
        )
    elif translated is not None and original is None:
        yield ReviewNote(
            about=about(translated), why="no English text", records=(translated.record_id,)
        )
    elif (
        original is not None
        and translated is not None
        and original.fact.decided_at > translated.fact.decided_at
    ):
        yield ReviewNote(
            about=about(translated),
            why="older than the English text",
            records=(original.record_id, translated.record_id),
        )


def _section(section: Section | None) -> str:
    return "told nowhere" if section is None else section.replace("_", " ")
