"""What a release lacks, with the titles of the requests concerned: hints, never verdicts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from projections.pull_requests.attributes import Attributes
from projections.release_inclusion.lacking import FixedLater, Lacking
from projections.release_inclusion.view import ReleaseView
from services.answers.releases.links import number_link
from services.answers.releases.wording import requests, short
from services.answers.reports.wording import title
from services.documents.model import Block, List, Section, Text

TITLE: Final = "What it lacks"


class LackingRequestAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A request that the release before holds and this one does not."""

    number: int
    title: str | None


class RevertedLaterAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A request of the release that the default branch has taken back since."""

    number: int
    title: str | None
    reverted_by: tuple[int, ...]
    commits: tuple[str, ...]


class FixedLaterAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A request of the release, and a change outside of it that says it mends it: a hint."""

    number: int
    title: str | None
    fixed_by: int | None
    commit: str
    sentence: str


class OpenPickAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An open request to the release's branch."""

    number: int
    title: str | None
    picks: tuple[int, ...]


class LackingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a release lacks, as known then; hints for the one who releases."""

    of_predecessor: tuple[LackingRequestAnswer, ...]
    reverted_later: tuple[RevertedLaterAnswer, ...]
    fixed_later: tuple[FixedLaterAnswer, ...]
    open_picks: tuple[OpenPickAnswer, ...]


def numbers_of(lacks: Lacking) -> set[int]:
    """Return the requests whose titles are shown."""
    return {
        *lacks.of_predecessor,
        *(entry.number for entry in lacks.reverted_later),
        *(entry.number for entry in lacks.fixed_later),
        *(entry.number for entry in lacks.open_picks),
    }


def lacking_answer(lacks: Lacking, attributes: Mapping[int, Attributes]) -> LackingAnswer:
    """Return what a release lacks."""

    def named(number: int) -> str | None:
        known = attributes.get(number)
        return known.title if known else None

    return LackingAnswer(
        of_predecessor=tuple(
            LackingRequestAnswer(number=number, title=named(number))
            for number in lacks.of_predecessor
        ),
        reverted_later=tuple(
            RevertedLaterAnswer(
                number=entry.number,
                title=named(entry.number),
                reverted_by=entry.by,
                commits=entry.commits,
            )
            for entry in lacks.reverted_later
        ),
        fixed_later=tuple(
            FixedLaterAnswer(
                number=entry.number,
                title=named(entry.number),
                fixed_by=entry.fix,
                commit=entry.commit,
                sentence=entry.sentence,
            )
            for entry in lacks.fixed_later
        ),
        open_picks=tuple(
            OpenPickAnswer(number=entry.number, title=entry.title or None, picks=entry.picks)
            for entry in lacks.open_picks
        ),
    )


def lacking_section(
    lacks: Lacking,
    attributes: Mapping[int, Attributes],
    *,
    against: str | None,
    default: str,
    base: str | None,
) -> Iterator[Section]:
    """Write what a release lacks; nothing where nothing is known to lack."""

    def line(number: int, tail: str) -> Text:
        return number_link(number, base), f" {title(attributes.get(number))}{tail}"

    parts = {
        f"In {against} and not in it": [line(n, "") for n in lacks.of_predecessor],
        f"Reverted on {default} since": [
            line(entry.number, f" — by {_by(entry.by, entry.commits)}")
            for entry in lacks.reverted_later
        ],
        "Mended by what is not in it, as its authors say": [
            line(entry.number, f" — {_mended(entry)}") for entry in lacks.fixed_later
        ],
        "Open requests to its branch": [
            line(entry.number, f" — picks {requests(entry.picks)}" if entry.picks else "")
            for entry in lacks.open_picks
        ],
    }
    blocks: tuple[Block, ...] = tuple(
        Section(f"{words} ({len(lines):,})", (List(tuple(lines)),))
        for words, lines in parts.items()
        if lines
    )
    if blocks:
        yield Section(TITLE, blocks)


def remarks(lacks: Lacking, view: ReleaseView) -> Iterator[str]:
    """Write in one line each what a release that holds a request lacks about it."""
    default = next(iter(view.history.branches), "the default branch")
    for reverted in lacks.reverted_later:
        yield f"It was reverted on {default} since, by {_by(reverted.by, reverted.commits)}."
    if lacks.fixed_later:
        words = "; ".join(map(_mended, lacks.fixed_later))
        yield f"Not in it, and said to mend it: {words}."


def _by(numbers: Iterable[int], commits: Iterable[str]) -> str:
    return requests(numbers) or ", ".join(f"commit {short(sha)}" for sha in commits)


def _mended(entry: FixedLater) -> str:
    by = f"#{entry.fix}" if entry.fix else f"commit {short(entry.commit)}"
    return f"{by}, “{entry.sentence}”"
