"""Reverts and restores: which change does a commit say it takes out, or puts back?

The target of `Revert "x (#12)" (#34)` is the last `(#n)` inside the outermost quotes; what follows
them is the revert's own request. Nested quotes (`Revert "Revert "x""`) are not undone here: the
commit that is named is the one that is reverted, and what follows from it is for `alive`.
"""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from projections.release_inclusion.messages.mention import Certainty, Mention, Role
from projections.release_inclusion.messages.references import (
    Names,
    bare_numbers,
    either,
    mentions_other_host,
    numbers,
    without_other_host,
    without_trailing_number,
)

_REVERT: Final = r"revert(?:s|ed|ing)?"
_UNDO: Final = either(
    _REVERT, r"back(?:s|ed|ing)?[ -]?out", r"roll(?:s|ed|ing)?[ -]?back", r"undo(?:es)?"
)
_REDO: Final = either("re-?appl(?:y|ies|ied)", "replay", "re-?land(?:s|ed)?", "un-?revert(?:s|ed)?")
_PUT_BACK: Final = either("re-?add(?:s|ed)?", "restor(?:e|es|ed|ing)", "reinstate[sd]?")
_ANY: Final = either(_UNDO, _REDO, _PUT_BACK)

# What may stand before the word: `[Infra]`, `(hotfix)`, `ci(scope):`, `Draft:`.
_TAGS: Final = rf"(?:\[[^\]]*\]\s*|\([^)#]*\)\s*|(?!{_ANY}\b)\w+(?:\([^)]*\))?!?:\s*)*"
_QUOTED: Final = re.compile(
    rf"{_TAGS}(?P<word>{_ANY})(?:\s+of)?\s*[:-]?\s*[\"“](?P<title>.*)[\"”]", re.I | re.S
)
_CUT_OFF: Final = re.compile(rf"{_TAGS}(?P<word>{_ANY})\s+[\"“](?P<title>[^\"]*…)", re.I | re.S)
_ONE: Final = r"(?:https?://\S+/pull/[0-9]+|(?:[\w.-]+(?:/[\w.-]+)?)?#[0-9]+)"
_KIND: Final = r"(?:PRs?|MRs?|pull requests?)?\s*"
_AND: Final = r"(?:\s*(?:,|&|\band\b|\+)\s*|\s+)"
_LISTED: Final = re.compile(
    rf"{_TAGS}(?P<word>{_ANY})\s*:?\s*(?:of\s+)?{_KIND}(?P<list>{_ONE}(?:{_AND}{_KIND}{_ONE})*)"
    r"(?P<rest>.*)",
    re.I | re.S,
)
_BARE_LIST: Final = re.compile(
    rf"{_TAGS}(?P<word>{_REVERT}|{_REDO})\s+(?:of\s+)?{_KIND}"
    rf"(?P<list>[0-9]{{2,9}}(?:{_AND}[0-9]{{2,9}})*)\s*",
    re.I | re.S,
)
_SHA: Final = re.compile(
    rf"{_TAGS}(?P<word>{_ANY})\s+(?:(?:commit|changeset)\s+)?(?P<sha>[0-9a-f]{{7,40}})\b.*", re.I
)
_CONVENTIONAL: Final = re.compile(r"revert(?:\([^)]*\))?!?:\s*(?P<title>.*)", re.I | re.S)
_TITLED: Final = re.compile(
    rf"{_TAGS}(?P<word>{_UNDO}|{_REDO})(?P<mark>\s*\(![0-9]+\)\s*:?|(?:\s+of)?\s*:|\s+-|\s)\s*"
    r"(?P<title>.*)",
    re.I | re.S,
)
_TAGGED: Final = re.compile(
    rf"(?P<before>.*?)[\[(](?P<word>{_REDO}|reverted)(?:\s+of\s+(?P<of>\S+))?[\])]\s*(?P<after>.*)",
    re.I | re.S,
)
_RESTORES_AFTER: Final = re.compile(
    rf"\b(?:{_PUT_BACK}|{_REDO})\s+{_KIND}(?P<one>{_ONE})(?P<between>.{{0,120}}?)\bafter\b",
    re.I | re.S,
)
_REASON: Final = re.compile(
    r"\s*(?:$|[,;:.(-]|due\b|since\b|because\b|as\b|for\b|from\b|in\b)", re.I
)
_INNER: Final = re.compile(r"\((#[0-9]+|[\w.-]+(?:/[\w.-]+)?#[0-9]+)\)")
_HAS_DIGIT: Final = re.compile(r"[0-9]")
_SHORT_SHA_END: Final = re.compile(r"\(([0-9a-f]{7,40})\)\s*$")

