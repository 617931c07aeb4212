"""Publishing one edition: as an issue for each language, and as files; then the record of it.

What is published is assembled once; every text of it comes with the receipt by which it can be
made again.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from events.errors import InvalidQuestion
from events.facts.editions import EditionPublished, Language
from events.instant import Instant
from projections.curation.queries import editions
from projections.store.snapshot import Snapshot
from services.answers.editions.edition import Edition
from services.answers.editions.forms import heading
from services.answers.editions.marker import edition_id
from services.answers.editions.parity import parity
from services.answers.questions.question import EditionQuestion, Shape
from services.audit.edition_receipts import Rendering, edition_receipt, rendered
from services.audit.receipts.receipt import Receipt
from services.authoring.publishing.files import EditionFile, write_files
from services.authoring.publishing.issue import IssuePlan, plan_issue, send
from services.authoring.publishing.recording import publication
from services.intake.github.issues import Issues
from services.stream.stores import Stores

#: Files whose bytes are recorded; the others hold what the log holds already.
_RECORDED = ("md", "txt", "html")
#: How many of the places that wait are named; `shipledger edition` names them all.
_NAMED = 3


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """One text of an edition, ready to be published."""

    rendering: Rendering
    language: Language
    text: str
    receipt: Receipt


class IssueDraft(msgspec.Struct, frozen=True, kw_only=True):
    """One issue that publishing would make or change."""

    name: str
    draft: Draft
    plan: IssuePlan


class PublishingContext:
    """An edition on its way, with the stores and the snapshot that it was assembled from."""

    def __init__(
        self,
        stores: Stores,
        snapshot: Snapshot,
        question: EditionQuestion,
        edition: Edition,
        shape: Shape,
    ) -> None:
        self.stores, self._snapshot = stores, snapshot
        self.question, self.edition, self.shape = question, edition, shape

    def draft(self, form: str, language: Language, *, issue: bool = False) -> Draft:
        """Render a text with its receipt; raise InvalidQuestion where an issue is too long."""
        edition = self.edition
        rendering = Rendering(
            form=form,
            shape=self.shape,
            stage=self.question.stage,
            label=edition.label,
            author=edition.author,
            issue=issue,
            releases=self.question.releases or msgspec.UNSET,
        )
        receipt = edition_receipt(
            self.stores, self._snapshot, edition, self.question, rendering, language
        )
        text = rendered(edition, rendering, language)
        return Draft(rendering=rendering, language=language, text=text, receipt=receipt)

    def issue(
        self,
        issues: Issues,
        language: Language,
        labels: Sequence[str],
        number: int | None,
        *,
        new: bool = False,
    ) -> IssueDraft:
        """Say what would be done with the issue of a language; see `plan_issue`."""
        report = self.edition.report
        name = edition_id(report.repo, report.period, language, self.edition.releases)
        draft = self.draft("md", language, issue=True)
        plan = plan_issue(
            issues,
            edition=name,
            title=heading(self.edition, language),
            body=draft.text,
            labels=labels,
            number=number or self._known_number(issues, language),
            new=new,
        )
        return IssueDraft(name=name, draft=draft, plan=plan)

    def _known_number(self, issues: Issues, language: Language) -> int | None:
        """Return the issue in which this edition was published before, as far as is recorded."""
        report = self.edition.report
        for edition in reversed(editions(self._snapshot, report.repo, report.known_at)):
            fact, (where, mark, number) = edition.fact, edition.fact.place.partition("#")
            same = (fact.start, fact.end, fact.language, fact.releases) == (
                report.period.start,
                report.period.end,
                language,
                self.edition.releases,
            )
            if same and mark and where == issues.full_name and number.isdecimal():
                return int(number)
        return None

    def publication(self, draft: Draft, place: str, at: Instant) -> EditionPublished:
        """Return the statement that a draft was published."""
        return publication(
            self.edition,
            draft.rendering,
            draft.language,
            draft.text,
            place=place,
            at=at,
            receipt=draft.receipt,
        )


def check_publishable(
    edition: Edition, languages: Sequence[Language], shape: Shape, *, with_gaps: bool
) -> None:
    """Raise InvalidQuestion where a person has to write first, or the languages differ."""
    gaps = [f"{language}: {gap}" for language in languages for gap in edition.gaps(language)]
    waiting = f"places wait for a person: {len(gaps)} ({'; '.join(gaps[:_NAMED])}"
    waiting += "; …)" if len(gaps) > _NAMED else ")"
    if gaps and edition.stage == "final":
        raise InvalidQuestion(
            f"{waiting}, so the edition is not Final; fill them with `shipledger curate`, or "
            "publish it without --final"
        )
    if gaps and not with_gaps:
        raise InvalidQuestion(
            f"{waiting}; fill them with `shipledger curate`, or publish them as they are with "
            "--with-gaps"
        )
    faults = parity(edition, shape) if len(languages) > 1 else ()
    if faults:
        raise InvalidQuestion(f"the languages do not say the same: {'; '.join(faults)}")


def publish_issue(
    context: PublishingContext, issues: Issues, draft: IssueDraft, at: Instant
) -> EditionPublished:
    """Create or change the issue; return the statement of it."""
    issue = send(issues, draft.plan, draft.name)
    number = draft.plan.number if issue is None else issue.number
    return context.publication(draft.draft, f"{issues.full_name}#{number}", at)


def publish_files(
    context: PublishingContext, folder: Path, planned: Iterable[EditionFile], at: Instant
) -> list[EditionPublished]:
    """Write files; return the statements of those whose bytes are recorded."""
    files = list(planned)
    write_files(folder, files)
    return [
        context.publication(context.draft(file.form, file.language), file.name, at)
        for file in files
        if file.form in _RECORDED and file.language is not None
    ]
