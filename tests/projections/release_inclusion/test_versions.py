"""The order of versions in each scheme, and which scheme a family follows."""

import time
from itertools import pairwise

import pytest

from projections.release_inclusion.schemes import recognise
from projections.release_inclusion.versions import Scheme, Version, parse_version

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


def _read(scheme: Scheme, *texts: str) -> list[Version]:
    versions = [parse_version(text, scheme) for text in texts]
    assert all(versions), dict(zip(texts, versions, strict=True))
    return [version for version in versions if version is not None]


def test_versions_stand_in_the_order_that_people_mean() -> None:
    alpha, alpha_rc = _read(Scheme.SEMANTIC, "0.10-alpha", "0.10-alpha.rc1")
    assert alpha_rc < alpha
    ordered = _read(Scheme.SEMANTIC, *(text for text in ORDER if text != "0.10.0a1"))
    assert all(one < other for one, other in pairwise(ordered))


@pytest.mark.parametrize(
    ("scheme", "ascending"),
    [
        (
            Scheme.MAVEN,
            "5.0.0.Alpha1 5.0.0.Beta1 5.0.0.M1 5.0.0.CR1 5.0.0.CR2 5.0.0-SNAPSHOT 5.0.0.Final "
            "5.0.0.SP1 5.0.1.Final",
        ),
        (
            Scheme.SEMANTIC,
            "3.0.0-canary.2 3.0.0-next.9 3.0.0-next.10 3.0.0-alpha.1 3.0.0-rc.1 3.0.0-rc.1.2 "
            "3.0.0-rc.2 3.0.0 3.0.0+k3s1 3.0.0+k3s2 3.0.0+k3s10 3.0.1",
        ),
        (Scheme.SEMANTIC, "1.0.0-0 1.0.0-1 1.0.0-preview.1 1.0.0"),
        (Scheme.SEMANTIC, "v1.2.3-foo.1 v1.2.3-foo.2 v1.2.3-rc.1 v1.2.3 v1.2.3-p1"),
        (Scheme.PEP440, "1.0.dev1 1.0a1.dev1 1.0a1 1.0rc1 1.0 1.0.post1 1.1 1!0.1"),
        (Scheme.DASHED, "1.0 1.0-1 1.0-2 1.0-10 1.0-10.1 1.0.1-1 1.1-rc1 1.1-1"),
        (Scheme.DASHED, "74-2 75-rc 75-1 75-2"),
        (Scheme.UNDERSCORED, "8_9_0 8_10_0 8_10_1"),
        (Scheme.UNDERSCORED, "16_BETA1 16_RC1 16_2 17_0"),
        (Scheme.UNDERSCORED, "1_1_1_pre1 1_1_1 1_1_1a 1_1_1w 1_1_2"),
        (Scheme.CALENDAR, "2024-05-31 2024-06-10 2024.6.10-1 20240611"),
    ],
)
def test_each_scheme_has_its_order(scheme: Scheme, ascending: str) -> None:
    ordered = _read(scheme, *ascending.split())
    assert all(one < other for one, other in pairwise(ordered))


@pytest.mark.parametrize(
    ("one", "other"), [("1.0", "1.0.0"), ("1.0rc", "1.0-rc0"), ("v1.0", "1.0")]
)
def test_spellings_of_one_version_are_equal(one: str, other: str) -> None:
    assert parse_version(one) == parse_version(other)


@pytest.mark.parametrize(
    "text",
    [
        *("", "main", "1.0-test", "1.0.0-rc1/x", "cc897f011x", "1.0 rc1", "1.0-base", "2.x"),
        *("v1.0.0-rcv0014", "1.0.0-abc123", "1.0.0_before_merge", "\u0661.0", "1.0\n"),
    ],
)
def test_what_has_no_place_in_an_order_is_no_version(text: str) -> None:
    assert all(parse_version(text, scheme) is None for scheme in Scheme)


@pytest.mark.parametrize(
    ("versions", "scheme"),
    [
        ("v1.0.0 v1.1.0-rc.1 v1.1.0", Scheme.SEMANTIC),
        ("v3.0.0-next.9 v2.0.0", Scheme.SEMANTIC),
        ("v2.0.0-rc.1 v2.0.0-rc.2 0.13rc1", Scheme.SEMANTIC),
        ("1.0.1-0 1.0.1-1 1.0.1", Scheme.SEMANTIC),
        ("1.0", Scheme.SEMANTIC),
        ("", Scheme.SEMANTIC),
        ("1.0 1.1rc1 1.1.post1", Scheme.PEP440),
        ("1!2.0 1.0", Scheme.PEP440),
        ("5.0.0.Final 6.0.0.CR1", Scheme.MAVEN),
        ("v5.4.0-M1 v5.4.0.RELEASE", Scheme.MAVEN),
        ("2024.06.1 2024.05.2", Scheme.CALENDAR),
        ("2024-06-10", Scheme.CALENDAR),
        ("20240610", Scheme.CALENDAR),
        ("75-1 74-2", Scheme.DASHED),
        ("1.0-1 1.0-2", Scheme.DASHED),
        ("8_10_0 8_9_0", Scheme.UNDERSCORED),
    ],
)
def test_the_scheme_of_a_family_is_recognised(versions: str, scheme: Scheme) -> None:
    assert recognise(versions.split()) is scheme


def test_a_channel_is_told_from_the_ways_to_a_release() -> None:
    canary, rc = _read(Scheme.SEMANTIC, "1.0.0-canary.1", "1.0.0-rc.1")
    assert (canary.channel, rc.channel) == ("canary", "")
    assert canary.base == rc.base == parse_version("1.0")


def test_long_names_are_refused_at_once() -> None:
    begun = time.perf_counter()
    for text in ("1." * 50_000, "1" * 100_000, "1-" + "a" * 100_000, "1.0" + "-rc" * 50_000):
        assert all(parse_version(text, scheme) is None for scheme in Scheme)
    assert time.perf_counter() - begun < 0.5
