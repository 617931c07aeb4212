"""Requests of which a clone shows the head alone: candidates for "in progress", labelled so."""

from collections.abc import Iterator

import msgspec

from projections.release_inclusion.heads import RequestHead
from services.answers.reports.assemble import Report
from services.answers.reports.wording import local, rfc3339
from services.documents.model import List, Paragraph, Section


class CandidateAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A request of which only the head is recorded: open or closed, unproven."""

    number: int
    head: str
    subject: str | None
    author: str | None
    committed_at: str | None
    test_merge: bool
    record: str


def candidate_sections(report: Report) -> Iterator[Section]:
    """Yield the requests that only their heads show, labelled as what they are: first those of
    which a test merge stands.
    """
    if not report.candidates:
        return
    ordered = sorted(report.candidates, key=lambda head: (not head.test_merge, head.number))
    tested = sum(head.test_merge for head in ordered)
    note = (
        "Their heads are all that is recorded of them (the words are their last commit's): each is "
        "open or closed, and nothing proves which."
    )
    if tested:
        note += f" GitHub keeps a test merge of {tested:,} of them, as it does of open requests."
    lines = tuple(_line(report, head) for head in ordered)
    title = f"Candidates for In Progress, unproven ({len(lines):,})"
    yield Section(title, (Paragraph(note), List(lines)))


def _line(report: Report, head: RequestHead) -> str:
    assert head.commit is not None
    author = f", {head.commit.author} (in git)" if head.commit.author else ""
    when = local(head.commit.committed_at, report.period.zone)
    tested = "; test merge stands" if head.test_merge else ""
    return f"#{head.number} {head.commit.subject} — last commit {when}{author}{tested}"


def candidate_answer(head: RequestHead) -> CandidateAnswer:
    """Return a candidate for programs."""
    commit = head.commit
    return CandidateAnswer(
        number=head.number,
        head=head.sha,
        subject=commit.subject if commit else None,
        author=commit.author if commit else None,
        committed_at=rfc3339(commit.committed_at) if commit else None,
        test_merge=head.test_merge,
        record=head.record_id,
    )
