"""What an import says of commits: branch, changed paths, and the requests they land."""

from services.intake.git.branches import landing_order
from tests.services.intake.git.sandbox import Imports, Sandbox


def test_merge_squash_and_rebase_land_by_their_own_signs(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin", a="1")
    repo.git("switch", "-qc", "topic")
    repo.commit("wip (#99)", b="1")
    repo.git("switch", "-q", "main")
    repo.merge("topic", message="Merge pull request #1 from ada/topic\n\nAdd b")
    repo.commit("Add c (#2)", c="1")
    repo.commit("Add d without a number, as a rebase merge does", d="1")
    result = imports.run(repo.path)
    assert imports.landed() == {1: [("main", "merge subject")], 2: [("main", "trailing number")]}
    assert result.recognised == {"merge subject": 1, "trailing number": 1}
    assert imports.by_subject()["wip (#99)"].branch is None


def test_a_merge_shows_the_paths_it_brought_to_its_first_parent(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", a="1")
    for name in ("one", "two"):
        repo.git("switch", "-qc", name, "main")
        repo.commit(f"On {name}", **{name: "1"})
    repo.git("switch", "-q", "main")
    repo.commit("Meanwhile", a="2")
    repo.merge("one", "two", message="Octopus")
    imports.run(repo.path)
    octopus = imports.by_subject()["Octopus"]
    assert len(octopus.parents) == 3
    assert octopus.paths == ("one", "two")


def test_a_rename_names_both_paths_and_a_root_all_of_its_own(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", old="the same content\n" * 20)
    repo.git("mv", "old", "new")
    repo.commit("Rename")
    repo.commit("Nothing")
    imports.run(repo.path)
    paths = {subject: commit.paths for subject, commit in imports.by_subject().items()}
    assert paths == {"Begin": ("old",), "Rename": ("new", "old"), "Nothing": ()}


def test_a_cherry_pick_lands_the_request_it_carries_on_the_release_branch_too(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", a="1")
    repo.git("branch", "release/1.0")
    fix = repo.commit("Fix (#5)", a="2")
    repo.git("switch", "-q", "release/1.0")
    repo.unix_time += 60
    repo.git("cherry-pick", "-x", fix)
    imports.run(repo.path, default_branch="main")
    assert [base for base, _ in imports.landed()[5]] == ["main", "release/1.0"]


def test_a_shared_commit_belongs_to_the_default_branch_then_to_the_configured_order(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("On all (#1)", a="1")
    repo.git("switch", "-qc", "dev")
    repo.commit("On dev and both releases (#2)", a="2")
    repo.git("switch", "-qc", "r0.9")
    repo.commit("On both releases (#3)", a="3")
    repo.git("switch", "-qc", "r0.10")
    repo.commit("On the newer release (#4)", a="4")
    result = imports.run(repo.path, branches=("dev", "r*"), default_branch="main")
    assert result.landing_branches == ("main", "dev", "r0.9", "r0.10")
    bases = {number: landings[0][0] for number, landings in imports.landed().items()}
    assert bases == {1: "main", 2: "dev", 3: "r0.9", 4: "r0.10"}


def test_branches_that_no_glob_names_land_nothing(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin", a="1")
    repo.git("switch", "-qc", "topic")
    repo.commit("Try (#7)", a="2")
    repo.git("switch", "-q", "main")
    assert imports.run(repo.path).recognised == {}
    assert imports.by_subject()["Try (#7)"].paths == ("a",)


def test_heads_of_requests_are_imported_with_their_paths_and_land_nothing(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", a="1")
    repo.git("switch", "-qc", "topic")
    head = repo.commit("Proposal (#8)", b="1")
    repo.git("switch", "-q", "main")
    repo.git("update-ref", "refs/pull/8/head", head)
    test_merge = repo.merge("topic", message="Test merge")
    repo.git("update-ref", "refs/pull/8/merge", test_merge)
    repo.git("reset", "-q", "--hard", "main~1")
    repo.git("branch", "-qD", "topic")
    imports.run(repo.path)
    assert [ref.sha for ref in imports.refs()["refs/pull/8/head"]] == [head]
    assert [ref.sha for ref in imports.refs()["refs/pull/8/merge"]] == [test_merge]
    assert test_merge not in imports.commits()
    assert imports.by_subject()["Proposal (#8)"].paths == ("b",)
    assert imports.landed() == {}


def test_a_test_merge_is_told_when_it_comes_and_goes_and_not_when_it_moves(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", a="1")
    for content in ("2", "3"):
        repo.git("update-ref", "refs/pull/8/head", repo.commit("Proposal", a=content))
        repo.git("update-ref", "refs/pull/8/merge", "HEAD")
        imports.run(repo.path)
    assert len(imports.refs()["refs/pull/8/head"]) == 2
    assert len(imports.refs()["refs/pull/8/merge"]) == 1
    repo.git("update-ref", "-d", "refs/pull/8/merge")
    imports.run(repo.path)
    assert imports.refs()["refs/pull/8/merge"][-1].sha is None


def test_branches_of_work_in_progress_are_no_landing_branches_unless_they_are_named() -> None:
    lasting = ["main", "dev", "core_r0.9.0", "core_r0.10.0", "release/1.x", "releases/v2", "v1.2"]
    passing = [
        "cherry-pick-4178-core_r0.17.0",
        "bump-ci-container-2026-02-20-core_r0.16.0",
        "backport/v1.2",
        "release-testing/0170",
        "ada/core_r0.9.0",
        "revert-12-dev_r1",
    ]
    tips = dict.fromkeys([*passing, *lasting], "a" * 40)
    assert set(landing_order(tips, "main")) == set(lasting)
    named = landing_order(tips, "main", ["core_r*", "cherry-pick-*"])
    assert named == ("main", "core_r0.9.0", "core_r0.10.0", "cherry-pick-4178-core_r0.17.0")
