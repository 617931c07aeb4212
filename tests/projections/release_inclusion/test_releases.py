"""Tag families and predecessors."""

import pytest

from projections.release_inclusion.releases import (
    Release,
    TagFamilies,
    families_of,
    in_order,
    predecessor,
)
from projections.release_inclusion.versions import Scheme

FAMILIES = TagFamilies(["core_v*", "pkg/v*", "ecs/v*", "vpc/v*", "v*", "26.*", "25.*"])


def _release(tag: str, commit: str = "", *, prerelease: bool | None = None) -> Release:
    release = FAMILIES.release(tag, commit or tag, prerelease=prerelease)
    assert release, tag
    return release


def _before(tag: str, *others: str) -> str | None:
    found = predecessor(_release(tag), in_order(_release(other) for other in (tag, *others)))
    return found.tag if found else None


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


def test_v11_two_tags_on_one_commit_stand_in_the_order_of_their_versions() -> None:
    final, rc = _release("core_v0.17.0", "c"), _release("core_v0.17.0rc0", "c")
    earlier = _release("core_v0.16.1", "b")
    everything = [final, rc, earlier]
    assert predecessor(final, in_order(everything)) == earlier
    assert in_order(everything) == (earlier, rc, final)


def _chain(*tags: str) -> dict[str, str | None]:
    """Return what each tag is told against, all of them out in this order."""
    families = TagFamilies(families_of(tags), tags)
    releases = [families.release(tag, tag, at=at) for at, tag in enumerate(tags)]
    known = in_order(release for release in releases if release is not None)
    before = {release.tag: predecessor(release, known) for release in known}
    return {tag: other.tag if other else None for tag, other in before.items()}


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        pytest.param(
            "5.0.0.Final 6.0.0.Alpha1 6.0.0.CR1 6.0.0.Final 6.0.1.Final",
            "None 5.0.0.Final 6.0.0.Alpha1 5.0.0.Final 6.0.0.Final",
            id="maven",
        ),
        pytest.param(
            "v5.3.0.RELEASE v5.4.0-M1 v5.4.0-M2 v5.4.0.RELEASE",
            "None v5.3.0.RELEASE v5.4.0-M1 v5.3.0.RELEASE",
            id="spring",
        ),
        pytest.param(
            "v2.0.0 v3.0.0-next.9 v2.1.0-canary.1 v3.0.0-next.10 v2.1.0-canary.2 v3.0.0",
            "None v2.0.0 v2.0.0 v3.0.0-next.9 v2.1.0-canary.1 v2.0.0",
            id="npm",
        ),
        pytest.param(
            "v1.0.0-canary.1 v1.0.0-next.1 v1.0.0-rc.1 v1.0.0-canary.2 v1.0.0-next.2",
            "None None None v1.0.0-canary.1 v1.0.0-next.1",
            id="channels of one version",
        ),
        pytest.param("curl-8_9_0 curl-8_10_0 curl-8_10_1", "None curl-8_9_0 curl-8_10_0"),
        pytest.param(
            "REL_16_BETA1 REL_16_RC1 REL_16_0 REL_16_1 REL_17_BETA1",
            "None REL_16_BETA1 None REL_16_0 REL_16_1",
        ),
        pytest.param(
            "OpenSSL_1_1_1 OpenSSL_1_1_1a OpenSSL_1_1_1w",
            "None OpenSSL_1_1_1 OpenSSL_1_1_1a",
        ),
        pytest.param("2024-05-31 2024-06-10", "None 2024-05-31"),
        pytest.param("release-74-2 release-75-rc release-75-1", "None release-74-2 release-74-2"),
        pytest.param("1.2.3+1 1.2.3+2 1.2.3+10", "None 1.2.3+1 1.2.3+2", id="builds"),
        pytest.param("1.0-1 1.0-2 1.0.1-1 1.1-1", "None 1.0-1 1.0-2 1.0.1-1", id="rebuilds"),
        pytest.param("1.0.0 1.0.1-0 1.0.1-1 1.0.1", "None 1.0.0 1.0.1-0 1.0.0", id="npm version"),
        pytest.param("0.9.0 0.9.1 v0.10.0 v0.11.0", "None 0.9.0 0.9.1 v0.10.0", id="v later"),
        pytest.param("core-0.9 core-v1.0 x-v3.0", "None core-0.9 None", id="v after a prefix"),
        pytest.param(
            "v1.0.0 v2.0.0 v1.0.1 v2.0.1", "None v1.0.0 v1.0.0 v2.0.0", id="published later"
        ),
        pytest.param("v1.0.0 v3.14.0 v0.314.0", "None v1.0.0 None", id="a lower number later"),
        pytest.param("v0.1.0-alpha.1 v0.2.0-alpha.1", "None v0.1.0-alpha.1", id="never final"),
        pytest.param(
            "v1.8.0 v1.9.0-rc.0 v1.8.1-rc.0 v1.9.0-rc.1", "None v1.8.0 v1.8.0 v1.9.0-rc.0"
        ),
        pytest.param(
            "1.0.dev1 1.0a1 1.0rc1 1.0 1.0.post1 1.1.dev1", "None None 1.0a1 None 1.0 1.0.post1"
        ),
    ],
)
def test_each_is_told_against_what_readers_of_its_scheme_expect(tags: str, expected: str) -> None:
    names = tags.split()
    before = [None if name == "None" else name for name in expected.split()]
    assert _chain(*names) == dict(zip(names, before, strict=True))


