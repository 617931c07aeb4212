"""What of a release's page is asked for: filters, and the folder that comes first."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

import msgspec
from msgspec.structs import replace

from projections.release_inclusion.answers import ReleaseContents
from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.queries import has_folder, paths_of
from services.answers.releases.context import ReleaseContext

#: What a page lists of requests, in its order: name of the list -> heading.
SECTIONS = {
    "new": "New",
    "removed": "Removed",
    "reverted": "Reverted before this release",
    "partly": "Partly in",
    "undetermined": "Cannot be told",
}


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown of a release: requests with such a path (a glob), with such a label."""

    path: str | None = None
    label: str | None = None


class Folder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder of the repository, and what is listed and touches it: requests, and commits."""

    path: str
    numbers: frozenset[int]
    commits: frozenset[str]


def filtered(
    context: ReleaseContext, page_contents: ReleaseContents, shown: Filter
) -> tuple[ReleaseContents, list[str]]:
    """Return what passes the filter, and what has to be said of it."""
    notes = []
    if shown.label is not None:
        attributes = context.attributes(listed_numbers(page_contents))
        wanted = shown.label

        def has_label(number: int) -> bool:
            known = attributes.get(number)
            return known is not None and wanted in known.labels

        page_contents = _keep(page_contents, has_label)
        notes.append("Commits without a request have no labels, and are all listed.")
    if shown.path is not None:
        touched, unread = _touching(context, page_contents, shown.path)
        carriers = context.view.history.carriers
        page_contents = _keep(
            page_contents, lambda n: any(c.sha in touched for c in carriers.of(n))
        )
        page_contents = replace(
            page_contents, unattributed=tuple(s for s in page_contents.unattributed if s in touched)
        )
        if unread:
            notes.append(f"The paths of {unread} commits were not read; those are kept.")
    return page_contents, notes


def listed_numbers(page_contents: ReleaseContents) -> set[int]:
    """Return the requests that a page lists."""
    listed = {v.number for section in SECTIONS for v in getattr(page_contents, section)}
    return listed | {*page_contents.carriers}


def _keep(page_contents: ReleaseContents, holds: Callable[[int], bool]) -> ReleaseContents:
    sections: dict[str, Any] = {
        section: tuple(v for v in getattr(page_contents, section) if holds(v.number))
        for section in SECTIONS
    }
    return replace(page_contents, carriers=tuple(filter(holds, page_contents.carriers)), **sections)


def _touching(
    context: ReleaseContext, page_contents: ReleaseContents, pattern: str
) -> tuple[set[str], int]:
    """Return the commits with such a path, with those whose paths nobody read, and their count."""
    carriers, asked = context.view.history.carriers, context.asked
    shas = {c.sha for number in listed_numbers(page_contents) for c in carriers.of(number)}
    shas |= {*page_contents.unattributed}
    paths = paths_of(context.snapshot, asked.repo, shas, asked.known_at)
    touching = {
        sha
        for sha, commit_paths in paths.items()
        if any(_matches(p, pattern) for p in commit_paths)
    }
    unread = shas - paths.keys()
    return touching | unread, len(unread)


def _matches(path: str, pattern: str) -> bool:
    """Tell whether a path is the pattern, matches it, or lies in a folder of that name."""
    return fnmatchcase(path, pattern) or path.startswith(f"{pattern.rstrip('/')}/")


def folder_of(
    context: ReleaseContext, release: KnownRelease, page_contents: ReleaseContents
) -> tuple[Folder | None, tuple[str, ...]]:
    """Return the folder that a tag is named after, and what has to be said of it."""
    path = release.tag[: release.tag.rfind("/") + 1]
    asked = context.asked
    if not path or not has_folder(context.snapshot, asked.repo, path, asked.known_at):
        return None, ()
    carriers = context.view.history.carriers
    shas = {c.sha for number in listed_numbers(page_contents) for c in carriers.of(number)}
    shas |= {*page_contents.unattributed}
    paths = paths_of(context.snapshot, asked.repo, shas, asked.known_at)
    touching = frozenset(
        sha for sha, changed in paths.items() if any(name.startswith(path) for name in changed)
    )
    touched = frozenset(
        number
        for number in listed_numbers(page_contents)
        if any(carrier.sha in touching for carrier in carriers.of(number))
    )
    unread = len(shas - paths.keys())
    notes = (f"The paths of {unread} commits were not read; they count as elsewhere.",)
    folder = Folder(path=path, numbers=touched, commits=touching)
    return folder, notes if unread else ()


def first_inside(page_contents: ReleaseContents, folder: Folder) -> ReleaseContents:
    """Put what touches a folder before the rest of each list."""
    sections: dict[str, Any] = {
        section: tuple(
            sorted(getattr(page_contents, section), key=lambda v: v.number not in folder.numbers)
        )
        for section in SECTIONS
    }
    plain = sorted(page_contents.unattributed, key=lambda sha: sha not in folder.commits)
    return replace(page_contents, unattributed=tuple(plain), **sections)
