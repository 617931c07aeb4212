"""The repository on disk is the one in the payloads, and it holds what the truth says."""

import subprocess
from pathlib import Path

import pytest

from services.simulator import World, simulate
from services.simulator.objects import Stamp, Tree, make_commit, object_id
from services.simulator.verdicts import Content
from tests.services.simulator.worlds import SEEDS, payload, world


def git(path: Path, *words: str) -> str:
    """Ask git about a repository."""
    asked = subprocess.run(["git", "-C", path, *words], check=True, capture_output=True, text=True)
    return asked.stdout.strip()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Path]:
    """A default world and its repository on disk."""
    path = tmp_path_factory.mktemp("world") / "repository"
    world().build_repository(path)
    return world(), path


def test_ids_are_those_of_git() -> None:
    assert object_id("blob", b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert Tree({}).sha == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_trees_share_and_differ_path_by_path() -> None:
    one = Tree({}).apply({"a/b/c": "1" * 40, "a.b": "2" * 40, "d": "3" * 40})
    two = one.apply({"a/b/c": None, "d": "4" * 40, "e/f": "5" * 40})
    assert one.changes_to(two) == {"a/b/c": None, "d": "4" * 40, "e/f": "5" * 40}
    assert one.apply(one.changes_to(two)).sha == two.sha
    assert "a" not in two.entries
    assert (one.blob("a/b/c"), one.blob("a/b"), one.blob("x/y")) == ("1" * 40, None, None)


def test_offsets_west_of_greenwich_are_written_as_git_writes_them() -> None:
    stamp = Stamp("A", "a@example.org", 0, -210)
    assert stamp.line() == "A <a@example.org> 0 -0330"
    commit = make_commit(Tree({}), (), author=stamp, committer=stamp, message="x\n", changes={})
    assert len(commit.sha) == 40


def test_git_finds_no_fault(built: tuple[World, Path]) -> None:
    _, path = built
    assert "error" not in git(path, "fsck", "--strict", "--no-dangling")


def test_every_ref_is_where_the_world_left_it(built: tuple[World, Path]) -> None:
    made, path = built
    listed = git(path, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    assert dict(line.split(" ") for line in listed) == made.repository.refs
    assert git(path, "symbolic-ref", "HEAD") == "refs/heads/main"
    for tag in made.truth.tags:
        assert git(path, "rev-parse", f"refs/tags/{tag.name}^{{commit}}") == tag.commit
        kind = "tag" if tag.tag_object else "commit"
        assert git(path, "cat-file", "-t", f"refs/tags/{tag.name}") == kind


def test_every_id_in_a_payload_is_in_the_repository(built: tuple[World, Path]) -> None:
    made, path = built
    listed = git(path, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    objects = set(listed.splitlines()) | {"0" * 40}
    for delivery in made.deliveries:
        shown = payload(delivery)
        if delivery.event == "push":
            assert {shown["before"], shown["after"]} <= objects
            assert {commit["id"] for commit in shown["commits"]} <= objects
        elif delivery.event == "pull_request":
            request = shown["pull_request"]
            assert {request["head"]["sha"], request["base"]["sha"]} <= objects
            assert not request["merged"] or request["merge_commit_sha"] in objects


def test_first_parents_of_main_are_the_landings_in_their_order(built: tuple[World, Path]) -> None:
    made, path = built
    history = git(path, "rev-list", "--first-parent", "--reverse", "main").splitlines()
    merged = sorted(
        (pull.transitions[-1].delivery, pull.landing)
        for pull in made.truth.pulls
        if pull.method and pull.bases[-1].value == "main"
    )
    assert history[1:] == [sha for _, landing in merged for sha in landing]


def test_a_branch_ends_where_its_last_push_put_it(built: tuple[World, Path]) -> None:
    made, path = built
    last = {move.ref: move.after for move in made.truth.refs}
    for ref, sha in last.items():
        if sha is None:
            assert ref not in made.repository.refs
        else:
            assert git(path, "rev-parse", ref) == sha


@pytest.mark.parametrize("seed", SEEDS)
def test_every_tag_lies_in_the_history_of_its_branch(seed: int) -> None:
    made = world(seed)
    for tag in made.truth.tags:
        tip = made.repository.refs[f"refs/heads/{tag.branch}"]
        assert tag.commit in made.repository.ancestors([tip]), tag.name
        assert tag.family != "core" or tag.branch == f"core_r{tag.name[6:9]}.0", tag.name


@pytest.mark.parametrize("seed", SEEDS)
def test_merged_at_is_the_commit_or_a_second_later(seed: int) -> None:
    made = world(seed)
    lags = {
        pull.transitions[-1].at // 1_000_000 - made.repository.commits[sha].committer.at
        for pull in made.truth.pulls
        for sha in pull.landing
    }
    assert lags == {0, 1}


@pytest.mark.parametrize("seed", [*SEEDS, *range(20, 32)])
def test_verdicts_agree_with_the_files_at_each_tag(seed: int) -> None:
    # Each change adds files of its own, so a tree shows what it holds without any rule about
    # commits.
    made = world(seed) if seed in SEEDS else simulate(seed, pulls=90, days=90)
    checked = 0
    for pull in made.truth.pulls:
        if not pull.method or not _owns_its_files(made, pull.number):
            continue
        for tag in made.truth.tags:
            tree = made.repository.commits[tag.commit].tree
            present = [tree.blob(path) is not None for path in pull.paths]
            expected = "included" if all(present) else "partly" if any(present) else None
            verdict = made.truth.verdict(tag.name, pull.number)
            found = verdict if verdict in ("included", "partly") else None
            assert found == expected, (seed, tag.name, pull.number, verdict)
            checked += 1
    assert checked > 500


def _owns_its_files(made: World, number: int) -> bool:
    # True where no other request brings the same files without being tied to it.
    pull = made.truth.pull(number)
    ported = {
        relation.number
        for other in made.truth.pulls
        for relation in other.relations
        if relation.kind == "port"
    }
    return number not in ported and not pull.relations


def test_a_commit_lives_unless_something_alive_takes_it_away() -> None:
    made = world(2)
    for undoing in made.truth.undoings:
        content = Content(made.repository, made.truth.undoings, undoing.sha)
        assert content.alive(undoing.sha)
        assert undoing.targets
        assert not any(content.alive(target) for target in undoing.targets)
