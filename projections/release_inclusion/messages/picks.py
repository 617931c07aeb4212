"""Cherry-picks and backports: which change does a commit say it carries?

Read are git's own trailer, and the titles, branches and bodies that backport robots and people
write by a template (GITHUB_FACTS 6.3). A robot's bare number (``cp: `title (12)` into `b` ``) is
taken only inside its template, and never in a message of another host.
"""

import re
from collections.abc import Iterator
from typing import Final

from projections.release_inclusion.messages.mention import Certainty, Mention, Role
from projections.release_inclusion.messages.references import (
    Names,
    bare_numbers,
    mentions_other_host,
    numbers,
    without_other_host,
    without_trailing_number,
)

_TRAILER: Final = re.compile(
    r"^[ \t]*\(?(?:cherry[ -]picked|backported) from (?:commit )?([0-9a-f]{7,40})\b",
    re.MULTILINE | re.IGNORECASE,
)
_UPSTREAM: Final = re.compile(
    r"^\s*(?:commit ([0-9a-f]{40}) upstream\.?|\[ Upstream commit ([0-9a-f]{40}) \])\s*$",
    re.MULTILINE,
)
_TAGS: Final = (
    r"(?:\[(?!PR #[0-9]+/)[^\]]*\]\s*"
    r"|(?!cp:|cherry|revert|re-?appl|replay|re-?land)[a-z]+(?:\([^)]*\))?!?:\s*)*"
)
_WORD: Final = r"(?:cp|automated cherry[ -]?pick(?: of)?|cherry[ -]?pick(?:ed)?)"
_OPENING: Final = re.compile(
    rf"{_TAGS}[`'\"]?(?P<word>{_WORD})\b(?P<colon>\s*:)?\s*(?:of\s+|PRs?\s+of\s+)*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_INTO: Final = re.compile(
    r"\s+(?:into\s+[`'\"]?[\w./-]+[`'\"]?|to\s+[`'\"][\w./-]+[`'\"])\s*$", re.IGNORECASE
)
_LIST: Final = re.compile(r"(?:PRs?\s*)?(#[0-9]+(?:[\s,&]*(?:and\s+)?#[0-9]+)*)", re.IGNORECASE)
_END: Final = re.compile(r"\(\s*((?:PR\s*)?#?[0-9]+(?:\s*,\s*#?[0-9]+)*)\s*\)[`'\"\s]*$")
_QUOTED_END: Final = re.compile(r"[\"“'`](?:.*\s)?#([0-9]+)\s*[\"”'`]$", re.DOTALL)
_FROM: Final = re.compile(r"\bfrom\s+(?:PR\s*)?(#[0-9]+)", re.IGNORECASE)
_MARK: Final = re.compile(
    r"[\[(](?:backport|copy|cherry[ -]?pick(?:ed)?)(?:\s+(?:of|from))?\s+(?:PR\s*)?(#[0-9]+)[\])]"
    r"|\bcherry[ -]?pick(?:ed)?\s+(?:PR\s*)?(#[0-9]+)"
    r"|\[PR (#[0-9]+)/[0-9a-f]{7,40} backport\]",
    re.IGNORECASE,
)
_BRANCH: Final = re.compile(
    r"Merge pull request #[0-9]+ from [^\s/]+/(?:\S*/)?"
    r"(?:cherry-pick-(?P<one>[0-9]{1,9})-[\w.]|backport-(?P<two>[0-9]{1,9})-to-"
    r"|(?<=mergify/)bp/\S+/pr-(?P<three>[0-9]{1,9})$"
    r"|(?<=patchback/)backports/\S+/[0-9a-f]{40}/pr-(?P<four>[0-9]{1,9})$"
    r"|automated-cherry-pick-of-(?P<many>(?:#[0-9]{1,9}-)+)"
    # people's own: `pick-pr-12`, `cherry-pick-12-to-v1`, `backport/1.7-pr12`
    r"|(?:cherry-?)?pick[-/](?P<five>[0-9]{1,9})(?:$|[-/](?:to|onto|on|for)[-/])"
    r"|(?:(?:cherry-?)?pick|back-?port)[-/](?:[\w.]+[-/])*(?:pr-?|#)(?P<six>[0-9]{1,9})(?:$|[-/])"
    r"|back-?port[-/](?P<seven>[0-9]{1,9})[-/]to[-/])"
)
_BODY: Final = re.compile(
    r"^(?:Backport of (?P<backport>\S+) to \S"
    r"|Backport [0-9a-f]{7,40} from (?P<tibdex>\S+?)\.?$"
    r"|Cherry[ -]pick of (?P<kube>#[0-9]+(?: #[0-9]+)*) on \S"
    r"|This is an automatic backport of pull request (?P<mergify>\S+) done by"
    r"|\*\*This is a backport of PR (?P<patchback>#[0-9]+) as merged into \S"
    r"|.*we've cherry picked (?P<beep>#[0-9]+) into )",
    re.MULTILINE,
)
#: The list below this sentence is written by the backport tool of that name, one line a commit.
_LIST_OPENS: Final = re.compile(
    r"^This will backport the following (?:commits?|pull requests?) from \S+ to \S+?:[ \t]*$",
    re.MULTILINE,
)
_LIST_ITEM: Final = re.compile(
    r"[ \t]*[-*] \[?(?:.*\()?(#[0-9]+)\)?(?:\]\(\S+\)|[ \t]*\([0-9a-f]{7,40}\))?[ \t]*$"
)


