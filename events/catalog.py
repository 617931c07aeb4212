"""Every fact type and every record type of our own, by its published name."""

from typing import Final

from events.facts.base import Fact
from events.facts.curation import MentionDecided, ReleaseAliasDecided
from events.facts.editions import EditionPublished, TellingDecided, ThemesAssigned
from events.facts.files import FilesObserved, FormatsJudged, PatchesIdentified
from events.facts.git import CommitsObserved, RefObserved, ReleaseObserved
from events.facts.issue import CommentObserved, IssueObserved, SubIssueObserved
from events.facts.operations import ConfigurationRecorded, ConflictObserved, Ticked
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import (
    ArchiveRead,
    CensusObserved,
    GapFilled,
    GapObserved,
    RepositoryJoined,
    RepositoryObserved,
)
from events.facts.roadmap import DriftAcknowledged, RoadmapImported, RoadmapItemDecided

#: Name -> type. The names are published (documents, metrics); the classes may move.
FACTS: Final[tuple[tuple[str, type[Fact]], ...]] = (
    ("pull_request.observed", PullRequestObserved),
    ("pull_request.files", FilesObserved),
    ("issue.observed", IssueObserved),
    ("issue.comment", CommentObserved),
    ("issue.sub_issue", SubIssueObserved),
    ("repository.observed", RepositoryObserved),
    ("repository.joined", RepositoryJoined),
    ("repository.census", CensusObserved),
    ("repository.gap", GapObserved),
    ("repository.gap_filled", GapFilled),
    ("repository.archive_read", ArchiveRead),
    ("git.commits", CommitsObserved),
    ("git.ref", RefObserved),
    ("git.formats", FormatsJudged),
    ("git.patches", PatchesIdentified),
    ("release.observed", ReleaseObserved),
    ("release.alias_decided", ReleaseAliasDecided),
    ("commit.mention_decided", MentionDecided),
    ("roadmap.imported", RoadmapImported),
    ("roadmap.item_decided", RoadmapItemDecided),
    ("roadmap.drift_acknowledged", DriftAcknowledged),
    ("period.themes", ThemesAssigned),
    ("edition.telling_decided", TellingDecided),
    ("edition.published", EditionPublished),
    ("log.conflict", ConflictObserved),
    ("log.tick", Ticked),
    ("configuration.recorded", ConfigurationRecorded),
)

FACT_NAMES: Final[dict[type[Fact], str]] = {fact: name for name, fact in FACTS}

if len(FACT_NAMES) != len(FACTS) or len(dict(FACTS)) != len(FACTS):
    raise RuntimeError("events.catalog names a fact twice")
