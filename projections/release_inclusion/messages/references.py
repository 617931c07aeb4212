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
_LONGEST_TITLE: Final = 500
_TELLING_LETTERS: Final = 8
_BRANCH_LIKE: Final = (
    r"(?:(?:back-?port|cherry[ -]?pick(?:ed)?|manual)(?:\s++(?:to|of|for|from|into))?\s*+)?"
    r"(?:(?:release|rel|stable|core)?[-_/ ]?[rv]?[0-9][\w.-]*+|dev|main|master)?"
)
_WHERE_TO: Final = re.compile(
    rf"^(?:\[{_BRANCH_LIKE}\]\s*+[:-]?|(?:back-?port|cherry[ -]?pick(?:ed)?|cp)\s*+:"
    rf"|(?:release|stable)[-_/][\w./-]++\s*+:)\s*+",
    re.IGNORECASE,
)
_WHERE_TO_END: Final = re.compile(rf"(?<!\s)\s*+[\[(]{_BRANCH_LIKE}[\])]\s*+$", re.IGNORECASE)
_LOOSE_NUMBER: Final = re.compile(r"\s#[0-9]{1,9}\s*+$")
_INNER_ENDING: Final = re.compile(r"(?<!\s)(?:\s*+\(#[1-9][0-9]{0,8}\)){1,9}$")
_HASHED: Final = re.compile(r"#([0-9]+)")


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


def change_title(text: str) -> str:
    """Return what a change's title keeps on every branch.

    Dropped are numbers at its end and what says where it goes: `[release/1.7] Fix x`,
    `[backport] Fix x`, `release-3.5: Fix x`, `Fix x [1.7 backport]`.
    """
    title = text.strip()[:_LONGEST_TITLE]
    shorter = _WHERE_TO.sub("", title)
    while shorter and shorter != title:
        title, shorter = shorter, _WHERE_TO.sub("", shorter)
    title = _WHERE_TO_END.sub("", title)
    return normal_title(_LOOSE_NUMBER.sub("", title))


def alike(first: str, second: str) -> bool:
    """Tell whether two titles are one, but for marks and words before or after it."""
    one, other = sorted((change_title(first), change_title(second)), key=len)
    if one == other:
        return bool(one)
    telling = len(one) >= _TELLING_LETTERS and " " in one
    return telling and (other.startswith(f"{one} ") or other.endswith(f" {one}"))


def inner_numbers(title: str) -> tuple[int, ...]:
    """Return the numbers in brackets at the end of a request's own title (`Fix x (#12)`)."""
    ending = _INNER_ENDING.search(title.strip()[-_LONGEST_TITLE:])
    return tuple(int(number) for number in _HASHED.findall(ending[0])) if ending else ()


def either(*parts: str) -> str:
    """Build one alternation of a regular expression."""
    return "(?:" + "|".join(parts) + ")"


def bringing_title(branches: Iterable[str]) -> re.Pattern[str]:
    """Match the title of a request that brings one of the branches to another as a whole."""
    name = either(*(re.escape(branch) for branch in branches), "(?!)")
    marked = rf"[`'\"]?{name}(?![\w/-])[`'\"]?"
    return re.compile(
        rf"(?<!from )(?<![\w-]){marked}\s++(?:in)?to\s++{marked}\s*+(?:\([^)]*\))?\s*+$"
        rf"|^(?:\[[^\]]*\]\s*+)*(?:pull|[Mm]erge)\s++(?:branch\s++)?{marked}"
    )
