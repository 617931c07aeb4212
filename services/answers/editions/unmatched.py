"""Decisions about themes whose name fits nothing: mistyped, or of a theme that is gone.

A rename holds for every period and is made without an edition at hand, so that nobody can check it
then; a draft can say that it did nothing.
"""

from collections.abc import Iterator, Set

import msgspec

from projections.curation.queries import decisions, editions
from projections.store.snapshot import Snapshot
from services.answers.editions.choices import Choices, about, choices
from services.answers.editions.edition import Edition, ReviewNote


def with_unmatched(snapshot: Snapshot, edition: Edition) -> Edition:
    """Return an edition whose person is told of decisions that fit no theme of it or of before."""
    report = edition.report
    held = choices(
        decisions(snapshot, report.repo, report.known_at),
        report.period,
        edition.releases,
    )
    before = {
        theme.name
        for one in editions(snapshot, report.repo, report.known_at)
        for theme in one.fact.themes
    }
    looks = (*edition.looks, *unmatched(edition, held, before))
    return msgspec.structs.replace(edition, looks=looks)


def unmatched(edition: Edition, held: Choices, before: Set[str]) -> Iterator[ReviewNote]:
    """Yield the renames of no theme, and the moves into one that nothing else makes.

    `before` are the names in the editions that were published.
    """
    made = {theme.name for found in edition.assignments for theme in found.themes}
    renamed = {one.fact.value for one in held.of("rename") if one.fact.value}
    moved = {one.fact.value for one in held.of("theme") if one.fact.value}
    known = made | before | renamed
    for one in held.of("rename"):
        if one.fact.value and one.fact.theme not in known | moved:
            yield ReviewNote(
                about=about(one),
                why=f"no theme of this edition, nor of one published, is called {one.fact.theme}",
                records=(one.record_id,),
            )
    told = {number for theme in edition.themes for number in theme.numbers}
    for one in held.of("theme"):
        target = held.renamed(one.fact.value or "")
        if target and target not in known and told & set(one.fact.numbers):
            yield ReviewNote(
                about=about(one),
                why=f"{target} holds only what was moved there; no theme was called so before",
                records=(one.record_id,),
            )
