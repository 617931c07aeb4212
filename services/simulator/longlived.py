"""A branch that lives for some weeks, takes requests, and is squashed to main as one."""

from services.simulator.landing import squash
from services.simulator.people import MAINTAINERS
from services.simulator.pulls import Pull
from services.simulator.stage import DAY, HOUR, Script
from services.simulator.stories import review
from services.simulator.team import Team
from services.simulator.truth import Relation

BRANCH = "develop"
_KEEPER = MAINTAINERS[2]


def quarterly(team: Team) -> Script:
    """Begin develop anew each time, land some requests on it, squash it to main, delete it."""
    while True:
        yield from _once(team)
        yield 8 * DAY


def _once(team: Team) -> Script:
    stage = team.stage
    begun = stage.git.tip("main")
    stage.push_branch(BRANCH, begun, by=_KEEPER)
    stage.git.begin_line(BRANCH, begun)
    children: list[Pull] = []
    whole: Pull | None = None
    for _ in range(team.rng.choice((2, 3, 4))):
        child = team.open(BRANCH)
        yield from review(team, child)
        squash(child, team.maintainer())
        children.append(child)
        yield HOUR
        if whole is None:
            landed = stage.git.commits[child.book.landing[0]]
            whole = team.open(
                "main",
                title=f"Everything of quarter {stage.serial()}",
                head=BRANCH,
                commits=[landed],
                author=_KEEPER,
            )
        else:
            whole.absorb(child)
    assert whole
    yield team.stage.between(2, 30)
    squash(whole, _KEEPER, body="\n\n".join(f"* {message.strip()}" for message, _ in whole.work))
    for child in children:
        _bring(team, whole, child)
    yield team.stage.between(0.1, 40)
    stage.delete_branch(BRANCH, by=_KEEPER)
    del stage.git.lines[BRANCH]


def _bring(team: Team, whole: Pull, child: Pull) -> None:
    landed = whole.book.landing[0]
    whole.book.relations.append(
        Relation(kind="stack", number=child.number, evidence="squashed branch")
    )
    team.stage.ledger.carry(landed, child.number, (0,), "stack")
    team.stage.ledger.descend(landed, child.book.landing)
