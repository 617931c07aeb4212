"""The repositories that can be asked about, and what is known of each."""

from typing import Any

import msgspec

from events.identity import RepositoryKey
from events.instant import Instant
from projections.period_ledger.queries import reach
from projections.repositories.queries import listing
from projections.store.snapshot import Snapshot
from services.answers.reports.wording import rfc3339


class ListedRepository(msgspec.Struct, frozen=True, kw_only=True):
    """One repository; `first` and `last` are its earliest and latest dated event (None: none)."""

    repo: RepositoryKey
    full_name: str
    default_branch: str
    first: Instant | None
    last: Instant | None
    known_at: Instant

    def document(self) -> dict[str, Any]:
        """Return plain values for JSON; times are RFC 3339 in UTC."""
        return {
            "name": self.full_name,
            "key": self.repo,
            "default_branch": self.default_branch or None,
            "first_event": rfc3339(self.first),
            "last_event": rfc3339(self.last),
            "known_at": rfc3339(self.known_at),
        }


def list_repositories(snapshot: Snapshot) -> list[ListedRepository]:
    """Return every repository of which something was recorded, by name."""
    found = []
    for name in listing(snapshot):
        known_at = snapshot.watermark(name.repo).last_recorded
        first, last = reach(snapshot, name.repo, known_at)
        found.append(
            ListedRepository(
                repo=name.repo,
                full_name=name.full_name,
                default_branch=name.default_branch,
                first=first,
                last=last,
                known_at=known_at,
            )
        )
    return found
