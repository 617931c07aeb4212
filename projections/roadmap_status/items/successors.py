"""Which roadmap a text names as the next, the previous, or a part of it.

Successors are often named only in the comment that closes a roadmap: "Continued in #12".
"""

import re
from enum import StrEnum
from typing import Final

import msgspec

from projections.roadmap_status.items.clauses import clause_before
from projections.roadmap_status.reading import Entry, Heading, Prose, Reader, Reference, read


class Relation(StrEnum):
    """What another roadmap is to the one whose text names it."""

    SUCCESSOR = "successor"
    PREDECESSOR = "predecessor"
    RELATED = "related"


_NEXT: Final = re.compile(
    r"\b(?:continu(?:ed|es|ing)|carried\s++over|moved|migrated|superseded|succeeded|replaced"
    r"|followed|successor|next\b[^.;\n]{0,40}\broadmap|new\s++roadmap|tracking\s++continues"
    r"|(?:closing|closed)[^.;]{0,300}(?:favou?r|see))\b|后续|延续|迁移到|移至|下一(?:季度|版|期)",
    re.IGNORECASE,
)
_PREVIOUS: Final = re.compile(
    r"\b(?:previous|prior|last(?!\s++(?:updated?|edited|changed|modified))|earlier|preceding)\b"
    r"|上一(?:季度|版|期)|前一|此前",
    re.IGNORECASE,
)
_CONTINUES: Final = re.compile(
    r"\b(?:(?:continues|follows)\s+(?!in\b|at\b|on\b|here\b|with\b|under\b|by\b|below\b)(?=\S)"
    r"|(?:continued|continues|carried\s+over|carry-?over|moved|migrated|forked|split)\s+from\b"
    r"|(?:continuation|successor)\s+(?:of|to)\b|follow-?up\s+(?:of|to|on)\b|builds\s+on\b"
    r"|(?:supersedes|replaces|succeeds|predecessor)\b)|接续|延续自|取代了?",
    re.IGNORECASE,
)
"""Words that name a roadmap before without the word itself."""
_ROADMAP: Final = re.compile(r"\broadmap\b|路线图", re.IGNORECASE)


class NamedRoadmap(msgspec.Struct, frozen=True):
    """A roadmap named in a text, and the words that name it."""

    reference: Reference
    relation: Relation
    text: str
    certain: bool = True
    """The words say that it is a roadmap, or it is known as one; else it may be any issue."""


def named_roadmaps(text: str | None, reader: Reader) -> tuple[NamedRoadmap, ...]:
    """Return the roadmaps that the loose text of a body or a comment names, each once.

    Lists are a roadmap's own items and name none, except where they themselves say "roadmap".
    """
    by_target: dict[tuple[str, int], NamedRoadmap] = {}
    for block in read(text, reader).blocks:
        prose = block.head if isinstance(block, Entry) else block.prose
        loose = not isinstance(block, Entry | Heading)
        for named in _named(prose, reader, always=loose):
            if isinstance(block, Heading) and named.relation is not Relation.PREDECESSOR:
                continue
            by_target.setdefault(named.reference.key, named)
    return tuple(by_target.values())


def _named(prose: Prose, reader: Reader, *, always: bool) -> list[NamedRoadmap]:
    roadmaps = []
    for link in prose.links:
        clause = clause_before(prose, link)
        words = f"{clause}{prose.shown[link.start : link.end]}"
        known = link.reference.key in reader.roadmaps or bool(_ROADMAP.search(words[-160:]))
        relation = _relation(words)
        certain = known or bool(_CONTINUES.search(words))
        if certain or (always and relation is Relation.SUCCESSOR):
            said = " ".join(words.split())
            roadmaps.append(NamedRoadmap(link.reference, relation, said, certain))
    return roadmaps


def _relation(words: str) -> Relation:
    if _PREVIOUS.search(words) or _CONTINUES.search(words):
        return Relation.PREDECESSOR
    return Relation.SUCCESSOR if _NEXT.search(words) else Relation.RELATED
