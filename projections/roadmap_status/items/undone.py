"""Which request a text names as the one that took another back, or brought it back again.

"merged in #105, reverted by #302": #302 undid #105. The words stand right before the link that
acts ("backed out in #302", "re-landed as #310"), or right behind it ("#302 reverts #105"). What is
undone is the link before, or after "reverts"; where no other link is named, it is the item.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from projections.roadmap_status.reading import LinkSpan, Prose, Reference

_NEAR: Final = 80
"""Characters before and behind a link in which the words stand."""
_UNDONE: Final = r"(?:reverted|rolled\s+back|backed\s+out|undone|taken\s+out)"
_RESTORED: Final = (
    r"(?:restored|reinstated|re-?(?:landed|applied|added|merged|introduced|submitted|enabled))"
)
_BY: Final = (
    r"(?:\s++(?:again|later|since))?\s*+"
    r"(?:(?:by|in|via|with|through|as|于)\s*+(?:PR\s*+)?[(（:：]?|[(（:：—–-])\s*+$"
)
_BEFORE: Final = re.compile(
    rf"(?:\b(?:(?P<undone>{_UNDONE})|(?P<restored>{_RESTORED}))|已?(?:回滚|回退|撤销)"
    rf"|(?P<restored_zh>已?(?:恢复|重新合[并入]))){_BY}",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"\s*+[)）]?\s*+(?:(?:has\s+|was\s+|later\s+|then\s+)*(?:(?P<undone>revert(?:s|ed|ing)|rolls?\s+back"
    r"|rolled\s+back|backs?\s+out|backed\s+out)|(?P<restored>restor(?:es|ed|ing)|reinstat(?:es|ed)"
    r"|re-?(?:lands|landed|applies|applied|adds|added)))(?P<it>\s+(?:it|this|that)\b)?)",
    re.IGNORECASE,
)
_PASSIVE_ZH: Final = re.compile(r"(?:被|由)\s*$")
_BEHIND_ZH: Final = re.compile(r"\s*(?:(?P<undone>回滚|回退|撤销|还原)|(?P<restored>恢复))")


class Undone(msgspec.Struct, frozen=True):
    """One request is said to have undone another one, or to have restored it."""

    by: Reference
    target: Reference | None
    """None: the item, whatever implements it."""
    restored: bool = False


def undone_in(proses: Iterable[Prose]) -> Iterator[Undone]:
    """Yield what the texts of one item say, in their order."""
    last: Reference | None = None
    for prose in proses:
        end = 0
        for at, link in enumerate(prose.links):
            told = _before(prose, link, end)
            if told is None:
                told = _behind_zh(prose, link, end)
            following = prose.links[at + 1] if at + 1 < len(prose.links) else None
            if told is not None:
                yield Undone(link.reference, last, restored=told)
            else:
                acting = _behind(prose, link, following)
                if acting is not None:
                    restored, on_next = acting
                    target = following.reference if on_next and following else last
                    yield Undone(link.reference, target, restored=restored)
                elif not _is_target(prose, link, end):
                    last = link.reference
            end = link.end


def _before(prose: Prose, link: LinkSpan, since: int) -> bool | None:
    """Tell by the words before a link what it did: True restored, False undone, None neither."""
    match = _BEFORE.search(prose.words[max(since, link.start - _NEAR) : link.start])
    if match is None:
        return None
    return match["restored"] is not None or match["restored_zh"] is not None


def _behind_zh(prose: Prose, link: LinkSpan, since: int) -> bool | None:
    if not _PASSIVE_ZH.search(prose.words[max(since, link.start - _NEAR) : link.start]):
        return None
    match = _BEHIND_ZH.match(prose.words, link.end)
    return None if match is None else match["restored"] is not None


def _behind(prose: Prose, link: LinkSpan, following: LinkSpan | None) -> tuple[bool, bool] | None:
    """Return (restored?, acts on the next link?) where the words behind a link say so."""
    match = _BEHIND.match(prose.words, link.end)
    if match is None:
        return None
    restored = match["restored"] is not None
    if match["it"]:
        return restored, False
    if following is None or prose.words[match.end() : following.start].strip(" (（"):
        return None
    return restored, True


def _is_target(prose: Prose, link: LinkSpan, since: int) -> bool:
    """Tell whether a link is what the one before it acts on."""
    return (
        since > 0 and _BEHIND.match(prose.words, since) is not None and link.start - since < _NEAR
    )
