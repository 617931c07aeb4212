"""Comparing two answers to one question, step by step, so that each difference has its cause.

    published ─program─▶ made again ─late─▶ what came late ─later─▶ the later cut ─rules─▶ now

Every step is a report at its own (T, K) and rules; a step that changes nothing is not taken.
"""

from collections.abc import Sequence

import msgspec

from events.errors import InvalidQuestion
from events.instant import format_instant, parse_instant
from projections.period_ledger.quality import Doubt
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.asking import with_themes
from services.answers.editions.assemble import edition_of
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.audit.answer_version import answer_version
from services.audit.receipts.making import set_aside
from services.audit.receipts.receipt import Receipt
from services.audit.restatements.before import Before
from services.audit.restatements.causes import Causes, Steps
from services.audit.restatements.figures import Figures, figures
from services.audit.restatements.restatement import RANK, Cause, Explained, Restatement, Side
from services.audit.restatements.told import told_before
from services.audit.restatements.tracing import Change, Stage, StepName, changes
from services.stream.stores import Stores


def compare(
    stores: Stores, snapshot: Snapshot, question: ReportQuestion, before: Before
) -> Restatement:
    """Return what differs between an earlier answer and the question as it is asked now.

    Raise InvalidQuestion where the earlier answer is the later one.
    """
    if before.report is None:
        return _with_what_was_printed(stores, snapshot, question, before)
    after = assemble(snapshot, question, stores.histories)
    _check(question, before.report, after)
    steps = _steps(snapshot, question, before.report, after)
    earliest = figures(before.report) if before.published is None else before.published
    stages = _stages(before, steps, after)
    changed = changes(earliest, stages)
    program = _program(snapshot, before)
    causes = Causes(stores, snapshot, steps, _by_step(program, before.report, after))
    gone, new = _doubts(before.report, after)
    return Restatement(
        repo=after.repo,
        full_name=after.full_name,
        period=after.period,
        before=_side(before),
        after=_side_of(after),
        changes=tuple(changed),
        requests=tuple(_ranked(causes.explain(changed))),
        unlisted=(program,) if _tells_more(before, changed, program) else (),
        doubts_gone=gone,
        doubts_new=new,
        coverage_records=tuple(causes.coverage()) if gone or new else (),
    )


def _check(question: ReportQuestion, before: Report, after: Report) -> None:
    if before.repo != after.repo:
        raise InvalidQuestion(
            f"the earlier answer is about {before.full_name}, and not about {after.full_name}"
        )
    # without a known_at it is asked with all that was read, which may end before the K of before
    if question.known_at is not None and before.known_at > after.known_at:
        raise InvalidQuestion(
            f"compare with what was known earlier: {format_instant(before.known_at)} lies after "
            f"{format_instant(after.known_at)}"
        )


def _tells_more(before: Before, changed: Sequence[Change], program: Cause) -> bool:
    """Tell whether something differs that no listed request makes up.

    A receipt without figures is compared as it is made now; that this may be otherwise than it was
    made then must not go unsaid.
    """
    without_figures = before.receipt is not None and before.published is None
    return any(change.unlisted for change in changed) or (
        without_figures and program.kind != "unexplained"
    )


def _steps(snapshot: Snapshot, question: ReportQuestion, before: Report, after: Report) -> Steps:
    """Ask for what came late (at the earlier cut), and for the later cut, under the old rules."""
    rules = before.exclusions.rules
    old = msgspec.structs.replace(question, rules=rules)
    same_rules = rules.digest == after.exclusions.digest
    later = after if same_rules else assemble(snapshot, old)
    if before.end >= later.end:
        return Steps(before=before, late=later, later=later)
    cut = msgspec.structs.replace(old, as_of=before.end - 1)
    return Steps(before=before, late=assemble(snapshot, cut), later=later)


