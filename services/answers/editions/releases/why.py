"""Why is a request told, or not told, in the edition of a release?"""

import msgspec

from events.errors import InvalidQuestion
from projections.period_ledger.excluding import Classified
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.edition import Edition
from services.answers.editions.placing import Place, as_sentence, place_of
from services.answers.editions.release_content import DOUBTFUL, Doubtful, ReleaseContent
from services.answers.editions.releases.answer import ReleaseWhyAnswer
from services.answers.editions.releases.assemble import ground_of, release_edition
from services.answers.editions.releases.ledger_rows import part_of
from services.answers.editions.releases.wording import reason
from services.answers.questions.question import EditionQuestion
from services.answers.releases.asked import asked_fields
from services.answers.releases.context import ResolvedQuestion
from services.answers.releases.inclusion import Inclusion, included
from services.answers.releases.inclusion_answer import inclusion_answer
from services.answers.reports.assemble import assemble
from services.answers.reports.classified_answer import classified_answer
from services.answers.reports.why_forms import TOLD, evidence, labelled
from services.answers.reports.wording import title
from services.documents.forms import Forms
from services.documents.model import Document, Item, List, Paragraph, Text


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
    context, content = ground_of(snapshot, report, question, histories), edition.release
    assert content is not None
    doubtful = [
        name for name in DOUBTFUL if number in {row.number for row in content.doubtful[name]}
    ]
    return ReleaseWhy(
        number=number,
        asked=context.asked,
        edition=edition,
        content=content,
        first=included(context, number, first),
        second=included(context, number, second),
        part=part_of(edition, number),
        doubtful=doubtful[0] if doubtful else None,
        place=place_of(edition, number),
        classified=edition.report.exclusions.requests.get(number),
    )


def why_of_release_forms(why: ReleaseWhy) -> Forms:
    """Return the answer in its forms."""
    return Forms(document=lambda: _document(why), answer=lambda: _answer(why))


def _answer(why: ReleaseWhy) -> ReleaseWhyAnswer:
    report = why.edition.report
    attributes = report.requests.get(why.number)
    return ReleaseWhyAnswer(
        **asked_fields(why.asked),
        releases=why.content.tags,
        number=why.number,
        title=attributes.title if attributes else None,
        told=why.told,
        part=why.part or None,
        reason=why.says,
        first=inclusion_answer(why.asked, why.first),
        second=inclusion_answer(why.asked, why.second),
        classified=None if why.classified is None else classified_answer(why.classified),
        rules=report.exclusions.digest,
        edition=why.place,
    )


def _document(why: ReleaseWhy) -> Document:
    report, (first, second) = why.edition.report, why.content.labels
    lines: list[Text | Item] = [
        labelled("why", why.says),
        labelled("first", why.first.sentence),
        labelled("second", why.second.sentence),
    ]
    if why.classified is not None:
        lines += evidence(why.classified)
        lines.append(labelled("rules", report.exclusions.digest))
    return Document(
        title=f"#{why.number} {title(report.requests.get(why.number))}",
        blocks=(
            Paragraph(f"{first} … {second}: {TOLD[why.told]}."),
            List(tuple(lines)),
            Paragraph(as_sentence(why.place)),
        ),
    )


def _numbers(numbers: tuple[int, ...]) -> str:
    return ", ".join(f"#{number}" for number in numbers)
