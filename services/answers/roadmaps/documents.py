"""Answers about roadmaps as plain values for JSON."""

from collections.abc import Iterable
from typing import Any

from projections.roadmap_status.context import RoadmapContext, RoadmapView, ViewedItem
from projections.roadmap_status.drift.drift import Drift
from projections.roadmap_status.drift.release_holds import Extent
from projections.roadmap_status.editions.identity import Match
from projections.roadmap_status.lineage import Step, Thread
from projections.roadmap_status.progress import ChangeLog, Point
from projections.roadmap_status.release_matrix import Row
from projections.roadmap_status.status.facts import Landing
from projections.roadmap_status.status.parts import Part
from projections.roadmap_status.status.status import Status
from services.answers.reports.wording import rfc3339
from services.answers.roadmaps.asking import RoadmapAnswers


def listing(table: RoadmapAnswers) -> dict[str, Any]:
    """Return which roadmaps there are."""
    desk = table.desk
    return {
        **table.asked.document(),
        "roadmaps": [
            {
                "number": one.number,
                "title": one.title,
                "state": None if one.state is None else one.state.value,
                "editions": len(desk.walk(one.number)),
            }
            for one in desk.roadmaps
        ],
    }


def board(table: RoadmapAnswers, shown: RoadmapView) -> dict[str, Any]:
    """Return a roadmap with all its items."""
    version = shown.edition.version
    return {
        **table.asked.document(),
        "roadmap": {
            "number": shown.roadmap.number,
            "title": version.title or shown.roadmap.title,
            "edition_at": rfc3339(version.at),
            "edition_record": version.record_id,
            "edition_reconstructed": version.reconstructed,
            "text_digest": version.text,
            "tested_on": table.desk.drift_context.default,
        },
        "items": [item(table.desk, one) for one in shown.items],
        "cautions": [
            {"line": one.line, "about": one.about.value} for one in shown.edition.roadmap.cautions
        ],
    }


def item(desk: RoadmapContext, one: ViewedItem) -> dict[str, Any]:
    """Return one item."""
    judged = one.judged
    shown, claim = judged.match.item, judged.match.item.claim
    releases = [held.release.tag for held in _holdings(desk, one)]
    return {
        "id": judged.id,
        "parent": judged.match.parent,
        "title": shown.title,
        "section": list(shown.section),
        "line": shown.line,
        "claim": {
            "state": claim.state.value,
            "text": claim.text,
            "branches": list(claim.branches),
            "releases": [{"name": r.name, "target": r.target} for r in claim.releases],
            "box": None if claim.box is None else claim.box.value,
            "tested_on": desk.drift_context.default
            if claim.state.done and not claim.branches
            else None,
        },
        **_status(judged.status),
        "releases": releases,
        "links": [link(part) for part in judged.parts],
        "drift": [drift(each) for each in one.drift],
        "hints": [{"kind": hint.kind.value, "about": list(hint.about)} for hint in one.hints],
        "evidence": evidence(one),
        "recognised": recognised(judged.match),
        "owners": list(shown.owners),
    }


def link(part: Part) -> dict[str, Any]:
    """Return a link with its role and the state of what it leads to."""
    state = part.state
    return {
        "link": part.name,
        "kind": part.link.kind.value,
        "role": part.role.value,
        "state": state.outcome.value,
        "branches": list(state.branches),
        "since": rfc3339(state.since),
        "title": part.title or None,
        "note": part.link.note or None,
        "decided_by": part.decided.author if part.decided else None,
        "record": state.record_id or None,
    }


def drift(one: Drift) -> dict[str, Any]:
    """Return one drift."""
    quiet = one.acknowledged
    return {
        "kind": one.kind.value,
        "severity": one.kind.severity,
        "text": one.text,
        "links": list(one.links),
        "since": rfc3339(one.since),
        "record": one.record_id or None,
        "digest": one.digest,
        "acknowledged": None
        if quiet is None
        else {
            "author": quiet.author,
            "reason": quiet.reason,
            "at": rfc3339(quiet.decided_at),
            "expires_at": rfc3339(quiet.expires_at),
        },
    }


