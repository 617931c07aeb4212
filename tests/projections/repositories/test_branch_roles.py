"""Which branches are release branches: one list for imports and for answers."""

import pytest

from projections.repositories.branch_roles import RELEASE_BRANCHES, BranchRoles
from services.config.repository import BranchSettings
from services.intake.git.branches import landing_order
from tests.places import ROOT

RELEASES = (
    "release", "release/1.7", "release-3.5", "release_v2.18", "releases/v2", "core_r0.9.0",
    "core_dev_r0.15.0", "1.x", "v2.x", "stable", "stable/2024.1", "8.19", "8.19.x",
    "v1.2-branch", "1.2-branch", "REL_16_STABLE", "REL9_6_STABLE", "3-0-stable", "branch-3.5",
    "branch_9x", "maint-2.40", "maintenance/5.x", "lts/2", "Release-1.2", "V3", "r1.13",
    "24.09-alpha", "hotfix/1.2.1", "stable2509", "support/1.x",
)  # fmt: skip
OTHERS = (
    "cherry-pick-4178-core_r0.17.0", "bump-ci-container-2026-02-20-core_r0.16.0", "ada/v1.2",
    "backport/v1.2", "release-testing/0170", "ada/core_r0.9.0", "revert-12-dev_r1", "feature/v2",
    "release-please--branches--main", "release-notes", "prepare-release-1.2", "hotfix/login",
    "relax-checks", "vectorize", "ada/1.x", "pull-request/12", "fix-1.2", "realtime",
)  # fmt: skip


@pytest.mark.parametrize("branch", RELEASES)
def test_a_release_branch_is_one_at_import_and_when_asked(branch: str) -> None:
    assert BranchRoles().role(branch) == "release"
    assert landing_order({"main": "a", branch: "b"}, "main") == ("main", branch)


@pytest.mark.parametrize("branch", OTHERS)
def test_another_branch_is_none_at_import_and_when_asked(branch: str) -> None:
    assert BranchRoles().role(branch) is None
    assert landing_order({"main": "a", branch: "b"}, "main") == ("main",)


@pytest.mark.parametrize("branch", ["cherry-pick-4-x", "ada/core_r0.9.0", "team-a/v2"])
def test_a_configured_pattern_takes_what_it_says_in_both_places(branch: str) -> None:
    settings = BranchSettings(release=("cherry-pick-*", "ada/*", "team-a/v[0-9]*"))
    assert settings.roles().role(branch) == "release"
    order = landing_order({"main": "a", branch: "b", "v1": "c"}, "main", settings.landing)
    assert order == ("main", branch)


def test_defaults_stay_careful_beside_a_part_that_is_configured() -> None:
    settings = BranchSettings(dev=("edge",))
    branches = dict.fromkeys(["main", "edge", "v1", "ada/v1", "cherry-pick-4-core_r0.17.0"], "a")
    assert landing_order(branches, "main", settings.landing) == ("main", "edge", "v1")


def test_the_example_configuration_shows_the_whole_list() -> None:
    example = (ROOT / "shipledger.example.toml").read_text()
    listed = example.partition("# release is ")[2].partition("in any capitals")[0]
    assert listed.replace("#", "").replace(",", "").split() == [*RELEASE_BRANCHES]
