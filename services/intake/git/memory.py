"""What of a repository's git history is in the log already. The log is the only memory."""

from typing import Final

from events.facts.files import FormatsJudged, PatchesIdentified
from events.facts.git import RefObserved
from events.facts.repository import GapFilled, GapObserved
from events.identity import RepositoryKey
from events.instant import Instant
from events.log.irregular import is_redacted
from events.log.port import Log
from events.record import Record
from events.sources import authored, git_contents
from events.sources.git_contents import FORMATS_TYPE, PATCHES_TYPE
from events.sources.git_history import (
    COMMITS_TYPE,
    REFS_TYPE,
    CommitsBody,
    RefsBody,
    read_body,
)
from services.intake.git.ref_dates import RefDates
from services.logs.walk import entries

SHALLOW_REASON: Final = "shallow clone: history before its oldest commits is not in it"

_OF_GAPS: Final = frozenset({"shipledger.gap", "shipledger.gap_filled"})
_OF_CONTENTS: Final = frozenset({FORMATS_TYPE, PATCHES_TYPE})
_TYPES: Final = frozenset({COMMITS_TYPE, REFS_TYPE})


class Imported:
    """The newest statement of the log about each commit and each ref of one repository, and what
    others (webhooks) said of when refs changed.
    """

    def __init__(self) -> None:
        self.branch_of: dict[str, str | None] = {}
        self.without_paths: set[str] = set()
        self.refs: dict[str, RefObserved] = {}
        self.full_name: str | None = None
        self.default_branch: str | None = None
        self.fetched_at: Instant | None = None
        """When the clone was last read and something had changed."""
        self.last_id: dict[str, str] = {}
        """The newest record id by record type: the next one is derived from it."""
        self.dates = RefDates()
        self.open_gaps: set[str] = set()
        """Records that named a gap which a deeper clone fills."""
        self.judged: set[tuple[str, str]] = set()
        """Commits whose formats were judged, by the version of the rules."""
        self.identified: set[tuple[str, str, str | None]] = set()
        """Differences that have a patch id, by method: commit, and since which one."""

    def add(self, record: Record) -> None:
        """Take in a record of the repository, of any kind, in the log's order."""
        if record.type in _OF_GAPS:
            self._add_gap(record)
            return
        if record.type in _OF_CONTENTS:
            self._add_contents(record)
            return
        if record.type not in _TYPES:
            self.dates.add(record)
            return
        if is_redacted(record):  # what it said is said again, if git still has it
            self.last_id[record.type] = record.id
            return
        body = read_body(record)
        if isinstance(body, CommitsBody):
            self._add_commits(body)
        elif isinstance(body, RefsBody):
            self._add_refs(body)
        self.last_id[record.type] = record.id

    def _add_gap(self, record: Record) -> None:
        facts = authored.translate(record)
        for fact in () if isinstance(facts, str) else facts:
            if isinstance(fact, GapObserved) and fact.reason == SHALLOW_REASON:
                self.open_gaps.add(record.id)
            elif isinstance(fact, GapFilled):
                self.open_gaps.discard(fact.gap)

    def _add_contents(self, record: Record) -> None:
        if is_redacted(record):
            return
        for fact in git_contents.translate(record) or ():
            if isinstance(fact, FormatsJudged):
                self.judged.update((fact.rules, judgement.sha) for judgement in fact.judgements)
            elif isinstance(fact, PatchesIdentified):
                self.identified.update(
                    (fact.method, patch.sha, patch.since) for patch in fact.patches
                )

    def _add_commits(self, body: CommitsBody) -> None:
        for commit in body.commits:
            self.branch_of[commit.sha] = commit.branch
            if commit.paths is None:
                self.without_paths.add(commit.sha)
            else:
                self.without_paths.discard(commit.sha)

    def _add_refs(self, body: RefsBody) -> None:
        self.full_name = body.full_name
        self.default_branch = body.default_branch
        self.fetched_at = body.fetched_at
        self.refs.update((ref.ref, ref) for ref in body.refs)


def recall(log: Log, repository: RepositoryKey, partition: str) -> Imported:
    """Read back what was imported of a repository from the partition that holds its records."""
    imported = Imported()
    for record in (entry.record for entry in entries(log, partition)):
        if record.repository == repository:
            imported.add(record)
    return imported
