"""Decisions about themes whose name fits nothing: mistyped, or of a theme that is gone.

A rename holds for every period and is made without an edition at hand, so that nobody can check it
then; a draft can say that it did nothing.
"""

from collections.abc import Iterator, Set
from itertools import chain

import msgspec

from projections.curation.queries import decisions, editions
from projections.store.snapshot import Snapshot
from services.answers.editions.choices import Choices, about, choices
from services.answers.editions.edition import Edition, ReviewNote


def with_unmatched(snapshot: Snapshot, edition: Edition) -> Edition:
    """Return an edition whose person is told of decisions that fit no theme of it or of before."""
    report = edition.report
    edition_choices = choices(
        decisions(snapshot, report.repo, report.known_at),
        report.period,
        edition.releases,
    )
    if next(chain(edition_choices.of("rename"), edition_choices.of("theme")), None) is None:
        return edition  # what was published is read for these alone
    before = {
        theme.name
        for published in editions(snapshot, report.repo, report.known_at)
        for theme in published.fact.themes
    }
    looks = (*edition.looks, *unmatched(edition, edition_choices, before))
    return msgspec.structs.replace(edition, looks=looks)


def unmatched(edition: Edition, edition_choices: Choices, before: Set[str]) -> Iterator[ReviewNote]:
    """Yield the renames of no theme, and the moves into one that nothing else makes.

    `before` are the names in the editions that were published.
    """
    assigned = {theme.name for assignment in edition.assignments for theme in assignment.themes}
    renamed = {
        decision.fact.value for decision in edition_choices.of("rename") if decision.fact.value
    }
    moved = {decision.fact.value for decision in edition_choices.of("theme") if decision.fact.value}
    known = assigned | before | renamed
    for decision in edition_choices.of("rename"):
        if decision.fact.value and decision.fact.theme not in known | moved:
            yield ReviewNote(
                about=about(decision),
                why="no theme of this edition, nor of one published, is called "
                f"{decision.fact.theme}",
                records=(decision.record_id,),
            )
    told_numbers = {number for theme in edition.themes for number in theme.numbers}
    for decision in edition_choices.of("theme"):
        target = edition_choices.renamed(decision.fact.value or "")
        if target and target not in known and told_numbers & set(decision.fact.numbers):
            yield ReviewNote(
                about=about(decision),
                why=f"{target} holds only what was moved there; no theme was called so before",
                records=(decision.record_id,),
            )
