"""Numbers of this repository inside free text, and the parts of a subject around them.

`#12` belongs to the repository where it is shown. `owner/name#12` and a full address count only
where that is one of the repository's own names (former ones included); `owner#12` is GitHub's short
form for the owner's copy. `!12` is another host's, and so is every number in a subject that
begins with such a reference (`group/project!12 - title`). `GH-12` is never taken: it is an issue
as often as not.
"""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

_DIGITS: Final = r"[1-9][0-9]{0,8}(?![0-9])"
_SHORT: Final = rf"(?P<name>(?<![\w./-])[\w.-]+(?:/[\w.-]+)?)?(?<![&/])#(?P<number>{_DIGITS})"
_ADDRESS: Final = (
    rf"https?://(?:www\.)?[\w.-]+/(?P<path>[\w.-]+/[\w.-]+)/pull/(?P<pull>{_DIGITS})(?:/\w+)?"
)
_REFERENCE: Final = re.compile(rf"{_ADDRESS}|{_SHORT}")
_BARE: Final = re.compile(rf"(?<![\w#!.-])#?({_DIGITS})(?![\w.-]\w)")
_OTHER_HOST: Final = re.compile(r"\s*+(?:[\w.-]+/)*[\w.-]*![0-9]+\s*+-\s++")
_OTHER_HOST_MARK: Final = re.compile(r"![0-9]")
_TRAILING: Final = re.compile(rf"(.*\S)\s++\(#{_DIGITS}\)\s*+", re.DOTALL)
_TRAILING_ANY: Final = re.compile(
    r"(?<!\s)\s*+\(\s*+(?:PR\s*+)?[#!]?[0-9]+(?:,\s*+[#!]?[0-9]+)*\s*+\)\s*+$"
)
_MOST_NUMBERS: Final = 20
"""Numbers at the end of one title that are taken off: each look costs the title's length."""
_WORDS: Final = re.compile(r"[\W_]+")


class Names(msgspec.Struct, frozen=True):
    """The names that a repository has or had, as `owner/name` in lower case."""

    full: frozenset[str] = frozenset()

    @classmethod
    def of(cls, *names: str) -> "Names":
        """Take names in any case."""
        return cls(frozenset(name.lower() for name in names))

    def own(self, name: str) -> bool:
        """Tell whether `owner/name`, or `owner` alone, means this repository."""
        name = name.lower()
        return name in self.full or any(full.startswith(f"{name}/") for full in self.full)


def numbers(text: str, names: Names) -> tuple[int, ...]:
    """Return the repository's own numbers in a text, each once, in their order."""
    named: list[int] = []
    for match in _REFERENCE.finditer(text):
        name = match["path"] or match["name"]
        if name is None or names.own(name):
            named.append(int(match["pull"] or match["number"]))
    return tuple(dict.fromkeys(named))


def bare_numbers(text: str) -> tuple[int, ...]:
    """Return numbers with or without `#`. Only for places where a template puts a request."""
    return tuple(dict.fromkeys(int(number) for number in _BARE.findall(text)))


def without_other_host(subject: str) -> tuple[str, bool]:
    """Drop a leading `group/project!12 - `; tell whether there was one."""
    match = _OTHER_HOST.match(subject)
    return (subject[match.end() :], True) if match else (subject, False)


def mentions_other_host(text: str) -> bool:
    """Tell whether a text names a request of another host (`!12`)."""
    return bool(_OTHER_HOST_MARK.search(text))


def without_trailing_number(subject: str) -> str:
    """Drop the ` (#12)` that a squash merge appended, if there is one."""
    match = _TRAILING.fullmatch(subject)
    return match[1] if match else subject.rstrip()


def normal_title(text: str) -> str:
    """Return what two spellings of one title share: no numbers at its ends, case or marks."""
    text, _ = without_other_host(text)
    for _ in range(_MOST_NUMBERS):
        text, taken = _TRAILING_ANY.subn("", text)
        if not taken:
            break
    return _WORDS.sub(" ", text).strip().lower()


def either(*parts: str) -> str:
    """Build one alternation of a regular expression."""
    return "(?:" + "|".join(parts) + ")"


def bringing_title(branches: Iterable[str]) -> re.Pattern[str]:
    """Match the title of a request that brings one of the branches to another as a whole."""
    name = either(*(re.escape(branch) for branch in branches), "(?!)")
    return re.compile(
        rf"(?<!from )\b{name}\s++(?:in)?to\s++{name}\s*+(?:\([^)]*\))?\s*+$"
        rf"|^(?:\[[^\]]*\]\s*+)*(?:pull|merge)\s++{name}\b"
    )