def evidence(one: ViewedItem) -> list[str]:
    """Return the records that decided the status and the drift of an item."""
    records = [one.judged.status.record_id]
    records += (part.state.record_id for part in one.judged.counted)
    records += (each.record_id for each in one.drift)
    return [record for record in dict.fromkeys(records) if record]


def recognised(match: Match) -> dict[str, Any]:
    """Return why an item has its id."""
    return {
        "method": match.method.value,
        "score": match.score,
        "before": match.before or None,
        "shared_links": list(match.shared),
        "split_from": match.split_from,
    }


def change_log(table: RoadmapAnswers, log: ChangeLog) -> dict[str, Any]:
    """Return what changed between two moments."""
    before = log.before.version if log.before is not None else None
    return {
        **table.asked.document(),
        "from_edition": None if before is None else rfc3339(before.at),
        "to_edition": rfc3339(log.after.version.at),
        "editions": log.editions,
        "changes": [
            {
                "id": one.id,
                "title": one.title,
                "kind": one.kind.value,
                "before": one.before or None,
                "after": one.after or None,
            }
            for one in log.changes
        ],
    }


def series(table: RoadmapAnswers, points: Iterable[Point]) -> dict[str, Any]:
    """Return a roadmap at many moments."""
    return {
        **table.asked.document(),
        "points": [
            {
                "at": rfc3339(one.at),
                "items": one.items,
                "statuses": {kind.value: n for kind, n in sorted(one.statuses.items())},
                "claims": dict(sorted(one.claims.items())),
            }
            for one in points
        ],
    }


def lineage(
    table: RoadmapAnswers, chain: Iterable[Step], threads: Iterable[Thread]
) -> dict[str, Any]:
    """Return how roadmaps follow each other, and what slipped how often."""
    return {
        **table.asked.document(),
        "steps": [
            {
                "from": one.old,
                "to": one.new,
                "words": one.words,
                "record": one.named_by,
                "carried": len(one.carried.carried),
                "slipped": sum(each.slipped for each in one.carried.carried),
                "left_done": list(one.carried.left_done),
                "left_open": list(one.carried.left_open),
                "fresh": list(one.carried.fresh),
            }
            for one in chain
        ],
        "threads": [
            {
                "title": one.title,
                "slipped": one.slipped,
                "places": [{"roadmap": number, "item": own} for number, own in one.places],
            }
            for one in threads
        ],
    }


def matrix(table: RoadmapAnswers, rows: Iterable[Row]) -> dict[str, Any]:
    """Return items by releases."""
    return {
        **table.asked.document(),
        "items": [
            {
                "id": row.item.judged.id,
                "title": row.item.judged.match.item.title,
                "status": row.item.judged.status.kind.value,
                "landed": [landing(one) for one in row.landings],
                "first_release": row.first.tag if row.first is not None else None,
                "after_cut_of": row.after.tag if row.after is not None else None,
                "releases": {one.release.tag: one.extent.value for one in row.holdings},
            }
            for row in rows
        ],
    }


def landing(one: Landing) -> dict[str, Any]:
    """Return when a branch had got something."""
    return {"branch": one.branch, "at": rfc3339(one.at), "commit": one.commit or None}


def _status(status: Status) -> dict[str, Any]:
    return {
        "status": status.kind.value,
        "basis": status.basis.value,
        "draft": status.draft,
        "branches": list(status.branches),
        "scattered": status.scattered,
        "since": rfc3339(status.since),
        "because": list(status.because),
        "left": list(status.left),
        "at_least": status.at_least,
        "landed": [landing(one) for one in status.landings],
    }


def _holdings(desk: RoadmapContext, one: ViewedItem) -> list[Any]:
    if not one.judged.status.landings:
        return []
    found = desk.drift_context.releases.of(one.judged.counted)
    return [each for each in found if each.extent is Extent.WHOLE]
