"""Where a request is, and what waits for a person, as documents."""

from collections.abc import Iterator, Sequence
from textwrap import shorten
from typing import Final

from services.answers.releases.inclusion import Everywhere, Inclusion
from services.answers.releases.links import footer, tag_link
from services.answers.releases.reviews import Reviews
from services.answers.releases.wording import (
    VERDICTS,
    day,
    listed,
    ported,
    requests,
    short,
    tags_of_commit,
)
from services.answers.reports.wording import title
from services.documents.model import (
    Code,
    Column,
    Document,
    List,
    Paragraph,
    Table,
    Text,
)

_NAMED_COMMITS: Final = 3


def reviews_document(reviews: Reviews) -> Document:
    """Write what waits for a person."""
    columns = tuple(map(Column, ("id", "commit", "may be a", "by", "answers", "subject")))
    rows = tuple(
        (
            waiting.item.id,
            (Code(short(waiting.item.sha)),),
            shorten(waiting.says, 60),
            waiting.item.mentions[0].mention.method,
            str(waiting.item.answers),
            shorten(waiting.subject, 80),
        )
        for waiting in reviews.waiting
    )
    return Document(
        title=f"What waits for a person in {reviews.asked.full_name}",
        blocks=(Table(columns, rows), footer(reviews.asked)),
    )


def everywhere_document(everywhere: Everywhere, base: str | None = None) -> Document:
    """Write where one request is, the newest releases first."""
    columns = tuple(map(Column, ("release", "verdict", "why")))
    rows: tuple[tuple[Text, ...], ...] = tuple(
        (
            _tags(same, base),
            VERDICTS[same[0].verdict.outcome],
            same[0].because,
        )
        for same in everywhere.by_commit
    )
    standing = tuple(_standing(everywhere))
    return Document(
        title=f"#{everywhere.number} {title(everywhere.attributes)}",
        lead=overview(everywhere),
        blocks=(
            *((List(standing),) if standing else ()),
            Table(columns, rows),
            footer(everywhere.asked),
        ),
    )


def _tags(same: Sequence[Inclusion], base: str | None) -> Text:
    """Write the tags of one commit; the first leads to its page."""
    first, *_ = names = [inclusion.subject.name for inclusion in same]
    words = tags_of_commit(names).removeprefix(first)
    return (tag_link(first, base), words) if words else (tag_link(first, base),)


def overview(everywhere: Everywhere) -> str:
    """Write the sentence with which a request's answer begins."""
    number = everywhere.number
    outcomes = [inclusion.verdict.outcome for inclusion in everywhere.releases]
    count, total = outcomes.count("included"), len(outcomes)
    if count:
        return f"#{number} is in {count:,} of {total:,} releases{_first_shipped(everywhere)}."
    reasons = {inclusion.verdict.reason for inclusion in everywhere.releases}
    if reasons == {"nothing is known of it"}:
        return f"No trace of #{number} in any of {total:,} releases; its state is unproven."
    others = {
        "it is there but reverted": outcomes.count("reverted") + outcomes.count("removed"),
        "only a part of it is there": outcomes.count("partly"),
        "it cannot be told": outcomes.count("undetermined"),
    }
    rest = "".join(f"; in {many} {words}" for words, many in others.items() if many)
    return f"#{number} is in none of {total} releases{rest}."


def _first_shipped(everywhere: Everywhere) -> str:
    """Write where a request shipped first, for the families of tags; finals where there are any."""
    having = [i for i in everywhere.releases if i.verdict.outcome == "included" and i.first]
    placed = [(i, i.subject.release and i.subject.release.release) for i in having]
    finals = [inclusion for inclusion, release in placed if release and release.final]
    firsts = {inclusion.first for inclusion in finals or having}
    groups = [
        tags
        for same in everywhere.by_commit
        if (tags := [i.subject.name for i in same if i.subject.name in firsts])
    ]
    if not groups:
        return ""
    oldest = {i.subject.name: i.subject.at for i in everywhere.releases}
    groups.sort(key=lambda tags: min(oldest[tag] for tag in tags))
    words = ", ".join(map(tags_of_commit, groups[:_NAMED_COMMITS]))
    rest = sum(map(len, groups[_NAMED_COMMITS:]))
    later = f", and later in {rest:,} more" if rest else ""
    return f", first shipped in {words}{later}"


def _standing(everywhere: Everywhere) -> Iterator[str]:
    """Yield where a request stands apart from releases: its port state, its branches."""
    if everywhere.port is not None:
        yield f"Port: {ported(everywhere.port)}."
    branches: dict[str, list[str]] = {}
    for inclusion in everywhere.branches:
        if inclusion.verdict.outcome != "not_included":
            words = f"{VERDICTS[inclusion.verdict.outcome]}, {inclusion.because}"
            branches.setdefault(words, []).append(inclusion.subject.name)
    for words, names in branches.items():
        yield f"On {listed(names)}: {words}."
    brings: tuple[int, ...] = next((inclusion.brings for inclusion in everywhere.releases), ())
    if brings:
        yield f"#{everywhere.number} carries {requests(brings)}."


def inclusion_document(inclusion: Inclusion) -> Document:
    """Write one answer: the sentence, what else has to be said, the evidence."""
    subject = inclusion.subject
    remarks = [*subject.notes]
    if inclusion.first and inclusion.first != subject.name:
        remarks.append(f"First shipped in {inclusion.first}.")
    if inclusion.brings:
        remarks.append(f"#{inclusion.number} carries {requests(inclusion.brings)}.")
    if inclusion.verdict.reason == "nothing is known of it":
        remarks.append(
            f"Nothing shows whether #{inclusion.number} is open, was closed, or was merged "
            "elsewhere."
        )
    remarks += inclusion.lacks
    moment = f" is commit {subject.commit}, {day(subject.at)}."
    return Document(
        title=inclusion.sentence,
        blocks=(
            *map(Paragraph, remarks),
            Paragraph((Code(subject.ref), moment)),
            List(tuple(_evidence(inclusion))),
        ),
    )


def _evidence(inclusion: Inclusion) -> Iterator[str]:
    for carrier in inclusion.verdict.carriers:
        via = f", by #{carrier.via}" if carrier.via else ""
        how = f"{carrier.role.value}, {carrier.method.value}{via}"
        yield f"carried by {short(carrier.sha)} ({how})"
    for piece in inclusion.evidence:
        yield f"evidence: {piece.kind} {piece.name}, record {piece.record_id or 'none'}"
