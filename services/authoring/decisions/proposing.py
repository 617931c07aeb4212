"""Sentences that a language model proposes for the summaries that nobody has written yet.

What passed the checks may be recorded as a decision whose author says that a model wrote it. From
then on the edition rests on the record, and the model is not asked again.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import msgspec

from events.facts.editions import MODEL, Language
from projections.curation.queries import decisions
from projections.pull_requests.texts import texts_of
from projections.store.snapshot import Snapshot
from services.answers.editions.choices import choices
from services.answers.editions.edition import Edition, EditionTheme
from services.answers.editions.grouping import moment
from services.answers.text.checking import Cited
from services.answers.text.language_model import Proposed
from services.authoring.decisions.deciding import DecisionRequest, decide
from services.stream.stores import Stores


class Model(Protocol):
    """What is asked for sentences."""

    @property
    def name(self) -> str:
        """The name of the model."""

    def sentence(self, theme: str, cited: list[Cited], language: Language) -> Proposed:
        """Propose one sentence about a theme; raise TransientError where it does not answer."""


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """A theme whose sentence is not written in a language, and all that may be said in it."""

    theme: EditionTheme
    language: Language
    cited: list[Cited]


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answered about a gap, checked."""

    gap: Gap
    proposed: Proposed


def summary_gaps(snapshot: Snapshot, edition: Edition, language: Language) -> list[Gap]:
    """Return the themes whose sentence waits, with the titles and texts of their requests."""
    themes = [theme for theme in edition.themes if theme.summary[language].origin == "gap"]
    report = edition.report
    numbers = [number for theme in themes for number in theme.numbers]
    texts = texts_of(snapshot, report.repo, numbers, moment(report), report.known_at)
    return [
        Gap(
            theme=theme,
            language=language,
            cited=[
                Cited(number=number, title=member.title, text=texts.get(number))
                for change in theme.changes
                for number, member in change.members.items()
            ],
        )
        for theme in themes
    ]


def propose(model: Model, gaps: Iterable[Gap]) -> Iterator[Proposal]:
    """Ask for one sentence after the other; raise TransientError where the model is away."""
    for gap in gaps:
        names = dict.fromkeys((gap.theme.names[gap.language], gap.theme.key))
        proposed = model.sentence(" / ".join(names), gap.cited, gap.language)
        yield Proposal(gap=gap, proposed=proposed)


def accept(
    stores: Stores,
    edition: Edition,
    proposal: Proposal,
    model: str,
    catch_up: Callable[[Stores], None],
) -> str | None:
    """Record a sentence that passed; return its record.

    None for one that was refused, and where somebody wrote a sentence while the model was asked.
    """
    theme, language, report = proposal.gap.theme, proposal.gap.language, edition.report
    if proposal.proposed.text is None:
        return None
    catch_up(stores)
    with stores.read_model.snapshot() as snapshot:
        decided = decisions(snapshot, report.repo, snapshot.watermark(report.repo).last_recorded)
    chosen = choices(decided, report.period)
    if chosen.summary(theme.section, theme.key, theme.numbers, language) is not None:
        return None
    wish = DecisionRequest(
        kind="summary",
        value=proposal.proposed.text,
        author=MODEL + model,
        theme=theme.key,
        section=theme.section,
        language=language,
        period=report.period,
        seen=edition,
        reason="proposed by a language model, its figures and names checked",
    )
    _, record_id = decide(stores, report.repo, wish)
    return record_id


class ProposalAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model proposed for a theme (`text` None: it was refused), and the decision where one
    was recorded.
    """

    section: str
    theme: str
    language: str
    text: str | None
    pulls: tuple[int, ...]
    said: str
    refused: tuple[str, ...]
    record: str | None


def proposal_answer(proposal: Proposal, record: str | None) -> ProposalAnswer:
    """Return a proposal for programs."""
    theme, proposed = proposal.gap.theme, proposal.proposed
    return ProposalAnswer(
        section=theme.section,
        theme=theme.key,
        language=proposal.gap.language,
        text=proposed.text,
        pulls=tuple(sorted(proposed.numbers)),
        said=proposed.said,
        refused=tuple(proposed.refused),
        record=record,
    )
