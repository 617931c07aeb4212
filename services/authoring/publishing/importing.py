"""Editions published before Shipledger: their bytes, figures and told numbers become a record."""

from pathlib import Path

from events.errors import InvalidQuestion
from events.facts.editions import EditionPublished
from events.identity import body_digest
from events.instant import Instant
from services.answers.editions.reading import ReadEdition, read_edition
from services.answers.editions.reading_json import read_json
from services.answers.questions.period import Period


def imported_edition(
    path: Path, named: str, period: Period, *, at: Instant, author: str = ""
) -> EditionPublished:
    """Read a file into the statement that it was published.

    Raise InvalidQuestion where it is no edition, or says that it is about another period.
    """
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig")
        json = text.lstrip().startswith("{")
        edition = read_json(text.encode(), named) if json else read_edition(text)
    except OSError as error:
        raise InvalidQuestion(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidQuestion(f"{path} is no edition that can be read: {error}") from error
    _check(edition, period, path)
    return EditionPublished(
        start=period.start,
        end=period.end,
        zone=period.zone,
        at=at,
        title=edition.title,
        text=text,
        digest=body_digest(text.encode()),
        place=path.name,
        language=edition.language,
        shape="seed",
        form="json" if json else path.suffix.lstrip(".") or "txt",
        author=author,
        made_here=False,
        figures=edition.figures,
        excluded=edition.excluded,
        themes=edition.themes,
    )


def _check(edition: ReadEdition, period: Period, path: Path) -> None:
    days = (period.first_day, period.last_day)
    # an edition that tells of a period which was not over names the last day that it knows of
    last = period.last_day if edition.last_day is None else max(edition.last_day, period.last_day)
    if edition.first_day is not None and (edition.first_day, last) != days:
        raise InvalidQuestion(
            f"{path} says that it is about {edition.first_day} through {edition.last_day}; "
            f"asked was {days[0]} through {days[1]}"
        )
    if edition.zone and edition.zone != period.zone:
        raise InvalidQuestion(
            f"{path} has its days in {edition.zone}, and asked was {period.zone}; give --tz"
        )
