"""What the answers about one request have to agree on, each statement by its name.

A statement yields what contradicts it. Nothing here knows which answer is right.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from projections.period_ledger.counting import delivered
from projections.roadmap_status.status.facts import Outcome
from services.answers.editions.grouping import numbers_in_question
from services.answers.releases.release_page import release_page
from services.answers.reports.request_life import UNPROVEN
from tests.services.answers.asked_everywhere import Asked, Told

_IN_COUNT: Final = {
    "merged": "merged",
    "landed": "closed, landed by a commit",
    "closed_without_merge": "closed",
    "closed_unknown": "closed_unknown",
    "open_at_end": "open",
}
"""Count -> what `pr` calls the state of a request in it at the end."""
_STATES: Final = {
    Outcome.OPEN: {"open"},
    Outcome.DRAFT: {"open"},
    Outcome.CLOSED: {"closed"},
    Outcome.ABSENT: {"not yet opened"},
}
_DELIVERED: Final = frozenset({"merged", "closed, landed by a commit", "merged, undated"})
#: Phrases of reasons that deny that a request is told.
_DENIALS: Final = ("nothing happened", "nothing recorded puts", "such requests are counted and")


def states(asked: Asked, told: Told) -> Iterator[str]:
    """The state of `pr` at the end is that of the report's counts, and its date the row's."""
    if told.life is None:
        return
    rows = {
        name: entry
        for name in _IN_COUNT
        for entry in asked.report.entries[name]
        if entry.number == told.number
    }
    for name, entry in rows.items():
        if told.life.state != _IN_COUNT[name]:
            yield f"counted as {name}, and `pr` says {told.life.state}"
        holding = [span.vf for span in told.life.states if span.vf <= asked.moment < span.vt]
        if holding != [entry.at]:
            yield f"{name} at {entry.at}, and `pr` says {holding}"
    ended = [
        span.vf for span in told.life.states if span.delivered and span.vf <= asked.moment < span.vt
    ]
    inside = any(asked.report.period.start <= at < asked.report.end for at in ended)
    if inside != bool({"merged", "landed"} & rows.keys()):
        yield f"delivered at {ended} by `pr`, and in the counts {sorted(rows)}"


def placements(asked: Asked, told: Told) -> Iterator[str]:
    """What was delivered, or is open and was worked on, is told or not told for a named reason."""
    merged, active = numbers_in_question(asked.report)
    if told.number not in merged | active or told.why is None:
        return
    place = told.why.place
    if place.section is None and not place.why:
        yield "in question, and the edition says nothing of it"
    parts = asked.edition.reconciliation
    excluded = {number for numbers in parts.excluded.values() for number in numbers}
    named = [told.number in part for part in (parts.told, parts.twins, excluded, parts.not_told)]
    if named.count(True) != (told.number in merged):
        yield f"told, twin, excluded, not told: {named}"
    if told.number in merged and (named[0] or named[1]) != (place.theme is not None):
        yield f"the sum has it as {named}, and it is placed {place}"


def verdicts(asked: Asked, told: Told) -> Iterator[str]:
    """`why` says what the edition does, in the edition's words."""
    if told.why is None:
        return
    answer, place = told.why.answer, told.why.place
    if (place.theme is not None) != (answer.told is True):
        yield f"why: {answer.told}, edition: {place}"
    if place.section is None and place.why and place.why not in answer.reason:
        yield f"why: {answer.reason!r}, edition: {place.why!r}"
    if answer.told and any(words in answer.reason for words in _DENIALS):
        yield f"told, because {answer.reason!r}"
    if answer.told is False and "is kept" in answer.reason:
        yield f"not told, because {answer.reason!r}"
    if answer.told is None and place.why:
        yield f"not in question, and the edition does not tell it: {place.why}"


def places(asked: Asked, told: Told) -> Iterator[str]:
    """The branches and releases of a report's row are those of `included`, doubts too."""
    placed = asked.report.places.requests.get(told.number) if asked.report.places else None
    if placed is None or told.where is None:
        return
    for name, here, there in (
        ("branches", placed.branches, told.named("branch", "included")),
        ("partly", placed.partly, told.named("branch", "partly")),
        ("reverted", placed.reverted, told.named("branch", "reverted")),
        ("releases", placed.releases, told.named("tag", "included")),
    ):
        if set(here) != there:
            yield f"{name}: {sorted(here)} in the row, {sorted(there)} by `included`"
    doubts = told.named("branch", "undetermined") | told.named("tag", "undetermined")
    if placed.certain != (not doubts):
        yield f"certain: {placed.certain}, and `included` cannot tell {sorted(doubts)}"
    firsts = _firsts(told)
    if not set(placed.first) >= firsts & set(placed.releases):
        yield f"first in {placed.first} in the row, in {sorted(firsts)} by `included`"


def _firsts(told: Told) -> set[str]:
    """Return what `included` calls first of each family: by its finals that have the request, else
    by its pre-releases, as a row tells a family.
    """
    answers = {True: dict[str, set[str]](), False: dict[str, set[str]]()}
    for answer in told.where.releases if told.where else ():
        known = answer.subject.release
        if answer.first and known and known.release and answer.verdict.outcome == "included":
            by_family = answers[known.release.final]
            by_family.setdefault(known.release.family, set()).add(answer.first)
    return set[str]().union(*{**answers[False], **answers[True]}.values())


