"""Where one request is: in one tag or branch, or in all of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from events.errors import InvalidQuestion, NotFound
from projections.pull_requests.attributes import Attributes
from projections.pull_requests.queries import states_of
from projections.release_inclusion.history.verdicts import Verdict, verdict
from projections.release_inclusion.lacking import lacking_of
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.ports import Port, open_ports, port_of
from projections.release_inclusion.queries import HEADS
from projections.release_inclusion.shipping import first_shipped
from projections.repositories.queries import former_names
from services.answers.releases.context import ReleaseContext, ResolvedQuestion
from services.answers.releases.explaining import VerdictExplainer, sentence
from services.answers.releases.lacking import remarks
from services.answers.releases.subjects import Subject, newest_first, of_releases, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One thing that decided: a commit, a ref or a request, with the record that showed it."""

    kind: str
    name: str
    record_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inclusion:
    """The answer for one request and one tag or branch."""

    number: int
    subject: Subject
    verdict: Verdict
    because: str
    against: str | None
    """The tag before, against which `removed` and `new` are told."""
    first: str | None
    """The first release of the family that includes it (`shipping.first_shipped`)."""
    brings: tuple[int, ...]
    lacks: tuple[str, ...]
    """Of a release that has it: what it lacks about it, a sentence each; hints."""
    """The requests that this one only carries, where it is a cherry-pick, sync or promotion."""
    evidence: tuple[Evidence, ...]

    @property
    def sentence(self) -> str:
        """The sentence with which the answer begins."""
        return sentence(self.subject, self.verdict, self.because)


@dataclass(frozen=True, slots=True, kw_only=True)
class Everywhere:
    """Where one request is: in every tag, and on every long-lived branch that has it."""

    asked: ResolvedQuestion
    number: int
    attributes: Attributes | None
    releases: tuple[Inclusion, ...]
    by_commit: tuple[tuple[Inclusion, ...], ...]
    """The releases with tags of one commit together, the one that speaks for it first."""
    branches: tuple[Inclusion, ...]
    port: Port | None


def included(context: ReleaseContext, number: int, name: str) -> Inclusion:
    """Answer for one request and one tag, alias or branch."""
    _require(context, number, name)
    return _answers(context, number, [resolve(context, name)])[0]


def everywhere(context: ReleaseContext, number: int) -> Everywhere:
    """Answer for one request, every tag and every long-lived branch."""
    _require(context, number)
    view = context.view
    tags = of_releases(context, view.releases)
    branches = [resolve(context, HEADS + name) for name in view.history.branches]
    answers = _answers(context, number, [*tags, *branches])
    names = Names(former_names(context.snapshot, context.asked.repo, context.asked.known_at))
    releases = tuple(answers[: len(tags)])
    return Everywhere(
        asked=context.asked,
        number=number,
        attributes=context.attributes([number]).get(number),
        releases=releases,
        by_commit=tuple(_by_commit(context, releases)),
        branches=tuple(answers[len(tags) :]),
        port=port_of(view.history, number, open_ports(view.history, names)),
    )


def _by_commit(
    context: ReleaseContext, releases: Sequence[Inclusion]
) -> Iterator[tuple[Inclusion, ...]]:
    """Yield tags of one commit together where they answer alike, the first of them in its place.

    Packages stand after what is tagged of the whole repository.
    """
    by_tag = {inclusion.subject.name: inclusion for inclusion in releases}
    by_commit = context.view.known.by_commit
    ordered = newest_first(releases, lambda inclusion: inclusion.subject)
    for inclusion in sorted(ordered, key=lambda inclusion: "/" in inclusion.subject.name):
        outcome = inclusion.verdict.outcome
        same = [
            other
            for known in by_commit[inclusion.subject.commit]
            if (other := by_tag[known.tag]).verdict.outcome == outcome
        ]
        if same[0] is inclusion:
            yield tuple(same)


def _require(context: ReleaseContext, number: int, subject: str = "any release") -> None:
    if number < 1:
        raise InvalidQuestion(f"{number} is not a number of a pull request; write 6022")
    view = context.view
    if number not in view.requests and not view.history.carriers.of(number):
        name = context.asked.full_name
        raise NotFound(
            f"no trace of #{number} in {subject}: nothing is recorded of #{number} in {name} as "
            "known then"
        )


def _answers(context: ReleaseContext, number: int, subjects: Sequence[Subject]) -> list[Inclusion]:
    words, view = VerdictExplainer(context), context.view
    proof = _Proof(context, number)
    brings = view.history.carriers.carried_by(number)
    inclusions = []
    for subject in subjects:
        release = subject.release
        predecessor = view.predecessor(release) if release else None
        tip = predecessor.commit if predecessor else None
        answer = verdict(view.history, number, subject.commit, against=tip)
        against = predecessor.tag if predecessor else None
        inclusions.append(
            Inclusion(
                number=number,
                subject=subject,
                verdict=answer,
                because=words.of(subject, answer, against),
                against=against,
                first=first_shipped(view, number, release) if release else None,
                brings=brings,
                lacks=_lacks(context, number, subject) if len(subjects) == 1 else (),
                evidence=proof.of(subject, answer),
            )
        )
    return inclusions


def _lacks(context: ReleaseContext, number: int, subject: Subject) -> tuple[str, ...]:
    if subject.release is None:
        return ()
    return tuple(remarks(lacking_of(context.view, number, subject.release), context.view))


class _Proof:
    """Collects what decided the verdicts of one request."""

    def __init__(self, context: ReleaseContext, number: int) -> None:
        self._ground = context
        self._number = number
        self._carriers = [c.sha for c in context.view.history.carriers.of(number)]
        self._records: dict[str, str | None] = {}
        asked = context.asked
        spans = states_of(context.snapshot, asked.repo, number, asked.known_at)
        states = [span for span in spans if span.vf <= asked.as_of < span.vt]
        self._state = [
            Evidence(kind="pull_request", name=f"#{number}", record_id=span.record_id)
            for span in states[-1:]
        ]

    def of(self, subject: Subject, verdict: Verdict) -> tuple[Evidence, ...]:
        """Return the deciding commits (else where it is instead), its state, and the ref."""
        shas = verdict.evidence or self._carriers
        ref = Evidence(kind="ref", name=subject.ref, record_id=subject.record_id)
        return (*self._commits(shas), *self._state, ref)

    def _commits(self, shas: Iterable[str]) -> list[Evidence]:
        wanted = dict.fromkeys(shas)
        unread = [sha for sha in wanted if sha not in self._records]
        if unread:
            commits = self._ground.commits(unread)
            self._records |= {
                sha: commits[sha].record_id if sha in commits else None for sha in unread
            }
        return [Evidence(kind="commit", name=sha, record_id=self._records[sha]) for sha in wanted]