@pytest.mark.parametrize(
    ("tag", "family"),
    [
        ("log4j-2.17.0", "log4j-*"),
        ("k8s-client-v1.2", "k8s-client-v*"),
        ("py3-v1.2.3", "py3-v*"),
        ("x86_64-v1.2", "x86_64-v*"),
        ("h2o-3-1.0", "h2o-3-*"),
        ("@babel/core@7.0.0", "@babel/core@*"),
        ("cmd/builder/v0.150.0", "cmd/builder/v*"),
        ("go1.21rc2", "go*"),
        ("REL9_6_BETA1", "REL*"),
        ("rev1.0", "rev*"),
        ("jdk-17.0.2+8", "jdk-*"),
        ("v1.0", "v*"),
        ("1.0", "*"),
    ],
)
def test_a_family_is_what_stands_before_the_version_also_with_digits(tag: str, family: str) -> None:
    assert families_of([tag]) == (family,)


@pytest.mark.parametrize(
    "tag",
    [
        "200611-client-logging-15f559eb",
        "200611-client-logging-15b5596",
        "v1.0.0-rcv0014",
        "featuregate/v1.0.0-rcv0014",
        "latest",
        "cc897f011",
        "v2.35.0-retract",
        "1." * 400,
    ],
)
def test_a_tag_that_no_scheme_understands_shows_no_family(tag: str) -> None:
    assert families_of([tag]) == ()


def test_a_configured_scheme_comes_before_the_recognised_one() -> None:
    tags = ("1.0-1", "1.0")
    assert TagFamilies(["*"], tags).schemes == {"*": Scheme.DASHED}
    configured = TagFamilies(["*"], tags, {"*": Scheme.SEMANTIC})
    first, final = (configured.release(tag, tag) for tag in tags)
    assert first is not None
    assert final is not None
    assert (first.final, first.version < final.version) == (False, True)


def test_patterns_of_the_configuration_hold_tags_of_every_scheme() -> None:
    tags = ("curl-8_9_0", "curl-8_10_0", "REL_16_2", "0.9.1", "v0.10.0")
    families = TagFamilies(["curl-*", "REL_*", "*"], tags)
    assert families.sizes == {"curl-*": 2, "REL_*": 1, "*": 2}
    assert families.schemes["curl-*"] is Scheme.UNDERSCORED
    assert [r.family for tag in tags if (r := families.release(tag, tag))] == [
        *("curl-*", "curl-*", "REL_*", "*", "*")
    ]
