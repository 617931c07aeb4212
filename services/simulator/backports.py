"""Backports as the common robots and people make them, and patches of lines that are old."""

from typing import Final, Literal, TypeAlias

import msgspec

from services.simulator.branches import publish, put_tag
from services.simulator.carrying import await_release, carry_all, relation, with_trailer
from services.simulator.landing import merge, rebase, squash
from services.simulator.objects import Commit
from services.simulator.people import PORTER, Person
from services.simulator.pulls import Pull, Work
from services.simulator.stage import DAY, Script
from services.simulator.team import Team

Way: TypeAlias = Literal[
    "mergify",
    "backport tool",
    "robot of kubernetes",
    "script of kubernetes",
    "patchback",
    "nemo",
    "by hand",
    "by hand, in a request",
]
WAYS: Final[tuple[Way, ...]] = (
    "mergify",
    "backport tool",
    "robot of kubernetes",
    "script of kubernetes",
    "patchback",
    "nemo",
    "by hand",
    "by hand, in a request",
)


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """How a robot names the branch and the title of its request, and what it says there."""

    head: str
    title: str
    body: str
    trailer: bool = False


def backported(team: Team, *, way: Way) -> Script:
    """Land a fix on main and bring it to the release branch of the day."""
    fix = team.open("main", title=f"Fix: {team.title()} {team.stage.serial()}", work=team.work(1))
    yield team.stage.between(2, 40)
    squash(fix, team.maintainer())
    wanted = yield from await_release(team, fix)
    if not wanted or team.release is None:
        return
    yield team.stage.between(1, 20)
    base = team.release or ""
    if not base:
        return
    if way == "by hand":
        pick_by_hand(team, fix, base, numbered=team.rng.random() < 0.5)
    elif way == "by hand, in a request":
        yield from _pick_in_request(team, fix, base)
    else:
        yield from _by_template(team, fix, base, way)


def late_patches(team: Team) -> Script:
    """Patch a line once more after a newer final came out: its tag is the later, yet the lower."""
    for minor in range(1, 1000):
        newer, older = f"core_v0.{minor + 1}.0", f"core_r0.{minor}.0"
        while not any(tag.name == newer and tag.published for tag in team.stage.ledger.tags):
            yield DAY
        fix = team.open("main", title=f"Fix: {team.title()} {team.stage.serial()}")
        yield team.stage.between(2, 20)
        squash(fix, team.maintainer())
        yield team.stage.between(1, 5)
        pick_by_hand(team, fix, older, numbered=False)
        yield team.stage.between(1, 5)
        patch = put_tag(team, f"core_v0.{minor}.2", older)
        publish(team, patch, draft_first=False)


def pick_by_hand(team: Team, fix: Pull, base: str, *, numbered: bool) -> None:
    """Push a cherry-pick without a word of it: author, author's date and title stay."""
    copy = _copy(team, fix, base, team.maintainer(), numbered=numbered)
    team.stage.push_branch(base, copy, by=team.maintainer())
    _carry(team, fix, copy)


def _copy(team: Team, fix: Pull, base: str, by: Person, *, numbered: bool) -> Commit:
    git = team.stage.git
    landed = git.commits[fix.book.landing[0]]
    message = landed.message if numbered else f"{fix.title}\n"
    return git.commit(
        (git.tip(base),),
        landed.changes,
        message,
        author=landed.author,
        committer=by.stamp(team.stage.now),
    )


def _carry(team: Team, fix: Pull, copy: Commit) -> None:
    units = tuple(range(len(fix.book.landing)))
    team.stage.ledger.carry(copy.sha, fix.number, units, "pick")
    team.stage.ledger.descend(copy.sha, fix.book.landing)


def _pick_in_request(team: Team, fix: Pull, base: str) -> Script:
    copy = _copy(team, fix, base, PORTER, numbered=False)
    pull = team.open(
        base,
        title=f"Fixes for the next patch, {team.stage.serial()}",
        commits=[copy],
        author=PORTER,
        relations=[relation("pick", fix, "author, date and title")],
    )
    yield team.stage.between(1, 10)
    if team.rng.random() < 0.5:
        merge(pull, team.maintainer())
        _carry(team, fix, copy)
    else:
        rebase(pull, team.maintainer())
        _carry(team, fix, team.stage.git.commits[pull.book.landing[0]])


def _by_template(team: Team, fix: Pull, base: str, way: Way) -> Script:
    template = _template(team, fix, base)[way]
    work: Work = (f"{fix.title} (#{fix.number})\n", fix.changes)
    if template.trailer:
        work = with_trailer(work, fix.book.landing[0])
    pick = team.open(
        base,
        title=template.title,
        work=[work],
        author=PORTER,
        head=template.head,
        body=template.body,
        relations=[relation("pick", fix, way)],
    )
    yield team.stage.between(1, 20)
    if team.rng.random() < 0.5:
        merge(pick, team.maintainer())
        carry_all(team, pick, fix, sha=pick.head.sha)
    else:
        squash(pick, team.maintainer())
        carry_all(team, pick, fix)
    yield 2
    pick.remove_branch()


def _template(team: Team, fix: Pull, base: str) -> dict[Way, Template]:
    number, title, sha = fix.number, fix.title, fix.book.landing[0]
    html = team.stage.place.html
    return {
        "mergify": Template(
            head=f"mergify/bp/{base}/pr-{number}",
            title=f"{title} (backport #{number})",
            body=f"This is an automatic backport of pull request #{number} done by [Mergify].",
            trailer=True,
        ),
        "backport tool": Template(
            head=f"backport/{base}/pr-{number}",
            title=f"[{base}] {title} (#{number})",
            body=f"# Backport\n\nThis will backport the following commits from `main` to `{base}`:"
            f"\n - [{title} (#{number})]({html}/pull/{number})",
        ),
        "robot of kubernetes": Template(
            head=f"cherry-pick-{number}-to-{base}",
            title=f"[{base}] {title}",
            body=f"This is an automated cherry-pick of #{number}\n\n/assign amara-o",
        ),
        "script of kubernetes": Template(
            head=f"automated-cherry-pick-of-#{number}-upstream-{base}",
            title=f"Automated cherry pick of #{number}: {title}",
            body=f"Cherry pick of #{number} on {base}.\n\n#{number}: {title}",
        ),
        "patchback": Template(
            head=f"patchback/backports/{base}/{sha}/pr-{number}",
            title=f"[PR #{number}/{sha[:8]} backport][{base}] {title}",
            body=f"**This is a backport of PR #{number} as merged into main ({sha}).**",
            trailer=True,
        ),
        "nemo": Template(
            head=f"cherry-pick-{number}-{base}",
            title=f"cp: `{title} ({number})` into `{base}`",
            body=f"beep boop [🤖]: Hi @amara-o, we've cherry picked #{number} into  for you! 🚀",
        ),
    }
