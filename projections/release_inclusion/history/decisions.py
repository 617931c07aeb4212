"""What persons decided about mentions, laid over what the messages say."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from typing import Final

from msgspec.structs import replace

from events.facts.curation import MentionDecided
from events.identity import derived_id
from projections.release_inclusion.history.carriers import ReadCommit
from projections.release_inclusion.messages.mention import Certainty, Mention, Role

DECIDED: Final = "decided by a person"


def mention_id(sha: str, mention: Mention) -> str:
    """Return the name by which a person answers for a mention; it never changes."""
    parts = (mention.sha or "", mention.number or 0, mention.title or "")
    return derived_id("mention", sha, mention.role.value, *parts)[:12]


def latest(decisions: Iterable[MentionDecided]) -> dict[str, MentionDecided]:
    """Return the decision that holds for each mention: the last by (decided_at, content)."""
    ordered = sorted(decisions, key=lambda decision: (decision.decided_at, repr(decision)))
    return {mention_id(decision.sha, _mention(decision)): decision for decision in ordered}


def decided(
    readings: Mapping[str, ReadCommit],
    decisions: Iterable[MentionDecided],
    strangers: Set[int] = frozenset(),
) -> dict[str, ReadCommit]:
    """Return the readings with confirmed mentions certain, rejected ones gone, new ones added.

    `strangers` are numbers of this repository that are no requests (issues): no commit lands or
    reverts them.
    """
    by_sha: dict[str, dict[str, MentionDecided]] = defaultdict(dict)
    for name, decision in latest(decisions).items():
        by_sha[decision.sha][name] = decision
    return {
        sha: _decide(reading, by_sha.get(sha, {}), strangers) for sha, reading in readings.items()
    }


def undecided(
    readings: Mapping[str, ReadCommit],
    mentions: Mapping[str, Iterable[Mention]],
    answers: Mapping[str, MentionDecided],
) -> dict[str, ReadCommit]:
    """Return the readings with further mentions, less those that a person answered."""
    more = {
        sha: [mention for mention in of if mention_id(sha, mention) not in answers]
        for sha, of in mentions.items()
    }
    added = {
        sha: replace(readings[sha], mentions=(*readings[sha].mentions, *new))
        for sha, new in more.items()
    }
    return {**readings, **added}


def _decide(
    reading: ReadCommit, decisions: Mapping[str, MentionDecided], strangers: Set[int]
) -> ReadCommit:
    own = reading.own
    if own is not None and own.number in strangers:
        own = None
    mentions: list[Mention] = []
    waiting = dict(decisions)
    for mention in reading.mentions:
        decision = waiting.pop(mention_id(reading.sha, mention), None)
        if decision is None:
            if mention.number is None or mention.number not in strangers:
                mentions.append(mention)
        elif decision.holds:
            method = DECIDED if mention.role is Role.PICK else mention.method
            mentions.append(replace(mention, certainty=Certainty.CERTAIN, method=method))
    mentions += [_mention(decision) for decision in waiting.values() if decision.holds]
    if own is reading.own and tuple(mentions) == reading.mentions:
        return reading
    return replace(reading, own=own, mentions=tuple(mentions))


def _mention(decision: MentionDecided) -> Mention:
    return Mention(
        role=Role(decision.role),
        method=DECIDED,
        sha=decision.target,
        number=decision.number,
        title=decision.title,
    )
