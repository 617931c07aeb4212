"""Merge robots: they test, push the landing themselves and close the request."""

from typing import Final, Literal, TypeAlias

from services.simulator.people import BORS
from services.simulator.pulls import Pull
from services.simulator.stage import Script
from services.simulator.stories import review
from services.simulator.team import Team

Way: TypeAlias = Literal["bors merge", "homu merge", "bors squash"]
WAYS: Final[tuple[Way, ...]] = ("bors merge", "homu merge", "bors squash")


def landed(team: Team, *, way: Way) -> Script:
    """Let a robot land it on main; the push comes some seconds before the close."""
    pull = team.open("main")
    yield from review(team, pull)
    stage, tip = team.stage, team.stage.git.tip("main")
    subject = {
        "bors merge": f"Merge #{pull.number}",
        "homu merge": f"Auto merge of #{pull.number} - {pull.author.login}:topic, r=amara-o",
        "bors squash": f"{pull.title} (#{pull.number})",
    }[way]
    body = f"\n{pull.number}: {pull.title} r=amara-o a={pull.author.login}\n"
    parents = (tip,) if way == "bors squash" else (tip, pull.head)
    commit = stage.git.commit(
        parents, pull.changes, f"{subject}\n{body}", author=BORS.stamp(stage.now)
    )
    stage.push_branch("main", commit, by=BORS)
    pull.book.method, pull.book.landing = "robot", (commit.sha,)
    stage.ledger.carry(commit.sha, pull.number)
    yield team.rng.choice((1, 5, 90))
    _close(pull)
    yield stage.between(0, 2)
    pull.remove_branch()


def _close(pull: Pull) -> None:
    pull.close(BORS)
    if pull.stage.rng.random() < 0.3:
        pull.label("merged-by-bors", BORS)