def read_picks(subject: str, message: str, names: Names) -> Iterator[Mention]:
    """Yield what a commit says it carries; the nearest origin of a chain of trailers first."""
    for sha in reversed(_TRAILER.findall(message)):
        yield Mention(role=Role.PICK, method="trailer", sha=sha)
    for plain, bracketed in _UPSTREAM.findall(message):
        yield Mention(role=Role.PICK, method="upstream trailer", sha=plain or bracketed)
    yield from _from_subject(subject, names)
    for match in _BODY.finditer(message):
        named = " ".join(text for text in match.groupdict().values() if text)
        yield from _certain("backport body", numbers(named, names))
    for opening in _LIST_OPENS.finditer(message):
        for line in message[opening.end() :].lstrip("\r\n").splitlines():
            item = _LIST_ITEM.match(line)
            if item is None:
                break
            yield from _certain("backport body", numbers(item[1], names))


def inner_subject(subject: str) -> str | None:
    """Return the subject that a pick's template wraps, None where it is no such template."""
    opening = _OPENING.fullmatch(without_trailing_number(without_other_host(subject)[0]))
    return _INTO.sub("", opening["rest"]).strip("`' ") if opening else None


def _from_subject(subject: str, names: Names) -> Iterator[Mention]:
    branch = _BRANCH.match(subject)
    if branch:
        named = " ".join(text for text in branch.groupdict().values() if text)
        yield from _certain("cherry-pick branch", bare_numbers(named.replace("-", " ")))
        return
    text, foreign = without_other_host(subject)
    if foreign or mentions_other_host(text):
        return
    text = without_trailing_number(text)
    opening = _OPENING.fullmatch(text)
    if opening:
        yield from _from_opening(opening, names)
        return
    for match in _MARK.finditer(text):
        named = next(text for text in match.groups() if text)
        yield from _certain("cherry-pick mark", numbers(named, names))


def _from_opening(opening: re.Match[str], names: Names, *, first: bool = True) -> Iterator[Mention]:
    rest = _INTO.sub("", opening["rest"]).strip()
    listed = _LIST.match(rest)
    if listed:
        yield from _certain("cherry-pick title", numbers(listed[1], names))
        return
    # In `cp: Cherry pick #12` the template is written twice.
    twice = _OPENING.fullmatch(rest) if first else None
    if twice:
        yield from _from_opening(twice, names, first=False)
        return
    ending = _END.search(rest) or _QUOTED_END.match(rest)
    if ending:
        yield from _certain("cherry-pick title", bare_numbers(ending[1]))
        return
    passing = _FROM.search(rest)
    if passing:
        for number in numbers(passing[1], names):
            yield _review(number=number)
    elif opening["colon"] or rest.startswith("`"):
        yield _review(title=rest.strip("`'\" "))


def _certain(method: str, numbers_named: tuple[int, ...]) -> Iterator[Mention]:
    return (Mention(role=Role.PICK, method=method, number=number) for number in numbers_named)


def _review(*, number: int | None = None, title: str | None = None) -> Mention:
    return Mention(
        role=Role.PICK,
        method="cherry-pick words",
        certainty=Certainty.REVIEW,
        number=number,
        title=title,
    )
