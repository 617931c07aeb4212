"""Requests of a period that may land one change: what a person has to say of them."""

from collections.abc import Mapping
from textwrap import shorten

import msgspec

from events.errors import NotFound
from projections.curation.queries import decisions
from projections.period_ledger.change_groups.members import Member, Pair
from projections.store.snapshot import Snapshot
from services.answers.editions.answer import PairsAnswer, pair_answer
from services.answers.editions.choices import choices
from services.answers.editions.grouping import groups_of, uncertain_pairs
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.reports.assemble import assemble
from services.documents.forms import Forms
from services.documents.model import Column, Document, Table
from services.stream.stores import Stores


class PairsInDoubt(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs that wait, the most likely first, and the requests that they are of."""

    pairs: tuple[Pair, ...]
    members: Mapping[int, Member]

    def named(self, name: str) -> Pair:
        """Return a pair by its id; raise NotFound where none waits under it."""
        for pair in self.pairs:
            if pair.id == name:
                return pair
        raise NotFound(f"no pair {name} waits in this period; list them without an ID")


def pairs_in_doubt(stores: Stores, snapshot: Snapshot, request: QuestionRequest) -> PairsInDoubt:
    """Return the requests of a period that may be one change with another one."""
    question = QuestionBuilder(stores.settings).report(request)
    report = assemble(snapshot, question, stores.histories)
    decided = decisions(snapshot, report.repo, report.known_at)
    groups = groups_of(snapshot, question, report, choices(decided, report.period))
    return PairsInDoubt(pairs=uncertain_pairs(report, groups), members=groups.members)


def pairs_forms(pairs: PairsInDoubt) -> Forms:
    """Return the pairs in their forms."""
    return Forms(
        document=lambda: _document(pairs),
        answer=lambda: PairsAnswer(waiting=tuple(map(pair_answer, pairs.pairs))),
    )


def _document(pairs: PairsInDoubt) -> Document:
    columns = tuple(map(Column, ("id", "request", "may be one change with", "by")))
    rows = tuple(
        (
            pair.id,
            _member(pairs.members[pair.number]),
            _member(pairs.members[pair.origin]),
            f"{pair.method}: {pair.doubt}",
        )
        for pair in pairs.pairs
    )
    return Document(title="Requests that may land one change", blocks=(Table(columns, rows),))


def _member(member: Member) -> str:
    return f"{member.mark} {shorten(member.title, 60)}"
