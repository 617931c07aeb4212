"""Releases as plain values for JSON."""

from typing import Any

from services.answers.releases.documents import carrier, port
from services.answers.releases.listing import ListedRelease, Listing
from services.answers.releases.release_page import SECTIONS, PlainCommit, ReleasePage, Row
from services.answers.releases.subjects import Subject
from services.answers.reports.wording import rfc3339


def listing(found: Listing) -> dict[str, Any]:
    """Return all releases; `new` and `removed` are counts against the release before."""
    return {
        **found.asked.document(),
        "notes": list(found.notes),
        "releases": [_listed(one) for one in found.releases],
    }


def release_page(page: ReleasePage) -> dict[str, Any]:
    """Return one release."""
    return {
        **page.asked.document(),
        "release": subject(page.subject) | {"cut_at": rfc3339(page.cut_at)},
        "against": page.against.name if page.against else None,
        "filter": {"path": page.shown.path, "label": page.shown.label},
        "complete": not page.missing,
        "missing": list(page.missing),
        "notes": list(page.notes),
        "counts": counts(page),
        **{name: [row(one) for one in page.lists[name]] for name in SECTIONS},
        "carriers": [_carrier(one) for one in page.carriers],
        "unattributed": [_commit(one) for one in page.unattributed],
        "ports": [port(one) for one in page.ports],
    }


def counts(page: ReleasePage) -> dict[str, int]:
    """Return how long each list of a page is."""
    return {
        **{name: len(rows) for name, rows in page.lists.items()},
        "carriers": len(page.carriers),
        "unattributed": len(page.unattributed),
    }


def subject(one: Subject) -> dict[str, Any]:
    """Return a tag as it stood at T."""
    release = one.release
    placed = release.release if release else None
    return {
        "tag": one.name,
        "ref": one.ref,
        "aliases": list(release.aliases) if release else [],
        "commit": one.commit,
        "at": rfc3339(one.at),
        "dated_by": one.evidence,
        "record": one.record_id,
        "annotated": release.annotated if release else None,
        "family": placed.family if placed else None,
        "final": placed.final if placed else None,
        "name": release.published.name if release and release.published else None,
        "branch": one.cut.branch if one.cut else None,
        "cut": one.cut.point if one.cut else None,
    }


def _listed(one: ListedRelease) -> dict[str, Any]:
    against = one.counts.against if one.counts else None
    return {
        **subject(one.subject),
        "against": against.tag if against else None,
        "new": one.counts.new if one.counts else None,
        "removed": one.counts.removed if one.counts else None,
        "notes": list(one.subject.notes),
    }


def row(one: Row) -> dict[str, Any]:
    """Return one request of a release, with what decided it."""
    verdict, shown = one.verdict, one.attributes
    assert verdict is not None
    return {
        "number": one.number,
        "title": shown.title if shown else None,
        "author": shown.author if shown else None,
        "labels": list(shown.labels) if shown else [],
        "verdict": verdict.outcome,
        "how": verdict.how,
        "by": list(verdict.by),
        "because": one.because,
        "first_shipped_in": one.first,
        "carriers": [carrier(one) for one in verdict.carriers],
        "evidence": list(verdict.evidence),
    }


def _carrier(row: Row) -> dict[str, Any]:
    shown = row.attributes
    return {
        "number": row.number,
        "title": shown.title if shown else None,
        "brings": list(row.brings),
    }


def _commit(one: PlainCommit) -> dict[str, Any]:
    return {"sha": one.sha, "subject": one.subject, "at": rfc3339(one.at), "record": one.record_id}
