"""Releases: tags in families, in the order that their versions mean, and each one's predecessor.

The order is the one that people who cut releases mean, close to Python's packaging rules but also
for tags that these refuse (`26.04-alpha.rc1`): numbers compare as numbers (rc10 after rc9),
dev < alpha < beta < rc < final < post, and a further word goes further in (`alpha.rc1` lies
before `alpha`). Dates play no part: tags are moved, and several are pushed on one day.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from events.facts.curation import ReleaseAliasDecided
from events.instant import Instant

_RANKS: Final = {
    "dev": 0,
    "nightly": 0,
    "alpha": 1,
    "a": 1,
    "beta": 2,
    "b": 2,
    "rc": 3,
    "c": 3,
    "pre": 3,
    "preview": 3,
    "post": 5,
    "patch": 5,
    "hotfix": 5,
}
_FINAL: Final = 4
_DEV: Final = _RANKS["dev"]
_POST: Final = _RANKS["post"]
_RELEASE: Final = re.compile(r"[vV]?(\d+(?:\.\d+)*)")
_WORD: Final = re.compile(r"[-._+]?([A-Za-z]+)[-._]?(\d*)")
_VERSION_AT: Final = re.compile(r"^(?P<prefix>\D*)(?P<version>\d.*)$")
_BUILD: Final = re.compile(r"\+[0-9A-Za-z.-]+$")


class Version(msgspec.Struct, frozen=True):
    """A version in its order. Equal spellings (`1.0`, `1.0.0`) are equal versions."""

    numbers: tuple[int, ...]
    """Without trailing zeros."""
    words: tuple[tuple[int, int], ...] = ()
    """Rank and number of each word after the numbers; empty for a final."""

    @property
    def final(self) -> bool:
        """Tell whether it is no pre-release (a post-release is none)."""
        return all(rank >= _FINAL for rank, _ in self.words)

    @property
    def dev(self) -> bool:
        """Tell whether it is a snapshot of development."""
        return any(rank == _DEV for rank, _ in self.words)

    @property
    def series(self) -> tuple[int, int]:
        """The two numbers that a version shares with its patch releases."""
        first, second = (*self.numbers, 0)[:2]
        return first, second

    def __lt__(self, other: "Version") -> bool:
        """Order by numbers, then by words; where words end, that is the final of what was named."""
        return self._key() < other._key()

    def _key(self) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        return self.numbers, (*self.words, (_FINAL, 0))


def parse_version(text: str) -> Version | None:
    """Read a version, None where the text is none (a word that has no place in an order)."""
    text = _BUILD.sub("", text)
    start = _RELEASE.match(text)
    if not start:
        return None
    numbers = [int(number) for number in start[1].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    words: list[tuple[int, int]] = []
    place = start.end()
    while place < len(text):
        match = _WORD.match(text, place)
        if not match or match[1].lower() not in _RANKS:
            return None
        words.append((_RANKS[match[1].lower()], int(match[2] or 0)))
        place = match.end()
    return Version(tuple(numbers), tuple(words))


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """A tag that is a release of a family."""

    tag: str
    commit: str
    """The commit that the tag means, peeled."""
    family: str
    """The pattern that the tag matched."""
    version: Version
    final: bool


class TagFamilies:
    """Patterns with one `*` for the version (`core_v*`, `v*`, `pkg/v*`); the first match holds.

    Each family has its own order: `ecs/v0.0.2` follows `ecs/v0.0.1`, whatever `vpc/v*` does.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        """Take the patterns; raise ValueError for one without exactly one `*`."""
        self.patterns = tuple(patterns)
        for pattern in self.patterns:
            if pattern.count("*") != 1:
                raise ValueError(f"a tag family has one * for the version: {pattern!r}")

    def release(self, tag: str, commit: str, *, prerelease: bool | None = None) -> Release | None:
        """Return what a tag is a release of, None where it belongs to no family.

        `prerelease` is what GitHub's release of the tag says: it can make a final-looking tag a
        pre-release, and never the other way (a promoted `rc1` stays an rc).
        """
        for pattern in self.patterns:
            before, _, after = pattern.partition("*")
            if not (tag.startswith(before) and tag.endswith(after)):
                continue
            version = parse_version(tag[len(before) : len(tag) - len(after)])
            if version:
                final = version.final and not prerelease
                return Release(tag=tag, commit=commit, family=pattern, version=version, final=final)
        return None


def in_order(releases: Iterable[Release]) -> tuple[Release, ...]:
    """Return releases by family, oldest version first (two spellings of one by tag)."""
    return tuple(sorted(releases, key=lambda r: (r.family, r.version, r.tag)))


def predecessor(release: Release, releases: Iterable[Release]) -> Release | None:
    """Return the release that this one is told against, None for the first of its family.

    A final follows the last final. A pre-release follows whatever is before it in its family,
    but a snapshot (`dev`) is followed only by snapshots. Give only releases that existed at the
    moment asked about.
    """
    before = [
        other
        for other in releases
        if other.family == release.family
        and other.version < release.version
        and (other.final or not release.final)
        and (not other.version.dev or release.version.dev)
    ]
    return max(before, key=lambda r: (r.version, r.tag), default=None)


def same_commit(release: Release, releases: Iterable[Release]) -> tuple[Release, ...]:
    """Return the other releases of the very same commit, in order."""
    return in_order(r for r in releases if r.commit == release.commit and r.tag != release.tag)


def families_of(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the tag families that the tags themselves show, where none are configured.

    What stands before the version is the family: `core_v0.17.0` -> `core_v*`, `pkg/v1.0` ->
    `pkg/v*`. A tag without a version belongs to none.
    """
    families: set[str] = set()
    for tag in tags:
        match = _VERSION_AT.match(tag.rpartition("/")[2])
        if match and parse_version(match["version"]):
            folder = tag[: len(tag) - len(tag.rpartition("/")[2])]
            families.add(f"{folder}{match['prefix']}*")
    # the longest first: the first pattern that matches holds
    return tuple(sorted(families, key=lambda pattern: (-len(pattern), pattern)))


class Alias(msgspec.Struct, frozen=True, kw_only=True):
    """What a name means. Without `decided_at` it stands in the configuration."""

    name: str
    tag: str
    decided_at: Instant | None = None
    author: str = ""
    source: str = ""
    reason: str = ""
    record_id: str | None = None


def meanings(
    decisions: Iterable[tuple[str, ReleaseAliasDecided]], configured: Mapping[str, str]
) -> dict[str, Alias]:
    """Return what each alias means; of several decisions the last by (decided_at, record id)."""
    ordered = sorted(decisions, key=lambda recorded: (recorded[1].decided_at, recorded[0]))
    latest = {decision.alias: (record_id, decision) for record_id, decision in ordered}
    aliases = {
        name: Alias(name=name, tag=tag) for name, tag in configured.items() if name not in latest
    }
    for name, (record_id, decision) in latest.items():
        if decision.tag is not None:
            aliases[name] = Alias(
                name=name,
                tag=decision.tag,
                decided_at=decision.decided_at,
                author=decision.author,
                source=decision.source,
                reason=decision.reason,
                record_id=record_id,
            )
    return dict(sorted(aliases.items()))
