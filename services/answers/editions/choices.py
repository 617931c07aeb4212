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
        for one in self.held:
            if one.fact.kind == kind and (language is None or one.fact.language == language):
                yield one

    def about(
        self, kind: TellingKind, numbers: Iterable[int], language: Language | None = None
    ) -> ActiveDecision | None:
        """Return the decision of a kind about a change group, by any of its numbers."""
        wanted = set(numbers)
        found = [one for one in self.of(kind, language) if wanted & set(one.fact.numbers)]
        return found[-1] if found else None

    @property
    def twins(self) -> tuple[Decision, ...]:
        """What was decided about pairs of requests."""
        return tuple(
            Decision(
                number=max(one.fact.numbers),
                origin=min(one.fact.numbers),
                holds=one.fact.value == YES,
            )
            for one in self.of("twins")
            if len(one.fact.numbers) == 2
        )

    def renamed(self, name: str, language: Language | None = None) -> str:
        """Return what a theme is called now; names in a circle stay where the circle closes.

        Without a language: in all of them; with one: its translation.
        """
        names = {
            one.fact.theme: one.fact.value
            for one in self.of("rename")
            if one.fact.language == language and one.fact.value
        }
        seen = {name}
        while (following := names.get(name)) is not None and following not in seen:
            seen.add(following)
            name = following
        return name

    def summary(
        self, section: Section, theme: str, numbers: Iterable[int], language: Language
    ) -> ActiveDecision | None:
        """Return the summary of a theme: by its name, else of the one that had most of its
        requests, in whatever section.
        """
        wanted = set(numbers)
        found = list(self.of("summary", language))
        for section_too in (True, False):
            named = [
                one
                for one in found
                if self.renamed(one.fact.theme) == theme
                and (one.fact.section == section or not section_too)
                and (section_too or wanted & set(one.fact.saw.numbers))
            ]
            if named:
                return named[-1]
        near = [one for one in found if 2 * len(wanted & set(one.fact.saw.numbers)) > len(wanted)]
        return near[-1] if near else None

    def rivals(self) -> Iterator[ReviewNote]:
        """Yield the decisions that were made without knowing of each other."""
        for one in self.held:
            if one.rivals:
                yield ReviewNote(
                    about=about(one),
                    why=f"decided twice without knowing of each other; the one of "
                    f"{one.fact.author or 'unknown'} holds",
                    records=(one.record_id, *one.rivals),
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


def decided_line(one: ActiveDecision, numbers: Iterable[int] = ()) -> Line:
    """Return a text that was decided, as the work of whoever wrote it."""
    return Line(
        text=one.fact.value or "",
        origin="model" if one.fact.author.startswith(MODEL) else "person",
        numbers=tuple(numbers),
        records=(one.record_id,),
    )


def about(one: ActiveDecision) -> str:
    """Write what a decision is about: `bullet of #12`, `summary of MoE (delivered, zh)`."""
    fact = one.fact
    subject = ", ".join(f"#{number}" for number in fact.numbers) or fact.theme
    detail = ", ".join(part for part in (fact.section, fact.language) if part)
    return f"{fact.kind}{f' of {subject}' if subject else ''}{f' ({detail})' if detail else ''}"


def changed_since(
    one: ActiveDecision, section: Section | None, numbers: Iterable[int]
) -> ReviewNote | None:
    """Return what is not as it was when a person decided, None where nothing changed."""
    saw, now = one.fact.saw, set(numbers)
    if saw.section is None and not saw.numbers:
        return None
    said = []
    if saw.section != section and saw.section is not None:
        said.append(f"was {_section(saw.section)}, is {_section(section)}")
    for words, some in (("new", now - set(saw.numbers)), ("gone", set(saw.numbers) - now)):
        if some:
            said.append(f"{words}: {', '.join(f'#{number}' for number in sorted(some))}")
    if not said:
        return None
    return ReviewNote(about=about(one), why="; ".join(said), records=(one.record_id,))


def stale_translations(held: Choices) -> Iterator[ReviewNote]:
    """Yield texts whose translation is missing, or older than what it translates.

    Equal subjects in two languages translate each other; English is the original.
    """
    by_subject: dict[object, dict[Language | None, ActiveDecision]] = {}
    for kind in ("overview", "summary", "bullet"):
        for one in held.of(kind):
            key = (kind, one.fact.numbers, one.fact.theme, one.fact.section)
            by_subject.setdefault(key, {})[one.fact.language] = one
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
