"""What every answer on releases says of its question."""

from typing import Any

import msgspec

from services.answers.releases.context import ResolvedQuestion
from services.answers.reports.answer import RepositoryAnswer
from services.answers.reports.wording import rfc3339


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Of which repository, and as of when on both clocks."""

    repository: RepositoryAnswer
    as_of: str | None
    known_at: str | None
    settled: bool


def asked_fields(asked: ResolvedQuestion) -> dict[str, Any]:
    """Return the fields with which every answer about releases and roadmaps begins."""
    repository = RepositoryAnswer(
        name=asked.full_name, key=asked.repo, default_branch=asked.default_branch or None
    )
    begin = Asked(
        repository=repository,
        as_of=rfc3339(asked.as_of),
        known_at=rfc3339(asked.known_at),
        settled=asked.settled,
    )
    return msgspec.structs.asdict(begin)
