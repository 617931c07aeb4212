"""Which scheme a family of tags follows, and where in a tag its version begins. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from projections.release_inclusion.versions import Scheme, parse_version

_MAVEN_WORDS: Final = re.compile(
    r"(?<![A-Za-z])(?:final|ga|release|cr|sp|m|snapshot)(?=[-.]?\d|\Z)", re.IGNORECASE
)
_PEP440_WORDS: Final = re.compile(r"\d(?:a|b|rc)\d+|\.(?:post|dev)\d+", re.IGNORECASE)
_SEMANTIC_WORDS: Final = re.compile(r"\d-[A-Za-z]+(?:\.?\d|\Z)")
_REBUILT: Final = re.compile(r"[vV]?\d+(?:\.\d+)+-(\d+)(?:\.\d+)*\Z")
_HASH: Final = re.compile(r"(?=\d*[a-f])[0-9a-f]{7,40}\Z")
_COMPONENT: Final = re.compile(r"(?<=[-_.@+ ])[vV]?(?=\d)")
#: Tags are short; in a longer one no version is looked for.
_LONGEST: Final = 250


def recognise(versions: Iterable[str]) -> Scheme:
    """Return the scheme that understands most of a family's versions.

    Of those that understand as many, the one whose own words occur; else semantic versions.
    """
    texts = tuple(dict.fromkeys(versions))
    understood = {
        scheme: sum(parse_version(text, scheme) is not None for text in texts) for scheme in Scheme
    }
    most = max(understood.values())
    fit = [scheme for scheme in Scheme if understood[scheme] == most]
    own = (scheme for scheme in _BY_THEIR_WORDS if scheme in fit and _speaks(scheme, texts))
    return next(own, fit[0])


_BY_THEIR_WORDS: Final = (Scheme.MAVEN, Scheme.CALENDAR, Scheme.DASHED, Scheme.PEP440)


def _speaks(scheme: Scheme, texts: Sequence[str]) -> bool:
    """Tell whether versions are such as only this scheme's projects write."""
    match scheme:
        case Scheme.MAVEN:
            return any(_MAVEN_WORDS.search(text) for text in texts)
        case Scheme.CALENDAR:
            return bool(texts) and all(parse_version(text, scheme) for text in texts)
        case Scheme.DASHED:
            # `1.0-1` is a rebuild; where counting begins at 0, npm's pre-releases are meant
            rebuilds = [match[1] for match in map(_REBUILT.match, texts) if match]
            return bool(rebuilds) and "0" not in rebuilds
        case _:
            attached = sum(bool(_PEP440_WORDS.search(text)) for text in texts)
            return attached > sum(bool(_SEMANTIC_WORDS.search(text)) for text in texts)


def is_version(text: str) -> bool:
    """Tell whether any scheme understands a text; what looks like a hash is none."""
    if _HASH.match(text.rpartition("-")[2]):
        return False
    return any(parse_version(text, scheme) is not None for scheme in Scheme)


def split_tag(tag: str) -> tuple[str, str] | None:
    """Return what stands before the version of a tag, and the version; None where there is none.

    The version is the first part that reads as one: `k8s-client-v1.2` splits before `v1.2`, and
    `log4j-2.17.0` before `2.17.0`. Folders (`pdata/v1.60.0`) belong to what stands before.
    """
    if len(tag) > _LONGEST:
        return None
    folder = len(tag) - len(tag.rpartition("/")[2])
    for place in _places(tag, folder):
        if is_version(tag[place:]):
            return tag[:place], tag[place:]
    return None


def _places(tag: str, folder: int) -> list[int]:
    """Return where a version may begin: at the first digit, and at each component of numbers."""
    digit = next((n for n in range(folder, len(tag)) if tag[n] in "0123456789"), None)
    if digit is None:
        return []
    before = tag[folder:digit]
    first = digit - 1 if before[-1:] in ("v", "V") and not before[-2:-1].isalpha() else digit
    later = [match.start() for match in _COMPONENT.finditer(tag, digit + 1)]
    return [first, *later]