_SHA_ALONE: Final = r"[0-9a-f]{7,40}\b"
_REVERTS_COMMIT: Final = re.compile(
    r"^[ \t]*+(?:[*-][ \t]++)?This\s++(?:reverts|backs\s++out)\s++(?:commits?|changesets?)[:\s]++"
    rf"(?P<shas>{_SHA_ALONE}(?:(?:\s*+,\s*+(?:and\s++)?|\s++(?:and|&)\s++){_SHA_ALONE})*)",
    re.I | re.M,
)
_HEDGE: Final = r"\(?(?:mostly|partially|partly|largely|in\s++part)\)?"
_REVERTS_SOME: Final = re.compile(
    r"^[ \t]*+(?:[*-][ \t]++)?(?:This\s++(?:(?:commit|change|patch|PR)\s++)?)?"
    rf"(?:{_HEDGE}\s++reverts?|reverts\s++(?:most|parts?|some)\s++of|partial\s++revert\s++of)"
    rf"\s++(?:(?:commits?|changesets?)[:\s]++)?(?P<sha>{_SHA_ALONE})",
    re.I | re.M,
)
_EACH_SHA: Final = re.compile(_SHA_ALONE, re.I)
_SQUASHED: Final = re.compile(r"^\* \S", re.M)
_BETWEEN_TITLES: Final = re.compile(r"[\"”]\s*+(?:,\s*+(?:and\s++)?|and\s++|&\s*+|\+\s*+)[\"“]")
_REVERTS_REQUEST: Final = re.compile(
    rf"^\s*(?:Reverts|Revert of|Reverting|Backs out|Rolls back)\s+({_ONE}(?:{_AND}{_ONE})*)[\s.]*$",
    re.I | re.M,
)
_RESTORES_REQUEST: Final = re.compile(
    rf"^\s*(?:{_PUT_BACK}|{_REDO})\s+{_KIND}({_ONE})\s+after\s+"
    rf"(?:(?:the\s+|its\s+)?revert(?:\s+(?:in|by|of))?\s+)?{_KIND}{_ONE}[\s.]*$",
    re.I | re.M,
)
_REVERT_BRANCH: Final = re.compile(r"Merge branch '(?:\S*/)?revert-([0-9a-f]{8,40})' into \S+")
_PREFIX_OF_OTHERS: Final = re.compile(r"to\b|back\b|unintended\b", re.I)


def read_reverts(subject: str, message: str, names: Names) -> Iterator[Mention]:
    """Yield what a commit says it reverts or restores, one mention for each target."""
    text, foreign = without_other_host(subject)
    spoken = tuple(_from_subject(text, Names() if foreign else names, foreign=foreign))
    # The list that a squash makes of commits may name one of the request itself.
    says_so = bool(spoken) or len(_SQUASHED.findall(message)) < 2
    shas = _reverted_shas(f"{text}\n{message}")
    some = dict.fromkeys(match["sha"] for match in _REVERTS_SOME.finditer(f"{text}\n{message}"))
    yield from (_mention(Role.REVERT, "reverts some of it", False, sha=sha) for sha in some)
    if some and not shas:
        # What takes out some of a change leaves the rest, whatever the subject says.
        spoken = tuple(map(_unsure, spoken))
    if shas:
        # The body names the commit itself: a title that would need a person adds nothing.
        spoken = tuple(mention for mention in spoken if mention.certainty is Certainty.CERTAIN)
    reverted = [mention for mention in spoken if mention.role is Role.REVERT]
    if len(shas) == len(reverted) == 1:
        yield replace(reverted[0], method="reverts commit", sha=shas[0])
        spoken = tuple(mention for mention in spoken if mention not in reverted)
    else:
        for sha in shas:
            yield _mention(Role.REVERT, "reverts commit", says_so, sha=sha)
    numbers_known = {mention.number for mention in spoken if mention.role is Role.REVERT}
    for listed in _REVERTS_REQUEST.findall(message):
        for number in numbers(listed, names):
            if number not in numbers_known and not shas:
                yield _mention(Role.REVERT, "reverts request", True, number=number)
    yield from spoken
    numbers_known = {mention.number for mention in spoken if mention.role is Role.RESTORE}
    for restored in _RESTORES_REQUEST.findall(message):
        for number in numbers(restored, names):
            if number not in numbers_known:
                yield _mention(Role.RESTORE, "restores request", True, number=number)


def _reverted_shas(text: str) -> tuple[str, ...]:
    named = (match["shas"] for match in _REVERTS_COMMIT.finditer(text))
    return tuple(dict.fromkeys(sha for shas in named for sha in _EACH_SHA.findall(shas)))


def _from_subject(text: str, names: Names, *, foreign: bool) -> Iterator[Mention]:
    branch = _REVERT_BRANCH.fullmatch(text)
    if branch:
        yield _mention(Role.REVERT, "revert branch", False, sha=branch[1])
        return
    rest = without_trailing_number(text)
    for read in (_quoted, _listed, _by_sha, _after, _conventional, _titled, _tagged):
        mentions = tuple(read(rest, names))
        if mentions:
            # A number in a message of another host is that host's; titles and SHAs still hold.
            yield from (mentions if not foreign else map(_without_number, mentions))
            return


