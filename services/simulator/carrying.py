"""Requests that have to do with others: ports, cherry-picks, stacks, reverts and re-adds."""

from collections.abc import Generator
from typing import Final, Literal

from services.simulator.landing import merge, rebase, squash
from services.simulator.objects import Changes
from services.simulator.people import PORTER
from services.simulator.pulls import Pull, Work
from services.simulator.stage import DAY, HOUR, Script
from services.simulator.stories import review
from services.simulator.team import Team
from services.simulator.truth import Relation, RelationKind

#: The shapes in which a cherry-pick shows what it carries (GITHUB_FACTS.md 6.3).
PICK_SHAPES: Final = ("cp title", "merge subject", "suffix", "trailer")


def ported(team: Team) -> Script:
    """Land a feature on dev, then port it to main under a new number, with or without a trailer."""
    title = team.title()
    first = team.open("dev", title=f"[Dev] {title}", work=team.work(team.rng.choice((1, 2))))
    team.features.append(first)
    yield from review(team, first)
    squash(first, team.maintainer())
    yield team.stage.between(5, 300)
    traced = team.rng.random() < 0.5
    trailer = f"(cherry picked from commit {first.merge_commit})"
    port = team.open(
        "main",
        title=f"[main] {title}" if team.rng.random() < 0.5 else title,
        work=first.work if not traced else [(f"{title}\n\n{trailer}\n", first.changes)],
        relations=[relation("pick", first, "trailer") if traced else relation("port", first)],
        body=None,
    )
    team.features.append(port)
    yield from review(team, port)
    if team.rng.random() < 0.8:
        squash(port, team.maintainer(), body=trailer if traced else None)
        if traced:
            carry_all(team, port, first)


def picked(team: Team) -> Script:
    """Land a fix on main, then cherry-pick it into the release branch of the day."""
    fix = team.open("main", title=f"Fix: {team.title()}", work=team.work(team.rng.choice((1, 2))))
    yield from review(team, fix)
    squash(fix, team.maintainer())
    wanted = yield from await_release(team, fix)
    if wanted:
        yield from _pick(team, fix, team.rng.choice(PICK_SHAPES))


def half_picked(team: Team) -> Script:
    """Land three commits by rebase, then cherry-pick only two of them into a release branch."""
    series = team.open("main", work=team.work(3))
    yield from review(team, series)
    rebase(series, team.maintainer())
    yield 1
    wanted = yield from await_release(team, series)
    if not wanted:
        return
    assert team.release
    chosen = range(2)
    work = [with_trailer(series.work[unit], series.book.landing[unit]) for unit in chosen]
    pick = team.open(
        team.release,
        title=f"Part of #{series.number} for the release",
        work=work,
        author=PORTER,
        relations=[relation("pick", series, "trailer")],
    )
    yield team.stage.between(1, 10)
    rebase(pick, team.maintainer())
    for unit in chosen:
        sha = pick.book.landing[unit]
        team.stage.ledger.carry(sha, series.number, (unit,), "pick")
        team.stage.ledger.descend(sha, (series.book.landing[unit],))


def await_release(team: Team, pull: Pull) -> Generator[int, None, bool]:
    """Wait for a release branch that takes picks and lacks the request; False after 20 days."""
    for _ in range(20):
        if team.release:
            return pull.book.landing[-1] not in team.stage.git.lines[team.release]
        yield DAY
    return False


def _pick(team: Team, fix: Pull, shape: str) -> Script:
    base = team.release
    assert base
    number, title = fix.number, fix.title
    message, changes = f"{title} (#{number})\n", fix.changes
    if shape == "trailer":
        message, changes = with_trailer((message, changes), fix.book.landing[0])
    titles = {
        "cp title": f"cp: `{title} ({number})` into `{base}`",
        "suffix": f"{title} (cherry-pick #{number})",
    }
    pick = team.open(
        base,
        title=titles.get(shape, title),
        work=[(message, changes)],
        author=PORTER,
        head=f"cherry-pick-{number}-{base}",
        body=f"beep boop [🤖]: we've cherry picked #{number} into  for you! 🚀",
        relations=[relation("pick", fix, shape)],
    )
    pick.label("cherry-pick")
    yield team.stage.between(1, 30)
    by = team.maintainer()
    if shape == "merge subject":
        merge(pick, by)
        # The commit that carries is the one inside, which keeps the old number in its subject.
        carry_all(team, pick, fix, sha=pick.head.sha)
    else:
        squash(pick, by, body=message.partition("\n\n")[2].strip() or None)
        carry_all(team, pick, fix)
    yield 2
    pick.remove_branch()


def stacked(team: Team) -> Script:
    """Stack a second request on a first one, and merge the first or close it."""
    parent = team.open("main", head=f"stack/{team.stage.serial()}", work=team.work(2))
    yield team.stage.between(1, 40)
    child = team.open(parent.head_ref, on=parent.head, work=team.work(1))
    parent.children.append(child)
    yield team.stage.between(5, 60)
    ending = team.rng.choice(("into parent", "after parent", "parent closed"))
    if ending == "into parent":
        yield from _child_first(team, parent, child)
    elif ending == "after parent":
        squash(parent, team.maintainer())
        yield 1
        parent.remove_branch()
        yield HOUR
        child.rebase()
        yield team.stage.between(5, 50)
        squash(child, team.maintainer())
    else:
        parent.close()
        yield team.stage.between(1, 20)
        child.close(team.maintainer())


