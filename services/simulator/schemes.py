"""Families of tags that write versions in their own ways, with what readers compare each with."""

from typing import Final

from services.simulator.branches import put_tag
from services.simulator.stage import Script
from services.simulator.team import Team

#: Family: its tags in the order in which they come out, each with its predecessor; a pre-release
#: is marked by `?`.
FAMILIES: Final[dict[str, tuple[tuple[str, str | None], ...]]] = {
    "pep440": (
        ("?py-1.0a1", None),
        ("?py-1.0rc1", "py-1.0a1"),
        ("py-1.0", None),
        ("py-1.0.post1", "py-1.0"),
        ("?py-1.1b2", "py-1.0.post1"),
        ("py-1.1", "py-1.0.post1"),
    ),
    "maven": (
        ("?jvm-2.0.0.Alpha1", None),
        ("?jvm-2.0.0.CR1", "jvm-2.0.0.Alpha1"),
        ("jvm-2.0.0.Final", None),
        ("jvm-2.0.1.Final", "jvm-2.0.0.Final"),
        ("?jvm-2.1.0.CR1", "jvm-2.0.1.Final"),
        ("jvm-2.1.0.Final", "jvm-2.0.1.Final"),
    ),
    "npm": (
        ("web@3.0.0", None),
        ("?web@3.1.0-canary.9", "web@3.0.0"),
        ("?web@3.1.0-canary.10", "web@3.1.0-canary.9"),
        ("?web@3.1.0-rc.1", "web@3.0.0"),
        ("web@3.1.0", "web@3.0.0"),
    ),
    "calendar": (
        ("cal-2026-05-10", None),
        ("cal-2026-05-24", "cal-2026-05-10"),
        ("cal-2026-06-02", "cal-2026-05-24"),
    ),
    "underscores": (
        ("curl-8_9_0", None),
        ("curl-8_10_0", "curl-8_9_0"),
        ("curl-8_10_1", "curl-8_10_0"),
    ),
    "v later": (
        ("0.9.0", None),
        ("0.9.1", "0.9.0"),
        ("v0.10.0", "0.9.1"),
        ("v0.10.1", "v0.10.0"),
    ),
}


def tagged(team: Team, *, family: str) -> Script:
    """Put a family's tags on main, some days apart."""
    tags = FAMILIES[family]
    for name, before in tags:
        tag = name.removeprefix("?")
        prerelease = tag != name
        annotated = team.rng.random() < 0.5
        put_tag(
            team,
            tag,
            "main",
            family=family,
            prerelease=prerelease,
            annotated=annotated,
            follows=before,
        )
        yield (team.stage.end - team.stage.start) // (4 * len(tags)) + team.stage.between(1, 20)