def _stages(before: Before, steps: Steps, after: Report) -> list[Stage]:
    reports: list[tuple[StepName, Report]] = []
    if before.published is not None:
        reports.append(("program", steps.before))
    reports.append(("late", steps.late))
    if steps.later is not steps.late:
        reports.append(("later", steps.later))
    if after is not steps.later:
        reports.append(("rules", after))
    figures_of: dict[int, Figures] = {id(report): figures(report) for _, report in reports}
    return [Stage(step=step, figures=figures_of[id(report)]) for step, report in reports]


def _by_step(program: Cause, before: Report, after: Report) -> dict[StepName, Cause]:
    was, now = before.exclusions.digest, after.exclusions.digest
    rule = Cause(kind="rule", says=f"exclusion rules {was[:12]} then, {now[:12]} now")
    return {"program": program, "rules": rule}


def _program(snapshot: Snapshot, before: Before) -> Cause:
    """Tell why an edition, made again from its receipt, has other figures than it printed."""
    receipt = before.receipt
    if receipt is None:
        return Cause(kind="unexplained", says="the file has no receipt of what it was made from")
    if receipt.answers != answer_version():
        says = f"answer version {receipt.answers} then, {answer_version()} now"
        return Cause(kind="rule", says=says)
    read = _read_since(snapshot, receipt)
    if read:
        return Cause(
            kind="retried dead letter", says=f"read since: {', '.join(read)}", record=read[0]
        )
    return Cause(kind="unexplained", says="the edition prints other figures than it was made from")


def _read_since(snapshot: Snapshot, receipt: Receipt) -> Sequence[str]:
    known_at = parse_instant(receipt.known_at)
    now = set_aside(snapshot, receipt.question.repository, known_at)
    return [record for record in receipt.set_aside if record not in now]


def _with_what_was_printed(
    stores: Stores, snapshot: Snapshot, question: ReportQuestion, before: Before
) -> Restatement:
    """Compare with an edition of which only its figures and the numbers that it told are known."""
    assert before.published is not None
    histories = HistoryCache()
    after = assemble(snapshot, question, histories)
    edition_question = with_themes(stores.settings, question)
    edition = edition_of(snapshot, after, edition_question, histories)
    changed = changes(before.published, [Stage(step="program", figures=figures(after))])
    says = "the edition tells figures, and not which requests they count"
    unlisted = any(change.unlisted for change in changed)
    return Restatement(
        repo=after.repo,
        full_name=after.full_name,
        period=after.period,
        before=_side(before),
        after=_side_of(after),
        changes=tuple(changed),
        requests=(),
        unlisted=(Cause(kind="unexplained", says=says),) if unlisted else (),
        told=told_before(before.themes, edition),
    )


def _doubts(before: Report, after: Report) -> tuple[tuple[Doubt, ...], tuple[Doubt, ...]]:
    """Return what of the coverage is gone, and what is new, by what it says."""
    old = {doubt.says: doubt for doubt in before.coverage}
    new = {doubt.says: doubt for doubt in after.coverage}
    return (
        tuple(doubt for says, doubt in old.items() if says not in new),
        tuple(doubt for says, doubt in new.items() if says not in old),
    )


def _ranked(requests: Sequence[Explained]) -> list[Explained]:
    """Order by rank of cause, then those that move most figures, then by number."""
    return sorted(
        requests,
        key=lambda request: (RANK[request.cause.kind], -len(request.moves), request.number),
    )


def _side(before: Before) -> Side:
    report, receipt = before.report, before.receipt
    if report is None:
        return Side(known_at=None, end=None, rules=None, answers=None, edition=before.edition)
    side = _side_of(report)
    answers = side.answers if receipt is None else receipt.answers
    return msgspec.structs.replace(side, answers=answers, edition=before.edition)


def _side_of(report: Report) -> Side:
    return Side(
        known_at=report.known_at,
        end=report.end,
        rules=report.exclusions.digest,
        answers=answer_version(),
    )
