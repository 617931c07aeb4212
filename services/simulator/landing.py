"""How a pull request's change enters its base: the four methods, and the queue's batches."""

from collections.abc import Iterable, Sequence

from services.simulator.objects import Commit
from services.simulator.people import QUEUE, Person, web_flow
from services.simulator.pulls import Pull
from services.simulator.truth import Method


def merge(pull: Pull, by: Person, *, title: str | None = None) -> None:
    """Merge with a merge commit; its subject is GitHub's default unless a title is given."""
    stage = pull.stage
    tip, at = stage.git.tip(pull.base), _commit_time(pull)
    head = f"{stage.place.owner if pull.origin == 'same' else pull.author.login}/{pull.head_ref}"
    subject = title or f"Merge pull request #{pull.number} from {head}"
    message = f"{subject}\n\n{pull.title}\n" if title is None else f"{subject}\n"
    commit = stage.git.commit(
        (tip, pull.head), pull.changes, message, author=by.stamp(at), committer=web_flow(at)
    )
    _land(pull, [commit], "merge", by)


def squash(pull: Pull, by: Person, *, body: str | None = None) -> None:
    """Merge as one commit `title (#N)`; of several commits the body lists the subjects."""
    _land(pull, [_squashed(pull, pull.stage.git.tip(pull.base), body)], "squash", by)


def rebase(pull: Pull, by: Person) -> None:
    """Merge by replaying each commit on the base: new ids, old messages, no number anywhere."""
    stage = pull.stage
    tip, at = stage.git.tip(pull.base), _commit_time(pull)
    landed: list[Commit] = []
    for old in pull.commits:
        tip = stage.git.commit(
            (tip,), old.changes, old.message, author=old.author, committer=by.stamp(at)
        )
        landed.append(tip)
    _land(pull, landed, "rebase", by)


def land_batch(pulls: Sequence[Pull]) -> None:
    """Land a merge queue's batch: one push by the queue's robot, all requests closed with it."""
    first = pulls[0]
    stage, base = first.stage, first.base
    tip = stage.git.tip(base)
    branch = f"gh-readonly-queue/{base}/pr-{pulls[-1].number}-{tip.sha}"
    landed = []
    for pull in pulls:
        tip = _squashed(pull, tip, None)
        landed.append(tip)
    stage.push_branch(branch, tip, by=QUEUE)
    for pull in pulls:
        pull.send("dequeued", {"reason": "MERGE"}, QUEUE)
    stage.push_branch(base, tip, by=QUEUE)
    for pull, commit in zip(pulls, landed, strict=True):
        _close(pull, [commit], "queue", QUEUE)
    stage.delete_branch(branch, by=QUEUE)


def _commit_time(pull: Pull) -> int:
    # `merged_at` is often a second later than the commit.
    return pull.stage.now - pull.stage.rng.choice((0, 0, 1))


def _squashed(pull: Pull, tip: Commit, body: str | None) -> Commit:
    at = _commit_time(pull)
    if body is None:
        body = _list(message for message, _ in pull.work) if len(pull.work) > 1 else ""
    message = f"{pull.title} (#{pull.number})\n" + (f"\n{body}\n" if body else "")
    return pull.stage.git.commit(
        (tip,), pull.changes, message, author=pull.author.stamp(at), committer=web_flow(at)
    )


def _list(messages: Iterable[str]) -> str:
    return "\n\n".join(f"* {message.strip()}" for message in messages)


def _land(pull: Pull, landed: list[Commit], method: Method, by: Person) -> None:
    pull.stage.push_branch(pull.base, landed[-1], by=by)
    _close(pull, landed, method, by)


def _close(pull: Pull, landed: list[Commit], method: Method, by: Person) -> None:
    stage = pull.stage
    pull.closed_at = pull.merged_at = stage.now
    pull.merged_by = by
    pull.merge_commit = landed[-1].sha
    pull.book.method = method
    pull.book.landing = tuple(commit.sha for commit in landed)
    for unit, commit in enumerate(landed):
        stage.ledger.carry(commit.sha, pull.number, (unit,))
    pull.step("merged", pull.send("closed", {}, by))