def standings(asked: Asked, told: Told) -> Iterator[str]:
    """Told as delivered: in force on its base; not told as reverted: reverted there."""
    merged, _ = numbers_in_question(asked.report)
    if told.number not in merged or told.why is None or told.life is None:
        return
    base = told.places.get(f"refs/heads/{told.life.base}")
    place = told.why.place
    outcome = base.verdict.outcome if base else None
    if place.section == "delivered" and outcome in ("reverted", "not_included", "undetermined"):
        changes = [change for theme in asked.edition.themes for change in theme.changes]
        changes += [change for listed in asked.edition.left_over.values() for change in listed]
        change = next(change for change in changes if told.number in change.numbers)
        if change.told.telling == "delivered" and len(change.numbers) == 1:
            yield f"told as plainly delivered, and {outcome} on {told.life.base}"
    if place.why == "reverted" and outcome not in ("reverted", None):
        yield f"not told as reverted, and {outcome} on {told.life.base}"


def roadmap_states(asked: Asked, told: Told) -> Iterator[str]:
    """A link says of a request what `pr` says, and of its branches what `included` says."""
    if told.part is None or told.life is None or told.part.state.outcome.of_issue:
        return
    state = told.part.state
    if told.life.state == "issue":
        return
    if told.life.state not in _STATES.get(state.outcome, {told.life.state}):
        yield f"{state.outcome} in the roadmap, and `pr` says {told.life.state}"
    if told.life.state in ("open", "closed") and state.outcome not in _STATES:
        yield f"{state.outcome} in the roadmap, and `pr` says {told.life.state}"
    if told.life.state == UNPROVEN and state.outcome is not Outcome.UNKNOWN:
        yield f"{state.outcome} in the roadmap, and `pr` says {told.life.state}"
    whole, partly, reverted, doubted = (
        told.named("branch", outcome)
        for outcome in ("included", "partly", "reverted", "undetermined")
    )
    if state.outcome is Outcome.MERGED and set(state.branches) != whole:
        yield (
            f"on {sorted(state.branches)} in the roadmap, on {sorted(whole)} by `included`, "
            f"which cannot tell {sorted(doubted)}"
        )
    if whole and state.outcome is not Outcome.MERGED:
        yield f"{state.outcome} in the roadmap, and on {sorted(whole)} by `included`"
    if partly and not whole and state.outcome not in (Outcome.PARTLY, Outcome.UNKNOWN):
        yield f"{state.outcome} in the roadmap, and partly on {sorted(partly)} by `included`"
    if reverted and not whole | partly | doubted and state.outcome is not Outcome.REVERTED:
        yield f"{state.outcome} in the roadmap, and reverted on {sorted(reverted)} by `included`"
    if state.outcome is Outcome.REVERTED and not reverted:
        yield "reverted in the roadmap, and nowhere reverted by `included`"


def roadmap_items(asked: Asked, told: Told) -> Iterator[str]:
    """An item that links one request is delivered where and as the request is."""
    if told.item is None or told.part is None or not told.part.counts or told.life is None:
        return
    if told.part.state.outcome.of_issue or told.life.state == "issue":
        return
    if told.item.status == "delivered":
        if set(told.item.branches) != told.named("branch", "included"):
            yield f"delivered on {told.item.branches}: {told.named('branch', 'included')}"
    elif told.named("branch", "included"):
        yield f"{told.item.status}, and on {told.named('branch', 'included')} by `included`"
    finals = {release.tag for release in asked.releases.view.releases if release.release
              and release.release.final}  # fmt: skip
    inside = told.named("tag", "included") & finals
    if told.item.landed and set(told.item.releases) != inside:
        yield f"in {sorted(told.item.releases)} as an item, in {sorted(inside)} by `included`"


def landings(asked: Asked, told: Told) -> Iterator[str]:
    """What a commit landed is delivered in every answer; what nobody showed to be so is in none."""
    if told.life is None:
        return
    is_delivered = told.number in {entry.number for entry in delivered(asked.report.entries)}
    if is_delivered and told.life.state not in _DELIVERED:
        yield f"delivered in the report, and `pr` says {told.life.state}"
    if told.named("branch", "included") and told.life.state in ("open", "closed", UNPROVEN):
        yield f"on {told.named('branch', 'included')} by `included`, `pr` says {told.life.state}"
    candidate = told.number in {head.number for head in asked.report.candidates}
    if candidate and told.life.state != UNPROVEN:
        yield f"a candidate in the report, and `pr` says {told.life.state}"


STATEMENTS: Final[tuple[Callable[[Asked, Told], Iterator[str]], ...]] = (
    states,
    placements,
    verdicts,
    places,
    standings,
    roadmap_states,
    roadmap_items,
    landings,
)


def contradictions(asked: Asked, told: Iterable[Told] | None = None) -> list[tuple[str, int, str]]:
    """Return what contradicts a statement, with its name and the request's number."""
    return [
        (statement.__name__, one.number, words)
        for one in (asked.requests.values() if told is None else told)
        for statement in STATEMENTS
        for words in statement(asked, one)
    ]


def page_contradictions(asked: Asked, tags: Iterable[str]) -> Iterator[tuple[str, int, str]]:
    """Yield where the page of a release and `included` differ."""
    for tag in tags:
        page = release_page(asked.releases, tag)
        listed: Mapping[int, str] = {
            row.number: name for name, rows in page.lists.items() for row in rows
        }
        for told in asked.requests.values():
            answer = told.places.get(f"refs/tags/{tag}")
            section = listed.get(told.number)
            if section is None or answer is None:
                continue
            outcome = answer.verdict.outcome
            expected = {"new": "included"}.get(section, section)
            if outcome != expected or (section == "new" and answer.verdict.new is False):
                yield "page", told.number, f"{section} on {tag}'s page, {outcome} by `included`"
