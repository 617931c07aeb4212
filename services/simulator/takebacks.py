"""Reverts that take several changes back at once, or name their change by nothing but its title."""

from typing import Final, Literal, TypeAlias

from services.simulator.carrying import gone, relation, undo
from services.simulator.landing import squash
from services.simulator.pulls import Pull
from services.simulator.stage import Script
from services.simulator.team import Team

Way: TypeAlias = Literal["two titles", "two commits", "title alone", "back out", "roll back"]
WAYS: Final[tuple[Way, ...]] = ("two titles", "two commits", "title alone", "back out", "roll back")


def taken_back(team: Team, *, way: Way) -> Script:
    """Land one change or two on main, and take them back by one request."""
    landed = []
    for _ in range(2 if way.startswith("two") else 1):
        pull = team.open("main", title=f"{team.title()}, part {team.stage.serial()}")
        yield team.stage.between(2, 60)
        squash(pull, team.maintainer())
        landed.append(pull)
    yield team.stage.between(5, 400)
    title, body = _words(team, way, landed)
    changes = {path: blob for pull in landed for path, blob in gone(pull.changes).items()}
    revert = team.open(
        "main",
        title=title,
        work=[(f"{title}\n\n{body or ''}\n", changes)],
        body=body,
        relations=[relation("revert", pull, way) for pull in landed],
    )
    yield team.stage.between(1, 24)
    squash(revert, team.maintainer(), body=body)
    undo(team, revert, tuple(sha for pull in landed for sha in pull.book.landing))


def _words(team: Team, way: Way, landed: list[Pull]) -> tuple[str, str | None]:
    quoted = " and ".join(f'"{pull.title} (#{pull.number})"' for pull in landed)
    commits = " and ".join(pull.book.landing[0] for pull in landed)
    match way:
        case "two titles":
            return f"Revert {quoted}", None
        case "two commits":
            title = f"Go back to what was before part {team.stage.serial()}"
            return title, f"This reverts commits {commits}."
        case "title alone":
            return f'Revert "{landed[0].title}"', None
        case "back out":
            return f"Backout #{landed[0].number}", None
        case "roll back":
            return f"Roll back #{landed[0].number}", None
