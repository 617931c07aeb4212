"""Lives of single pull requests: what happens to most of them, and to the odd ones."""

from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

from services.simulator.landing import land_batch
from services.simulator.people import BOTS
from services.simulator.pulls import Pull
from services.simulator.snapshots import Origin
from services.simulator.stage import DAY, HOUR, MINUTE, Script
from services.simulator.team import KINDS, LABELS, Team

Way: TypeAlias = Literal["merge", "squash", "rebase"]

#: Hours east of Greenwich whose month edges matter: UTC and Asia/Shanghai.
EDGE_ZONES: Final = (0, 8)
_ORIGINS: Final[tuple[Origin, ...]] = ("same", "fork", "gone")


def ordinary(team: Team, method: Way, base: str = "main") -> Script:
    """Open it, talk about it, merge it, delete its branch."""
    commits = team.rng.choice((2, 3)) if method == "rebase" else team.rng.choice((1, 1, 2))
    kind = team.rng.choices(KINDS, (75, 10, 10, 5))[0]
    pull = team.open(
        base,
        work=team.work(commits, kind=kind),
        draft=team.rng.random() < 0.25,
        origin=_origin(team),
    )
    if kind == "code":
        team.features.append(pull)
    yield from review(team, pull)
    team.land(pull, method)
    yield team.stage.between(0, 0.5)
    pull.remove_branch()


def queued(team: Team) -> Script:
    """Go through the merge queue (see `queue`)."""
    pull = team.open("main")
    team.features.append(pull)
    yield from review(team, pull)
    pull.send("enqueued", {}, team.maintainer())
    team.queue.append(pull)


def queue(team: Team) -> Script:
    """Run the merge queue of main: land all that wait, a few at a time, four times a day."""
    while True:
        yield 6 * HOUR
        batch, team.queue = team.queue[:3], team.queue[3:]
        if batch:
            land_batch(batch)
        yield 5 * MINUTE
        for pull in batch:
            pull.remove_branch()


def abandoned(team: Team) -> Script:
    """Close it unmerged, with a label in the same second."""
    pull = team.open(team.rng.choice(("main", "main", "dev")), origin=_origin(team))
    team.features.append(pull)
    yield from review(team, pull)
    pull.label("stale")
    pull.close(team.maintainer())
    yield team.stage.between(1, 40)
    pull.unlabel("stale")


def lasting(team: Team) -> Script:
    """Stay open to the end, with some life in it."""
    pull = team.open(team.rng.choice(("main", "dev")), draft=team.rng.random() < 0.4)
    team.features.append(pull)
    while True:
        yield from review(team, pull)
        yield team.stage.between(100, 600)
        pull.push(*team.work())


def wavering(team: Team) -> Script:
    """Close and reopen it, several times, and merge it in the end."""
    pull = team.open("main")
    for _ in range(team.rng.choice((1, 2, 3))):
        yield team.stage.between(10, 200)
        pull.close()
        yield team.stage.between(1, 300)
        pull.reopen(team.maintainer())
    yield team.stage.between(5, 100)
    team.land(pull, "squash")


def on_the_edge(team: Team) -> Script:
    """Open it before a month's edge, close or reopen it exactly on the edge, or a second beside."""
    pull = team.open("main")
    edge = next_edge(team)
    yield max(2, edge - team.stage.now - 2 * HOUR)
    if team.rng.random() < 0.5:
        pull.close()
    yield max(1, edge - team.stage.now + team.rng.choice((-1, 0, 0, 0)))
    if pull.is_open:
        pull.close()
    else:
        pull.reopen()
    yield team.stage.between(0.1, 50)
    if pull.is_open:
        team.land(pull, "squash")
    else:
        pull.reopen()


def merged_on_the_edge(team: Team) -> Script:
    """Merge it in the first second of a month, or the last one of the month before."""
    pull = team.open("main", work=team.work(1))
    yield max(1, next_edge(team) - team.stage.now - team.rng.choice((0, 0, 1)))
    team.land(pull, "squash")


def retargeted(team: Team) -> Script:
    """Move it to another base, rebase it there, merge it."""
    first, second = team.rng.choice((("main", "dev"), ("dev", "main")))
    pull = team.open(first)
    yield team.stage.between(5, 80)
    pull.retarget(second, team.maintainer())
    yield team.stage.between(0.01, 5)
    pull.rebase()
    yield from review(team, pull)
    team.land(pull, "squash")


def by_bot(team: Team) -> Script:
    """Let a robot bump something; it is merged, or replaced by the next bump."""
    bot = team.rng.choice(BOTS)
    serial = team.stage.serial()
    pull = team.open(
        "main",
        author=bot,
        title=f"Bump widget-dep from 1.{serial} to 1.{serial + 1}",
        head=f"{bot.login.removesuffix('[bot]')}/pip/widget-dep-{serial}",
        work=team.work(1, kind="ci"),
        body=None,
    )
    pull.label("dependencies")
    yield team.stage.between(1, 150)
    if team.rng.random() < 0.6:
        team.land(pull, "squash")
    else:
        pull.close(bot)
    yield 1
    pull.remove_branch()


def review(team: Team, pull: Pull) -> Script:
    """Let people talk about it for some days: labels, pushes, edits, a draft made ready."""
    rng, stage = team.rng, team.stage
    if rng.random() < 0.5:
        pull.label(rng.choice(LABELS))
    for _ in range(rng.choice((0, 1, 1, 2))):
        yield stage.between(0.5, 60)
        _something(team, pull)
    yield stage.between(0.2, 50)
    if pull.draft and pull.is_open:
        pull.ready()
        pull.label("needs review")
        yield stage.between(0.5, 60)


def _something(team: Team, pull: Pull) -> None:
    rng = team.rng
    what = rng.choices(("push", "label", "unlabel", "title", "body", "draft"), (5, 3, 2, 1, 1, 1))[
        0
    ]
    if what == "push":
        pull.push(*team.work())
    elif what == "label":
        pull.label(rng.choice(LABELS), team.maintainer())
    elif what == "unlabel" and pull.labels:
        pull.unlabel(rng.choice(pull.labels))
    elif what == "title":
        pull.retitle(f"{pull.title}, take {team.stage.serial()}")
    elif what == "body":
        pull.rewrite(rng.choice((None, "", "Now with numbers:\r\n\r\n* 4 % faster")))
    elif what == "draft":
        pull.to_draft()


def next_edge(team: Team) -> int:
    """Return a coming month's first second in UTC or Shanghai; in a short world, any later hour."""
    now = datetime.fromtimestamp(team.stage.now + DAY, UTC)
    first = (now.replace(day=1) + timedelta(days=32)).replace(
        day=1, hour=0, minute=0, second=0, microsecond=0
    )
    edge = int(first.timestamp()) - team.rng.choice(EDGE_ZONES) * HOUR
    return edge if edge < team.stage.end else team.stage.now + team.stage.between(5, 50)


def _origin(team: Team) -> Origin:
    return team.rng.choices(_ORIGINS, (8, 2, 1))[0]