def _quoted(rest: str, names: Names) -> Iterator[Mention]:
    whole = _QUOTED.fullmatch(rest) or _QUOTED.match(rest)
    match = whole or _CUT_OFF.fullmatch(rest)
    if not match:
        return
    role = _role(match["word"])
    for title in _titles(match["title"]):
        named = [n for ref in _INNER.findall(title) for n in numbers(ref, names)] if whole else []
        number = named[-1] if named else None
        if role is Role.RESTORE and number is None and re.match(_PUT_BACK, match["word"], re.I):
            return  # "Restore `some_test`": what stands in the marks is a thing, not a title
        yield _mention(role, "quoted title", number is not None, number=number, title=title)


def _titles(quoted: str) -> list[str]:
    """Take `A (#1)" and "B (#2)` apart; a title that has marks of its own stays whole."""
    titles = _BETWEEN_TITLES.split(quoted)
    return titles if all(title.count('"') % 2 == 0 for title in titles) else [quoted]


def _listed(rest: str, names: Names) -> Iterator[Mention]:
    match = _LISTED.fullmatch(rest)
    if match:
        named = numbers(match["list"], names)
        certain = bool(_REASON.match(match["rest"]))
        if re.match(_PUT_BACK, match["word"], re.I):
            after = _RESTORES_AFTER.search(rest)
            certain = certain or bool(after and not after["between"].strip())
    else:
        match = _BARE_LIST.fullmatch(rest)
        if not match:
            return
        named, certain = bare_numbers(match["list"]), True
    for number in named:
        yield _mention(_role(match["word"]), "listed requests", certain, number=number)


def _by_sha(rest: str, _: Names) -> Iterator[Mention]:
    match = _SHA.fullmatch(rest)
    if match and _HAS_DIGIT.search(match["sha"]):
        role = _role(match["word"])
        # "Reapply X" of a commit X that is itself a revert may mean either direction.
        yield _mention(role, "named commit", role is Role.REVERT, sha=match["sha"])


def _after(rest: str, names: Names) -> Iterator[Mention]:
    match = _RESTORES_AFTER.search(rest)
    for number in numbers(match["one"], names) if match else ():
        yield _mention(Role.RESTORE, "restores after", False, number=number)


def _conventional(rest: str, names: Names) -> Iterator[Mention]:
    match = _CONVENTIONAL.fullmatch(rest)
    if not match:
        return
    title = match["title"]
    short = _SHORT_SHA_END.search(title)
    if short:
        yield _mention(Role.REVERT, "conventional revert", True, sha=short[1], title=title)
        return
    yield _with_inner_number(Role.REVERT, "conventional revert", title, names)


def _titled(rest: str, names: Names) -> Iterator[Mention]:
    match = _TITLED.fullmatch(rest)
    if not match or _PREFIX_OF_OTHERS.match(match["title"]):
        return
    role, title = _role(match["word"]), match["title"]
    mention = _with_inner_number(role, "word and title", title, names)
    # "Revert X" without any number is prose; "Reapply X" and "Replay: X" are said of changes only.
    if mention.number is not None or (role is Role.RESTORE and not _is_noun(match)):
        yield mention


def _tagged(rest: str, names: Names) -> Iterator[Mention]:
    match = _TAGGED.fullmatch(rest)
    if not match:
        return
    title = f"{match['before']}{match['after']}".strip()
    named = numbers(match["of"] or "", names)
    number = named[0] if named else None
    yield _mention(Role.RESTORE, "tagged title", bool(named), number=number, title=title)


def _with_inner_number(role: Role, method: str, title: str, names: Names) -> Mention:
    named = [n for ref in _INNER.findall(title) for n in numbers(ref, names)]
    number = named[-1] if named else None
    return _mention(role, method, number is not None, number=number, title=title)


def _is_noun(match: re.Match[str]) -> bool:
    # "Replay buffers for X" is about a thing called replay; a title is set off by a mark.
    mark = match["mark"].strip()
    return match["word"].lower() == "replay" and not (mark or mentions_other_host(match["title"]))


def _role(word: str) -> Role:
    return Role.REVERT if re.fullmatch(_UNDO, word, re.I) else Role.RESTORE


def _unsure(mention: Mention) -> Mention:
    is_revert = mention.role is Role.REVERT
    return replace(mention, certainty=Certainty.REVIEW) if is_revert else mention


def _without_number(mention: Mention) -> Mention:
    certain = mention.sha is not None
    return _mention(mention.role, mention.method, certain, sha=mention.sha, title=mention.title)


def _mention(
    role: Role,
    method: str,
    certain: bool,
    *,
    sha: str | None = None,
    number: int | None = None,
    title: str | None = None,
) -> Mention:
    certainty = Certainty.CERTAIN if certain else Certainty.REVIEW
    return Mention(
        role=role, method=method, certainty=certainty, sha=sha, number=number, title=title
    )
