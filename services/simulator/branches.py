"""Long-lived branches: nightly syncs from main into dev, release branches, tags and releases."""

from datetime import UTC, datetime

from msgspec.structs import replace

from services.simulator.landing import merge
from services.simulator.objects import Commit
from services.simulator.payloads import Json, user, when
from services.simulator.people import MAINTAINERS, PORTER
from services.simulator.stage import DAY, HOUR, Script
from services.simulator.team import Team
from services.simulator.truth import Relation, Step, TagTruth
from services.simulator.verdicts import predecessor_of

RELEASER = MAINTAINERS[1]


def syncs(team: Team) -> Script:
    """Merge main into dev every nine days or so, through a request of its own."""
    stage = team.stage
    while True:
        yield 9 * DAY + stage.between(0, 3)
        main, dev, synced = stage.git.tip("main"), stage.git.tip("dev"), team.synced
        if synced is None or main is synced:
            continue
        changes = synced.tree.changes_to(main.tree)
        day = datetime.fromtimestamp(stage.now, UTC).strftime("%d_%m_%Y")
        merged = stage.git.commit(
            (dev, main),
            changes,
            f"Merge branch 'main' into sync-{day}\n",
            author=PORTER.stamp(stage.now),
        )
        pull = team.open(
            "dev",
            title=f"nightly sync main into dev ({day})",
            commits=stage.git.new_commits(merged, stage.git.lines["dev"]),
            author=PORTER,
            head=f"sync-{day}",
            body=None,
            relations=_brought(team, main),
        )
        yield HOUR
        merge(pull, RELEASER, title=f"{pull.title} (#{pull.number})")
        team.synced = main
        yield 1
        pull.remove_branch()


def _brought(team: Team, main: Commit) -> list[Relation]:
    git = team.stage.git
    new = {commit.sha for commit in git.new_commits(main, git.lines["dev"])}
    return [
        Relation(kind="sync", number=book.number, evidence="ancestry")
        for book in team.stage.ledger.pulls
        if book.landing and book.landing[-1] in new
    ]


def trains(team: Team) -> Script:
    """Cut a release branch four times in a world's life; tag candidates, a final, a patch."""
    stage = team.stage
    cadence = max(4 * DAY, (stage.end - stage.start) // 4)
    yield cadence // 6
    for minor in range(1, 1000):
        branch, version = f"core_r0.{minor}.0", f"core_v0.{minor}.0"
        tip = stage.git.tip("main")
        stage.push_branch(branch, tip, by=RELEASER)
        stage.git.begin_line(branch, tip)
        team.release = branch
        yield cadence // 12
        for candidate in range(team.rng.choice((2, 3))):
            release = put_tag(team, f"{version}rc{candidate}", branch, prerelease=True)
            if team.rng.random() < 0.5:
                publish(team, release, draft_first=False)
            yield cadence // 6
        candidate_commit = stage.git.commits[stage.ledger.tags[release].commit]
        chosen = team.rng.choice((candidate_commit, None))  # the last candidate as it is, or newer
        release = put_tag(team, version, branch, commit=chosen, annotated=True)
        yield from _publish_from_draft(team, release)
        yield cadence // 5
        patch = put_tag(team, f"core_v0.{minor}.1", branch, annotated=minor % 2 == 0)
        publish(team, patch, draft_first=False)
        team.release = None
        yield cadence // 12


def snapshots(team: Team) -> Script:
    """Tag main now and then, inside a rebased series if there is one; then four tags at once."""
    stage = team.stage
    while True:
        yield 13 * DAY + stage.between(1, 5)
        day = datetime.fromtimestamp(stage.now, UTC).strftime("%Y%m%d")
        inside = team.rebased[-1].book.landing[0] if team.rebased else None
        commit = stage.git.commits[inside] if inside else stage.git.tip("main")
        put_tag(team, f"snapshot-{day}", "main", commit=commit, family="snapshot", prerelease=True)
        yield 2 * DAY
        for part in (
            "api",
            "kernels",
            "docs",
            "rl",
        ):  # more than three at once: GitHub sends nothing
            name = f"{part}/v0.{day}"
            put_tag(team, name, "main", family=part, silent=True, annotated=part == "api")


def put_tag(
    team: Team,
    name: str,
    branch: str,
    *,
    commit: Commit | None = None,
    annotated: bool = False,
    prerelease: bool = False,
    silent: bool = False,
    family: str = "core",
    follows: str | None = "",
) -> int:
    """Tag a commit, by default a branch's tip; return the tag's place in the ledger.

    `follows` names what it is told against (None: nothing) where its version alone does not.
    """
    stage = team.stage
    commit = commit or stage.git.tip(branch)
    stamp = RELEASER.stamp(stage.now)
    made: str | None = None
    if annotated:
        made = stage.git.annotate(name, commit.sha, tagger=stamp, message=f"{name}\n").sha
    delivery = stage.push_tag(name, made or commit.sha, commit, by=RELEASER, silent=silent)
    now = stage.now * 1_000_000
    tag = TagTruth(
        name=name,
        commit=commit.sha,
        tag_object=made,
        tagged_at=now,
        pushed_at=now,
        delivery=delivery,
        branch=branch,
        family=family,
        predecessor=None,
        prerelease=prerelease,
    )
    tags = stage.ledger.tags
    before = follows
    if follows == "":
        before = predecessor_of([other for other in tags if other.family == family], tag)
    tags.append(replace(tag, predecessor=before))
    return len(tags) - 1


def publish(team: Team, place: int, *, draft_first: bool) -> None:
    """Publish a tag's GitHub release, with all deliveries that one click sends."""
    tag, release = _release(team, place)
    actions = [] if draft_first else ["created"]
    actions += ["published", "prereleased" if tag.prerelease else "released"]
    sent = [_send_release(team, action, tag, release, draft=False) for action in actions]
    index = sent[-2]
    step = Step(team.stage.now * 1_000_000, release, index)
    team.stage.ledger.tags[place] = replace(tag, published=step)


def _publish_from_draft(team: Team, place: int) -> Script:
    tag, release = _release(team, place)
    index = _send_release(team, "created", tag, release, draft=True)
    step = Step(team.stage.now * 1_000_000, release, index)
    team.stage.ledger.tags[place] = replace(tag, drafted=step)
    yield team.stage.between(0.5, 40)
    publish(team, place, draft_first=True)


def _release(team: Team, place: int) -> tuple[TagTruth, int]:
    return team.stage.ledger.tags[place], 5_000_000 + place


def _send_release(team: Team, action: str, tag: TagTruth, release: int, *, draft: bool) -> int:
    stage, place = team.stage, team.stage.place
    commit = stage.git.commits[tag.commit]
    content: Json = {
        "release": {
            "id": release,
            "url": f"{place.api}/releases/{release}",
            "html_url": f"{place.html}/releases/tag/{tag.name}",
            "tag_name": tag.name,
            "target_commitish": place.default_branch,
            "name": tag.name,
            "draft": draft,
            "prerelease": tag.prerelease,
            "immutable": False,
            "author": user(RELEASER, place),
            "created_at": when(commit.committer.at),  # the commit's date, as GitHub has it
            "updated_at": when(stage.now),
            "published_at": None if draft else when(stage.now),
            "assets": [],
            "body": None,
        }
    }
    return stage.emit("release", action, content, sender=RELEASER)
