"""What an edition says as a whole: its overview, and where its requests went. Pure."""

from collections.abc import Iterable, Mapping, Set

from events.facts.editions import Language
from projections.period_ledger.exclusions import Class
from projections.period_ledger.reconciliation import Reconciliation, reconcile
from services.answers.editions.choices import Choices, decided_line
from services.answers.editions.edition import EditionTheme, Line, ToldChange
from services.answers.editions.words import WORDS


def overview(themes: Iterable[EditionTheme], choices: Choices, language: Language) -> Line:
    """Return the overview that a person wrote, else the place for it; without themes there is
    nothing to write of, and that is said.
    """
    decided = [*choices.of("overview", language)][-1:]
    if decided:
        return decided_line(decided[0])
    words = WORDS[language]
    names = words.names_separator.join(dict.fromkeys(theme.names[language] for theme in themes))
    if not names:
        return Line(text=words.nothing_told, origin="words")
    what = words.overview_gap.format(themes=names)
    return Line(text=words.gap.format(what=what), origin="gap")


def reasons(
    not_told: Mapping[int, str], left_over: Iterable[ToldChange], in_question: Set[int]
) -> dict[int, str]:
    """Return why each request in question is told nowhere, also where its change fits no theme."""
    unthemed = in_question & {number for change in left_over for number in change.numbers}
    return {**dict.fromkeys(unthemed, "in no theme"), **not_told}


def divided(
    numbers: Set[int], classes: Mapping[int, Class], themes: Iterable[EditionTheme]
) -> Reconciliation:
    """Divide requests: each change of a theme is told once, its other requests are twins."""
    told: set[int] = set()
    twins: set[int] = set()
    for theme in themes:
        for change in theme.changes:
            own_numbers = numbers & set(change.numbers)
            if own_numbers:
                first = change.lead if change.lead in own_numbers else min(own_numbers)
                told.add(first)
                twins |= own_numbers - {first}
    return reconcile(numbers, classes, told, twins - told)
