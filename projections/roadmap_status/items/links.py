"""The links of an item: what each is to it, and what is noted beside it.

A nested bullet that is only a link with its title is a link of the item above, not an item.
Roles are what the text shows; where facts show that an implementing link is an issue, it tracks.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from projections.roadmap_status.items.clauses import clause_before
from projections.roadmap_status.items.heads import Head
from projections.roadmap_status.items.titles import Series, led_title, series_of
from projections.roadmap_status.reading import (
    Entry,
    EntryKind,
    LinkSpan,
    Prose,
    Reader,
    Reference,
    TargetKind,
)


class LinkKind(StrEnum):
    """What a link leads to, as far as the text tells."""

    PULL_REQUEST = "pull request"
    ISSUE = "issue"
    NUMBER = "unknown number"
    OTHER_REPOSITORY = "other repository"
    ROADMAP = "nested roadmap"


class LinkRole(StrEnum):
    """What a link is to its item; the earlier one wins where a link stands twice."""

    IMPLEMENTING = "implementing"
    TRACKING = "tracking"
    MENTION = "mention"


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One target that an item links to, however often."""

    reference: Reference
    kind: LinkKind
    role: LinkRole
    note: str = ""
    """What is written in brackets or words right behind it."""
    title: str = ""
    """The words before it in a bullet of its own."""
    series: Series | None = None
    struck: bool = False
    as_request: LinkRole | None = None
    """Its role where facts show a request, though only the form of its address says issue."""


_TRACKING: Final = re.compile(
    r"(?:\b(?:see(?:\s++also)?|track(?:ed|s|ing)?(?:\s++(?:in|by|at|issue))?|refer(?:\s++to)?|details?"
    r"|umbrella|meta|epic|parent(?:\s++issue)?|roadmap|follow)\b|详见|参见|见|跟踪|追踪|参考|路线图)",
    re.IGNORECASE,
)
_MENTION: Final = re.compile(
    r"(?:\b(?:block(?:ed|s)\s++(?:by|on)|depends?\s++on|requires?|after|before|unlike|instead\s++of"
    r"|supersed(?:es|ed\s++by)|replac(?:es|ed\s++by)|previous(?:ly)?\b[^.;]*|formerly|follow-?up\s++to"
    r"|revert(?:s|ed\s++(?:by|in))|restores?|re-?adds|related(?:\s++to)?|cf\.?"
    r"|(?:does|do|did|will|is|are)(?:\s++not|n['’]t)\s++\w+)|依赖|阻塞于|被)\s*+:?\s*+[(（]?\s*+$",
    re.IGNORECASE,
)
_ROADMAP: Final = re.compile(r"\broadmap\b|路线图", re.IGNORECASE)
_NOTE: Final = re.compile(r"\s{0,2}[(（]([^()（）\n]{1,400})[)）]")
_BRACKETED: Final = re.compile(r"\([^()\n]*\)|（[^（）\n]*）")
_RANK: Final = {role: at for at, role in enumerate(LinkRole)}


def is_link_line(entry: Entry, head: Head) -> bool:
    """Tell whether a nested bullet is only a link: with its title before, a note behind it."""
    prose = entry.head
    if entry.kind is EntryKind.ROW or entry.box or entry.children or entry.more:
        return False
    if not prose.links or head.marks or _struck_whole(prose):
        return False
    main = main_links(prose)
    after = prose.words[main[-1].end :]
    noted = _NOTE.match(after)
    end = main[-1].end + (noted.end() if noted else 0)
    if any(not main[-1].end <= span.start < end for span in head.status):
        return False
    rest = after[noted.end() :] if noted else after
    bold = (
        bool(prose.strong) and prose.strong[0].start == 0 and not _all(prose, prose.strong[0].end)
    )
    return not bold and (not rest.strip(" .;,。，；") or bool(_TRACKING.match(prose.shown)))


def main_links(prose: Prose) -> tuple[LinkSpan, ...]:
    """Return the links outside of brackets; all of them where every one is in brackets."""
    inside = [match.span() for match in _BRACKETED.finditer(prose.words)]
    out = [k for k in prose.links if not any(a < k.start < b for a, b in inside)]
    return tuple(out) or prose.links


def line_links(entry: Entry, reader: Reader) -> Iterator[Link]:
    """Yield the links of a bullet that is only a link."""
    prose = entry.head
    main = main_links(prose)
    begin = 0
    for span in prose.links:
        said = _TRACKING.match(prose.shown)
        formed = span.reference.kind is TargetKind.ISSUE and not said and span in main
        role = LinkRole.TRACKING if said or formed else LinkRole.IMPLEMENTING
        written = prose.shown[begin : span.start]
        title = led_title(written)
        link = _link(prose, span, LinkRole.MENTION if span not in main else role, reader)
        if span in main:
            begin = span.end
            own = title if title or span is not main[0] else ""
            link = replace(link, title=own, series=series_of(written))
        if formed:
            link = replace(link, as_request=LinkRole.IMPLEMENTING)
        yield link


