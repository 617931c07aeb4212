"""How a message case is written down and checked."""

from projections.release_inclusion.messages.mention import Certainty, Mention
from projections.release_inclusion.messages.reading import read_mentions
from projections.release_inclusion.messages.references import Names

NAMES = Names.of("acme/widget", "oldco/widget")
X, Y, Z = "a1" * 20, "b2" * 20, "c3" * 20

Case = tuple[str, str, list[tuple[str, str | int | None, str]]]
"""Subject, rest of the message, and for each mention its role, its target and its certainty."""


def _told(mention: Mention) -> tuple[str, str | int | None, str]:
    return mention.role, mention.sha or mention.number or mention.title, mention.certainty


def check(case: Case) -> None:
    subject, message, expected = case
    assert [_told(one) for one in read_mentions(subject, message, NAMES)] == expected


SURE, REVIEW = Certainty.CERTAIN.value, Certainty.REVIEW.value
