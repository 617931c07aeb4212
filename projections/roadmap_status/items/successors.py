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
    r"|followed|successor|next(?:\s++\w+){0,3}\s++roadmap|new\s++roadmap|tracking\s++continues"
    r"|(?:closing|closed)[^.;]{0,300}(?:favou?r|see))\b|后续|延续|迁移到|移至|下一(?:季度|版|期)",
    re.IGNORECASE,
)
_PREVIOUS: Final = re.compile(
    r"\b(?:previous|prior|last|earlier|supersedes|replaces|continues\s++from|carried\s++over\s++from"
    r"|predecessor)\b|上一(?:季度|版|期)|前一|此前",
    re.IGNORECASE,
)
_ROADMAP: Final = re.compile(r"\broadmap\b|路线图", re.IGNORECASE)


class NamedRoadmap(msgspec.Struct, frozen=True):
    """A roadmap named in a text, and the words that name it."""

    reference: Reference
    relation: Relation
    text: str


def named_roadmaps(text: str | None, reader: Reader) -> tuple[NamedRoadmap, ...]:
    """Return the roadmaps that the loose text of a body or a comment names, each once.

    Lists are a roadmap's own items and name none, except where they themselves say "roadmap".
    """
    by_target: dict[tuple[str, int], NamedRoadmap] = {}
    for block in read(text, reader).blocks:
        prose = block.head if isinstance(block, Entry) else block.prose
        if isinstance(block, Heading):
            continue
        for named in _named(prose, reader, always=not isinstance(block, Entry)):
            by_target.setdefault(named.reference.key, named)
    return tuple(by_target.values())


def _named(prose: Prose, reader: Reader, *, always: bool) -> list[NamedRoadmap]:
    roadmaps = []
    for link in prose.links:
        clause = clause_before(prose, link)
        words = f"{clause}{prose.shown[link.start : link.end]}"
        known = link.reference.key in reader.roadmaps or bool(_ROADMAP.search(words[-160:]))
        relation = _relation(words)
        if known or (always and relation is Relation.SUCCESSOR):
            roadmaps.append(NamedRoadmap(link.reference, relation, " ".join(words.split())))
    return roadmaps


def _relation(words: str) -> Relation:
    if _PREVIOUS.search(words):
        return Relation.PREDECESSOR
    return Relation.SUCCESSOR if _NEXT.search(words) else Relation.RELATED
