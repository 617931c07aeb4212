"""Requests from forks that count their own requests: their commits say numbers of the fork."""

from typing import Literal

from services.simulator.landing import merge, squash
from services.simulator.ledger import PullBook
from services.simulator.pulls import Pull
from services.simulator.stage import DAY, Script
from services.simulator.stories import review
from services.simulator.team import Team
from services.simulator.truth import Relation


def merged_from_fork(team: Team) -> Script:
    """Bring a fork's commits to main as they are."""
    return _from_fork(team, "merge")


def squashed_from_fork(team: Team) -> Script:
    """Bring a fork's commits to main as one, whose list shows their subjects."""
    return _from_fork(team, "squash")


def _from_fork(team: Team, method: Literal["merge", "squash"]) -> Script:
    pull = team.open("main", work=team.work(1), origin="fork")
    yield team.stage.between(1, 30)
    ended = [book for book in team.stage.ledger.pulls if _is_over(team, book)]
    if ended:
        _merge_in_fork(team, pull, team.rng.choice(ended), team.rng.choice(ended))
    yield from review(team, pull)
    if method == "merge":
        merge(pull, team.maintainer())
    else:
        squash(pull, team.maintainer())


def _is_over(team: Team, book: PullBook) -> bool:
    """Tell whether a request was closed unmerged days ago, for then its number is an old one."""
    last = book.transitions[-1]
    return last.value == "closed" and last.at // 1_000_000 < team.stage.now - 3 * DAY


def _merge_in_fork(team: Team, pull: Pull, merged: PullBook, squashed: PullBook) -> None:
    git, stamp = team.stage.git, pull.author.stamp(team.stage.now)
    (_, changes), (_, more) = team.work(2)
    subject = f"Take over the pointer of part {team.stage.serial()} (#{squashed.number})\n"
    side = git.commit((pull.head,), changes, subject, author=stamp)
    inner = git.commit((side,), more, f"Tidy part {team.stage.serial()}\n", author=stamp)
    message = f"Merge pull request #{merged.number} from {pull.author.login}/sub\n\nTidy up\n"
    joined = git.commit((side, inner), more, message, author=stamp)
    pull.adopt(side, inner, joined)
    pull.book.relations += [
        Relation(kind="stranger", number=merged.number, evidence="merge subject"),
        Relation(kind="stranger", number=squashed.number, evidence="trailing number"),
    ]