def _child_first(team: Team, parent: Pull, child: Pull) -> Script:
    squash(child, child.author)
    parent.absorb(child)
    parent.book.relations.append(relation("stack", child, "commits inside"))
    yield team.stage.between(1, 30)
    squash(parent, team.maintainer())
    # The child's commit is only in the parent's branch; what main got carries both.
    landed, inner = parent.book.landing[0], child.book.landing
    team.stage.ledger.carry(landed, child.number, (0,), "stack")
    team.stage.ledger.descend(landed, inner)


def reverted(team: Team) -> Script:
    """Land it, revert it; often bring it back by one of three ways, or revert it once more."""
    base = team.rng.choice(("main", "main", "dev"))
    pull = team.open(base)
    team.features.append(pull)
    yield from review(team, pull)
    squash(pull, team.maintainer())
    yield team.stage.between(2, 500)
    revert = _revert(team, pull)
    yield team.stage.between(1, 24)
    squash(revert, team.maintainer(), body=_revert_text(team, pull))
    undo(team, revert, pull.book.landing)
    way = team.rng.choice(("stays out", "revert of the revert", "reapply", "re-add"))
    if way == "stays out":
        return
    yield team.stage.between(10, 500)
    again = _restore(team, pull, revert, way)
    yield team.stage.between(1, 50)
    body = f"Restores #{pull.number} after the revert in #{revert.number}."
    squash(again, team.maintainer(), body=body if way == "re-add" else None)
    restored = again.book.landing[0]
    carry_all(team, again, pull, role="restore")
    if way == "revert of the revert":
        undo(team, again, revert.book.landing)
    if team.rng.random() < 0.3:
        yield team.stage.between(10, 200)
        last = _revert(team, again)
        yield team.stage.between(1, 24)
        squash(last, team.maintainer(), body=f"This reverts commit {restored}.")
        undo(team, last, (restored,))


def partly_reverted(team: Team) -> Script:
    """Land several commits by rebase, then revert one of them."""
    series = team.open("main", work=team.work(3))
    yield from review(team, series)
    rebase(series, team.maintainer())
    yield team.stage.between(5, 300)
    sha = series.book.landing[1]
    subject, changes = series.work[1]
    revert = team.open(
        "main",
        title=f'Revert "{subject.strip()}"',
        work=[(f'Revert "{subject.strip()}"\n\nThis reverts commit {sha}.\n', gone(changes))],
        body=f"This reverts commit {sha}.",
        relations=[relation("revert", series, "sha")],
    )
    yield team.stage.between(1, 24)
    squash(revert, team.maintainer(), body=f"This reverts commit {sha}.")
    undo(team, revert, (sha,))


def _revert(team: Team, pull: Pull) -> Pull:
    # As the web button does it: title in quotes, the number in the text, one commit.
    title = f'Revert "{pull.title} (#{pull.number})"'
    landed = pull.merge_commit
    return team.open(
        pull.base,
        title=title,
        work=[(f"{title}\n\nThis reverts commit {landed}.\n", gone(pull.changes))],
        author=team.maintainer(),
        head=f"revert-{pull.number}-{pull.head_ref}",
        body=f"Reverts {team.stage.place.full_name}#{pull.number}",
        relations=[relation("revert", pull, "quoted title")],
    )


def _revert_text(team: Team, pull: Pull) -> str | None:
    named = f"This reverts commit {pull.merge_commit}."
    return team.rng.choice((None, named, f"Reverts {team.stage.place.full_name}#{pull.number}"))


def _restore(team: Team, pull: Pull, revert: Pull, way: str) -> Pull:
    titles = {
        "revert of the revert": f'Revert "{revert.title} (#{revert.number})"',
        "reapply": f'Reapply "{pull.title} (#{pull.number})"',
        "re-add": f"Re-add {pull.title}",
    }
    relations = [relation("readd", pull, way)]
    if way == "revert of the revert":
        relations.append(relation("revert", revert, "quoted title"))
    return team.open(
        pull.base,
        title=titles[way],
        work=[(f"{titles[way]}\n", pull.changes)],
        body=f"Restores #{pull.number} after #{revert.number}.",
        relations=relations,
    )


def gone(changes: Changes) -> Changes:
    """Return what takes changes away."""
    return dict.fromkeys(changes, None)


def with_trailer(work: Work, sha: str) -> Work:
    """Return work as `git cherry-pick -x` leaves it."""
    message, changes = work
    return f"{message.rstrip()}\n\n(cherry picked from commit {sha})\n", changes


def relation(kind: RelationKind, pull: Pull, evidence: str = "none") -> Relation:
    """Say what another request is to this one."""
    return Relation(kind=kind, number=pull.number, evidence=evidence)


def carry_all(
    team: Team,
    carrier: Pull,
    carried: Pull,
    *,
    sha: str | None = None,
    role: Literal["pick", "restore"] = "pick",
) -> None:
    """Write down that a request (or a commit of it) carries the whole of another one."""
    ledger, landing = team.stage.ledger, carried.book.landing
    found = sha or carrier.book.landing[0]
    ledger.carry(found, carried.number, tuple(range(len(landing))), role)
    ledger.descend(found, landing)


def undo(team: Team, revert: Pull, named: tuple[str, ...]) -> None:
    """Write down what a landed revert takes away."""
    team.stage.ledger.named[revert.book.landing[0]] = named