def text_links(
    prose: Prose, head_end: int, reader: Reader, *, listed: bool, weak: bool = False
) -> Iterator[Link]:
    """Yield the links in an item's own text.

    `head_end` is where its title ends: a link there implements it. In the sentences behind it a
    link implements only an item that lists no links of its own (`listed`).
    """
    for span in prose.links:
        before = clause_before(prose, span)
        if weak or span.struck or _MENTION.search(before):
            yield _link(prose, span, LinkRole.MENTION, reader)
            continue
        if _TRACKING.search(before[-60:]):
            role = LinkRole.TRACKING
        elif listed and span.start >= head_end:
            role = LinkRole.MENTION
        else:
            role = LinkRole.IMPLEMENTING
        yield _by_form(_link(prose, span, role, reader))


def _by_form(link: Link) -> Link:
    """Let the address of an issue track, unless facts show that it is a request's."""
    if link.reference.kind is not TargetKind.ISSUE or link.role is LinkRole.TRACKING:
        return link
    return replace(link, role=LinkRole.TRACKING, as_request=link.role)


def merged(links: Iterable[Link]) -> tuple[Link, ...]:
    """Return each target once, in order, with the strongest role and all that is known of it."""
    by_target: dict[tuple[str, int], Link] = {}
    for link in links:
        known = by_target.get(link.reference.key)
        by_target[link.reference.key] = link if known is None else _both(known, link)
    return tuple(by_target.values())


def _both(link: Link, other: Link) -> Link:
    references = (link.reference, other.reference)
    telling = next((r for r in references if r.kind is not TargetKind.NUMBER), references[0])
    kinds = [k for k in (link.kind, other.kind) if k is not LinkKind.NUMBER]
    kind_told = kinds[0] if kinds else LinkKind.NUMBER
    kind = LinkKind.ROADMAP if LinkKind.ROADMAP in kinds else kind_told
    role = min(link.role, other.role, key=_RANK.__getitem__)
    if LinkRole.TRACKING in (link.role, other.role) and kind is not LinkKind.PULL_REQUEST:
        # "Tracked in #12" is said on purpose; a list that #12 stands in too says less.
        role = LinkRole.TRACKING
    return Link(
        reference=telling,
        kind=kind,
        role=role,
        note=link.note or other.note,
        title=link.title or other.title,
        series=link.series or other.series,
        struck=link.struck and other.struck,
        as_request=_as_request(link, other),
    )


def _as_request(link: Link, other: Link) -> LinkRole | None:
    """Return the strongest role of two, unless one of them is said to track."""
    if link.as_request is None and other.as_request is None:
        return None
    roles = [of_two.as_request or of_two.role for of_two in (link, other)]
    return None if LinkRole.TRACKING in roles else min(roles, key=_RANK.__getitem__)


def _link(prose: Prose, span: LinkSpan, role: LinkRole, reader: Reader) -> Link:
    note = _NOTE.match(prose.shown, span.end)
    kind = _kind(prose, span, reader)
    if kind is LinkKind.ROADMAP and role is LinkRole.IMPLEMENTING:
        role = LinkRole.TRACKING
    return Link(
        reference=span.reference,
        kind=kind,
        role=role,
        note=" ".join(note[1].split()) if note else "",
        struck=span.struck,
    )


def _kind(prose: Prose, span: LinkSpan, reader: Reader) -> LinkKind:
    reference = span.reference
    named = _ROADMAP.search(prose.shown, span.start, span.end)
    named = named or _ROADMAP.search(clause_before(prose, span)[-40:])
    pull = reference.kind is TargetKind.PULL_REQUEST
    if reference.key in reader.roadmaps or (named and not pull):
        return LinkKind.ROADMAP
    if reference.repository:
        return LinkKind.OTHER_REPOSITORY
    if pull:
        return LinkKind.PULL_REQUEST
    return LinkKind.ISSUE if reference.kind is TargetKind.ISSUE else LinkKind.NUMBER


def _struck_whole(prose: Prose) -> bool:
    return bool(prose.struck) and prose.struck[0].start == 0 and _all(prose, prose.struck[-1].end)


def _all(prose: Prose, end: int) -> bool:
    return not prose.shown[end:].strip()


def only_outside(prose: Prose) -> bool:
    """Tell whether a bullet is nothing but one link to something else than a request."""
    if prose.links or len(prose.outside) != 1:
        return False
    span = prose.outside[0]
    return not prose.shown[: span.start].strip() and not prose.shown[span.end :].strip(" .")
