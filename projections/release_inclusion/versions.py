"""Versions: how a family of tags writes them, and the order that its readers mean. Pure.

Each scheme reads its own spelling; all give versions that compare in one way: numbers as numbers
(rc10 after rc9), words before the release or after it by what they mean (dev < alpha < beta <
milestone < rc < the release < service pack and post-release), a further word further in
(`alpha.rc1` before `alpha`), and last the build, which tells one rebuild from the next. PEP 440 is
read by `packaging`; where it reads `1.0-1` as a post-release, semantic versions read a pre-release,
and elsewhere it is a rebuild of 1.0: which scheme holds is a question of the family, not of a tag.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec
from packaging.version import InvalidVersion
from packaging.version import Version as Pep440

#: Longer names are no versions; nothing below takes time that grows faster than this.
_LONGEST: Final = 200


class Scheme(StrEnum):
    """How a family writes its versions."""

    SEMANTIC = "semantic"
    """`1.2.3`, `1.2.3-rc.1`, `1.2.3-next.4`, `1.2.3+build.5`; also with words set off otherwise."""
    DASHED = "dashed"
    """`75-1`; after numbers with dots the number is that of a rebuild: `1.0-2`."""
    UNDERSCORED = "underscored"
    """`8_10_1`, `16_2`, `17_RC1`."""
    MAVEN = "maven"
    """`5.0.0.Final`, `6.0.0.CR1`, `5.4.0-M1`, `5.4.0.RELEASE`, `2.0-SNAPSHOT`."""
    PEP440 = "pep440"
    """`1.2rc1`, `1.2.post1`, `1!1.2`, `1.2.dev3`."""
    CALENDAR = "calendar"
    """`2024.06.10`, `2024-06-10`, `20240610`, `2024.06-rc1`: numbers that begin with a year."""


_DEV: Final = 0
_CHANNEL: Final = 10
_NUMBER: Final = 24
_OTHER_WORD: Final = 25
_FINAL: Final = 60
_FURTHER: Final = 61
_AFTER: Final = 70
_RANKS: Final = {
    **dict.fromkeys(("dev", "nightly", "develop", "insiders", "edge"), _DEV),
    **dict.fromkeys(("canary", "experimental", "next"), _CHANNEL),
    **dict.fromkeys(("alpha", "a"), 20),
    **dict.fromkeys(("beta", "b"), 30),
    **dict.fromkeys(("milestone", "m"), 40),
    **dict.fromkeys(("rc", "c", "cr", "pre", "preview"), 50),
    "snapshot": 55,
    **dict.fromkeys(("final", "ga", "release"), _FINAL),
    **dict.fromkeys(("post", "patch", "hotfix", "sp", "p", "r", "rev"), _AFTER),
}
_SEPARATORS: Final = {
    Scheme.SEMANTIC: ".",
    Scheme.MAVEN: ".",
    Scheme.CALENDAR: "-._",
    Scheme.DASHED: "-",
    Scheme.UNDERSCORED: "_",
}
_WORD: Final = re.compile(r"([-._]?)([A-Za-z]{1,20})([-._]?)(\d{0,18})")
_NUMBER_WORD: Final = re.compile(r"[-.](\d{1,18})(?![A-Za-z0-9])")
_BUILD: Final = re.compile(r"\+([0-9A-Za-z.-]+)\Z")
_REBUILD: Final = re.compile(r"(\d+(?:\.\d+)+)-(\d+(?:\.\d+)*)(?=[-._+A-Za-z]|\Z)")
_PARTS: Final = re.compile(r"\d+|[A-Za-z]+")
_DATED: Final = re.compile(r"(?:19|20)\d\d(?:\d{4})?(?!\d)")

Word: TypeAlias = tuple[int, str, int]
"""Rank, the word itself where those of its rank are channels of their own, and its number."""
Build: TypeAlias = tuple[tuple[int, str], ...]


class Version(msgspec.Struct, frozen=True):
    """A version in its order. Equal spellings (`1.0`, `1.0.0`) are equal versions."""

    numbers: tuple[int, ...]
    """Without trailing zeros."""
    words: tuple[Word, ...] = ()
    """Empty for a final."""
    build: Build = ()
    epoch: int = 0
    """That of PEP 440, which comes before the numbers."""

    @property
    def final(self) -> bool:
        """Tell whether it is no pre-release (a post-release is none)."""
        return all(rank >= _FINAL for rank, _, _ in self.words)

    @property
    def dev(self) -> bool:
        """Tell whether it is a snapshot of development."""
        return any(rank == _DEV for rank, _, _ in self.words)

    @property
    def channel(self) -> str:
        """The stream of builds that it is one of (`canary`, `nightly`); empty for all others."""
        return next((name for rank, name, _ in self.words if rank <= _CHANNEL), "")

    @property
    def base(self) -> "Version":
        """The release that it is a build or pre-release of."""
        return Version(self.numbers, epoch=self.epoch)

    @property
    def unbuilt(self) -> "Version":
        """The version of which it is a build."""
        return Version(self.numbers, self.words, epoch=self.epoch)

    @property
    def series(self) -> tuple[int, int]:
        """The two numbers that a version shares with its patch releases."""
        first, second = (*self.numbers, 0)[:2]
        return first, second

    def __lt__(self, other: "Version") -> bool:
        """Order by numbers, then by words; where words end, that is the final of what was named."""
        return self._key() < other._key()

    def _key(self) -> tuple[int, tuple[int, ...], tuple[Word, ...], Build]:
        return self.epoch, self.numbers, (*self.words, (_FINAL, "", 0)), self.build


@lru_cache(maxsize=1 << 16)
def parse_version(text: str, scheme: Scheme = Scheme.SEMANTIC) -> Version | None:
    """Read a version as a scheme writes it, None where the text is none in it."""
    text = text[1:] if text[:1] in ("v", "V") else text
    if not text.isascii() or not text[:1].isdigit() or len(text) > _LONGEST:
        return None
    if scheme is Scheme.PEP440:
        return None if text[-1].isspace() else _pep440(text)
    if scheme is Scheme.CALENDAR and not _DATED.match(text):
        return None
    build = _BUILD.search(text)
    body, built = (text[: build.start()], build[1]) if build else (text, "")
    rebuild = _REBUILD.match(body) if scheme is Scheme.DASHED else None
    if rebuild is not None:
        numbers, _ = _numbers(rebuild[1], ".")
        end, built = rebuild.end(), f"{rebuild[2]}.{built}"
    else:
        numbers, end = _numbers(body, _SEPARATORS[scheme])
        if scheme is Scheme.DASHED and len(numbers) == 1:
            numbers, end = _numbers(body, ".")
    words = _words(body[end:], scheme, several=len(numbers) > 1)
    if words is None:
        return None
    return Version(_trimmed(numbers), words, _built(built))


def _numbers(text: str, separators: str) -> tuple[tuple[int, ...], int]:
    """Return the numbers that a text begins with, and where they end."""
    found: list[int] = []
    place = 0
    while True:
        start = place
        while place < len(text) and text[place] in "0123456789":
            place += 1
        found.append(int(text[start:place]))
        more = text[place : place + 2]
        if len(more) < 2 or more[0] not in separators or more[1] not in "0123456789":
            return tuple(found), place
        place += 1


def _words(rest: str, scheme: Scheme, *, several: bool) -> tuple[Word, ...] | None:
    """Read all that follows the numbers; None where something has no place in an order.

    `several`: there is more than one number, so what follows may be one without a word, or a word
    that is known here for nothing.
    """
    words: list[Word] = []
    place = 0
    while place < len(rest):
        match = _WORD.match(rest, place)
        if match is not None:
            word = _word(match, scheme, first=not words, several=several)
        elif scheme is Scheme.SEMANTIC and several and (match := _NUMBER_WORD.match(rest, place)):
            # `1.0.0-1` and `1.0.0-rc.1.2`; other schemes have their numbers before
            word = (_FURTHER if words else _NUMBER, "", int(match[1]))
        else:
            return None
        if word is None or match is None:
            return None
        words.append(word)
        place = match.end()
    return tuple(word for word in words if word[0] != _FINAL)


def _word(match: re.Match[str], scheme: Scheme, *, first: bool, several: bool) -> Word | None:
    separator, name, digits = match[1], match[2].lower(), match[4]
    if scheme is Scheme.UNDERSCORED and len(name) == 1 and not (separator or digits):
        return _AFTER, "", ord(name)  # `1_1_1w` comes after `1_1_1`
    rank = _RANKS.get(name)
    if rank is not None:
        return rank, name if rank <= _CHANNEL else "", int(digits or 0)
    # any other word is a pre-release of semantic versions where it is set off and numbered; letters
    # and digits run together are a hash as often as not
    set_off = match[3] and (separator == "-" or not first)
    if scheme is Scheme.SEMANTIC and several and digits and set_off:
        return _OTHER_WORD, name, int(digits)
    return None


def _trimmed(numbers: tuple[int, ...]) -> tuple[int, ...]:
    kept = list(numbers)
    while len(kept) > 1 and kept[-1] == 0:
        kept.pop()
    return tuple(kept)


def _built(text: str) -> Build:
    return tuple(
        (int(part), "") if part.isdigit() else (-1, part.lower()) for part in _PARTS.findall(text)
    )


def _pep440(text: str) -> Version | None:
    try:
        read = Pep440(text)
    except InvalidVersion:
        return None
    words: list[Word] = []
    if read.pre is not None:
        words.append((_RANKS[read.pre[0]], "", read.pre[1]))
    if read.post is not None:
        words.append((_AFTER, "", read.post))
    if read.dev is not None:
        words.append((_DEV, "dev", read.dev))
    return Version(_trimmed(read.release), tuple(words), _built(read.local or ""), read.epoch)
