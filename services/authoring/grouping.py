"""Recording how the changes of a draft are grouped, so that later drafts keep to it.

Whoever drafts first and may write records it: commands do, routes never. A draft that is asked at
another T or K than now is recorded by nobody.
"""

from events.identity import RepositoryKey
from events.record import Record
from events.sources.authored import author
from services.answers.editions.edition import Edition
from services.answers.questions.question import EditionQuestion
from services.stream.stores import Stores


def is_of_now(question: EditionQuestion) -> bool:
    """Tell whether a question is asked now, with all that is known."""
    return question.report.as_of is None and question.report.known_at is None


def grouping_records(repo: RepositoryKey, edition: Edition, now: int) -> list[Record]:
    """Return what to append so that the grouping of a draft stays; nothing where it is recorded."""
    return [author(repo, fact, time=now) for fact in edition.unrecorded]


def record_grouping(stores: Stores, edition: Edition) -> tuple[str, ...]:
    """Append how a draft is grouped, where that is new; return the ids of the records.

    Raise TransientError where the log is away.
    """
    records = grouping_records(edition.report.repo, edition, stores.clock())
    if records:
        stores.log.append(records)
    return tuple(record.id for record in records)
