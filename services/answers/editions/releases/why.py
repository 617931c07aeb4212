"""Why is a request told, or not told, in the edition of a release?"""

from collections.abc import Iterator
from typing import Any

import msgspec

from events.errors import InvalidQuestion
from projections.period_ledger.excluding import Classified
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.edition import Edition
from services.answers.editions.placing import Place, as_sentence, place_of
from services.answers.editions.releases.assemble import ground_of, release_edition
from services.answers.editions.releases.content import DOUBTFUL, Doubtful, ReleaseContent
from services.answers.editions.releases.ledger_rows import part_of
from services.answers.editions.releases.wording import reason
from services.answers.questions.question import EditionQuestion
from services.answers.releases import documents
from services.answers.releases.context import ResolvedQuestion
from services.answers.releases.inclusion import Inclusion, included
from services.answers.reports.assemble import assemble
from services.answers.reports.render.exclusion_json import classified
from services.answers.reports.why import evidence_lines
from services.answers.reports.wording import title


class ReleaseWhy(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one request: where it is, of both releases, and its part of the edition.

    `part` is that of the reconciliation (empty: the release does not bring it), `doubtful` why it
    is not plainly delivered.
    """

    number: int
    asked: ResolvedQuestion
    edition: Edition
    content: ReleaseContent
    first: Inclusion
    second: Inclusion
    part: str
    doubtful: Doubtful | None
    place: Place
    classified: Classified | None

    @property
    def told(self) -> bool | None:
        """Whether its number is told; None where the release has nothing of it to tell."""
        if not self.part:
            return None if self.doubtful is None else False
        return self.part in ("told", "twin")

    @property
    def says(self) -> str:
        """Its part of the edition in one clause."""
        first, second = self.content.tags
        if self.doubtful is not None:
            rows = self.content.doubtful[self.doubtful]
            row = next(row for row in rows if row.number == self.number)
            return f"not plainly delivered: {reason(self.content, self.doubtful, row, 'en')}"
        if self.number in {row.number for row in self.content.page.carriers}:
            return f"it only brought others: {_numbers(self.second.brings)}"
        if not self.part:
            return f"{second} does not bring it against {first}"
        if self.part == "told":
            return f"{second} brings it against {first}, and it is told"
        if self.part == "twin":
            return f"{second} brings it, and the same change is told under #{self.place.lead}"
        if self.part == "not told":
            why = self.place.why or "it fits no theme"
            return f"{second} brings it, and it is not told: {why}"
        return f"{second} brings it, and it is left out as {self.part}"


def why_of_release(snapshot: Snapshot, question: EditionQuestion, number: int) -> ReleaseWhy:
    """Answer for one request; raise NotFound for a number of which nothing is recorded."""
    if question.releases is None:
        raise InvalidQuestion("say which releases")
    histories, (first, second) = HistoryCache(), question.releases
    report = assemble(snapshot, question.report)
    edition = release_edition(snapshot, report, question, question.releases, histories)
    ground, content = ground_of(snapshot, report, question, histories), edition.release
    assert content is not None
    doubtful = [
        name for name in DOUBTFUL if number in {row.number for row in content.doubtful[name]}
    ]
    return ReleaseWhy(
        number=number,
        asked=ground.asked,
        edition=edition,
        content=content,
        first=included(ground, number, first),
        second=included(ground, number, second),
        part=part_of(edition, number),
        doubtful=doubtful[0] if doubtful else None,
        place=place_of(edition, number),
        classified=edition.report.exclusions.requests.get(number),
    )


def as_document(answer: ReleaseWhy) -> dict[str, Any]:
    """Return plain values for JSON."""
    report = answer.edition.report
    shown = report.requests.get(answer.number)
    return {
        **answer.asked.document(),
        "releases": list(answer.content.tags),
        "number": answer.number,
        "title": shown.title if shown else None,
        "told": answer.told,
        "part": answer.part or None,
        "reason": answer.says,
        "first": documents.inclusion(answer.asked, answer.first),
        "second": documents.inclusion(answer.asked, answer.second),
        "classified": None if answer.classified is None else classified(answer.classified),
        "rules": report.exclusions.digest,
        "edition": msgspec.to_builtins(answer.place),
    }


def as_text(answer: ReleaseWhy) -> str:
    """Return the answer for people."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: ReleaseWhy) -> Iterator[str]:
    report, (first, second) = answer.edition.report, answer.content.labels
    told = {True: "told", False: "not told", None: "not in question"}[answer.told]
    yield f"#{answer.number} {title(report.requests.get(answer.number))}"
    yield f"{first} … {second}: {told}."
    yield f"  why      {answer.says}"
    yield f"  first    {answer.first.sentence}"
    yield f"  second   {answer.second.sentence}"
    if answer.classified is not None:
        yield from evidence_lines(answer.classified)
        yield f"  rules    {report.exclusions.digest}"
    yield as_sentence(answer.place)


def _numbers(numbers: tuple[int, ...]) -> str:
    return ", ".join(f"#{number}" for number in numbers)
