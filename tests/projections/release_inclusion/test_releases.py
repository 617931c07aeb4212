"""Tag families, the order of versions, predecessors."""

from itertools import pairwise

import pytest

from projections.release_inclusion.releases import (
    Release,
    TagFamilies,
    in_order,
    parse_version,
    predecessor,
    same_commit,
)

FAMILIES = TagFamilies(["core_v*", "pkg/v*", "ecs/v*", "vpc/v*", "v*", "26.*", "25.*"])


def _release(tag: str, commit: str = "", *, prerelease: bool | None = None) -> Release:
    release = FAMILIES.release(tag, commit or tag, prerelease=prerelease)
    assert release, tag
    return release


def _before(tag: str, *others: str) -> str | None:
    found = predecessor(_release(tag), [_release(other) for other in (tag, *others)])
    return found.tag if found else None


ORDER = [
    "0.9",
    "0.10.0.dev20260101",
    "0.10.0.dev20260721",
    "0.10.0a1",
    "0.10-alpha.rc1",
    "0.10-alpha.rc2",
    "0.10-alpha",
    "0.10.0.beta",
    "0.10.0rc1.dev3",
    "0.10.0-rc9",
    "0.10.0-rc10",
    "0.10.0",
    "0.10.0.post1",
    "0.10.1rc0",
    "0.10.1",
    "0.11",
    "26.04",
]


def test_versions_stand_in_the_order_that_people_mean() -> None:
    versions = [parse_version(text) for text in ORDER]
    assert all(versions)
    alpha, alpha_rc = parse_version("0.10-alpha"), parse_version("0.10-alpha.rc1")
    assert alpha_rc is not None
    assert alpha is not None
    assert alpha_rc < alpha
    ordered = [v for v in versions if v and v != parse_version("0.10.0a1")]
    assert all(one < other for one, other in pairwise(ordered))


@pytest.mark.parametrize(
    ("one", "other"), [("1.0", "1.0.0"), ("1.0rc", "1.0-rc0"), ("v1.0", "1.0+x")]
)
def test_spellings_of_one_version_are_equal(one: str, other: str) -> None:
    assert parse_version(one) == parse_version(other)


@pytest.mark.parametrize("text", ["", "main", "1.0-test", "1.0.0-rc1/x", "cc897f011x", "1.0 rc1"])
def test_what_has_no_place_in_an_order_is_no_version(text: str) -> None:
    assert parse_version(text) is None


@pytest.mark.parametrize(
    ("tag", "family", "final"),
    [
        ("core_v0.17.0rc0", "core_v*", False),
        ("core_v0.17.0", "core_v*", True),
        ("core_v0.7.0.beta", "core_v*", False),
        ("26.04-alpha.rc1", "26.*", False),
        ("v1.0.post2", "v*", True),
        ("v1.0.0.dev20260721", "v*", False),
    ],
)
def test_tags_belong_to_families(tag: str, family: str, final: bool) -> None:
    release = _release(tag)
    assert (release.family, release.final) == (family, final)


@pytest.mark.parametrize("tag", ["InstructRetro", "core_r0.8.0", "vlm-1.0", "ykarnati-cc897f011"])
def test_other_tags_belong_to_none(tag: str) -> None:
    assert FAMILIES.release(tag, "x") is None


def test_a_pattern_without_a_place_for_the_version_is_refused() -> None:
    with pytest.raises(ValueError, match="one \\*"):
        TagFamilies(["v1"])


def test_github_can_make_a_tag_a_prerelease_and_cannot_make_a_candidate_final() -> None:
    assert not _release("v1.0", prerelease=True).final
    assert not _release("v1.0rc1", prerelease=False).final


def test_v11_rc10_follows_rc9_and_a_final_follows_the_last_final() -> None:
    tags = ("v1.5.0", "v1.6.0", "v1.7.0", "v1.8.0-rc9", "v1.8.0-rc10", "v1.8.0.dev20260721")
    assert _before("v1.7.0", *tags) == "v1.6.0"
    assert _before("v1.8.0-rc10", *tags) == "v1.8.0-rc9"
    assert _before("v1.8.0", *tags) == "v1.7.0"
    assert _before("v1.5.0", *tags) is None


def test_v11_a_snapshot_is_followed_by_snapshots_only() -> None:
    tags = ("v0.9.0", "v1.0.0.dev20260720", "v1.0.0.dev20260721")
    assert _before("v1.0.0", *tags) == "v0.9.0"
    assert _before("v1.0.0rc1", *tags) == "v0.9.0"
    assert _before("v1.0.0.dev20260721", *tags) == "v1.0.0.dev20260720"


def test_v14_a_package_follows_its_own_releases() -> None:
    assert _before("ecs/v0.0.2", "ecs/v0.0.1", "vpc/v0.0.1", "v0.0.1") == "ecs/v0.0.1"


def test_v11_two_tags_on_one_commit_are_told_of_each_other() -> None:
    final, rc = _release("core_v0.17.0", "c"), _release("core_v0.17.0rc0", "c")
    earlier = _release("core_v0.16.1", "b")
    everything = [final, rc, earlier]
    assert same_commit(final, everything) == (rc,)
    assert predecessor(final, everything) == earlier
    assert in_order(everything) == (earlier, rc, final)
