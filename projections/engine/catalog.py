"""Every projection, in the order in which they are listed to people."""

from collections.abc import Callable
from typing import Final

from projections.changed_files.apply import ChangedFiles
from projections.curation.apply import Curation
from projections.pull_requests.apply import PullRequests
from projections.release_inclusion.apply import ReleaseInclusion
from projections.repositories.apply import Repositories
from projections.roadmap_status.apply import RoadmapStatus
from projections.store.base import Projection

#: Name -> maker of one generation.
PROJECTIONS: Final[tuple[tuple[str, Callable[[int], Projection]], ...]] = (
    (PullRequests.name, PullRequests),
    (ChangedFiles.name, ChangedFiles),
    (ReleaseInclusion.name, ReleaseInclusion),
    (Repositories.name, Repositories),
    (RoadmapStatus.name, RoadmapStatus),
    (Curation.name, Curation),
)

if len(dict(PROJECTIONS)) != len(PROJECTIONS):
    raise RuntimeError("projections.engine.catalog names a projection twice")
