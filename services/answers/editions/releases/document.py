"""Release editions for machines: the two releases, and what is told of them in every language."""

import json
from typing import Any

from services.answers.editions.edition import Edition
from services.answers.editions.releases.content import DOUBTFUL, ReleaseContent
from services.answers.editions.releases.wording import heading, remarks
from services.answers.editions.render.json_document import edition_keys
from services.answers.editions.words import LANGUAGES
from services.answers.releases import release_documents
from services.answers.releases.release_page import Row
from services.answers.reports.render.exclusion_json import classified, reconciliation_document
from services.answers.reports.wording import rfc3339


def render(edition: Edition, content: ReleaseContent) -> str:
    """Render as JSON, keys in a fixed order."""
    return json.dumps(document(edition, content), ensure_ascii=False, indent=2) + "\n"


def document(edition: Edition, content: ReleaseContent) -> dict[str, Any]:
    """Return a release edition as plain values."""
    report, page = edition.report, release_documents.release_page(content.page)
    exclusions = report.exclusions
    return {
        "repository": page["repository"],
        "as_of": page["as_of"],
        "known_at": page["known_at"],
        "caught_up_at": rfc3339(report.caught_up_at),
        "settled": page["settled"],
        "releases": {
            "first": release_documents.subject(content.first),
            "second": release_documents.subject(content.second),
            "asked": list(content.labels),
            "relation": {
                "first_is": content.relation.kind,
                "part_at": list(content.relation.bases),
                "only_in_first": content.relation.only_first,
                "only_in_second": content.relation.only_second,
            },
        },
        "complete": page["complete"],
        "missing": page["missing"],
        "notes": list(content.notes),
        "counts": _counts(edition, content),
        "quality": {"brought": content.quality},
        "rules": exclusions.digest,
        "exclusions": {kind: exclusions.total(kind) for kind in exclusions.table},
        "excluded_requests": [
            classified(each) for each in exclusions.requests.values() if each.verdict.excluded
        ],
        "kept_without_proof": [
            {"number": each.number, "files": each.verdict.doubt} for each in exclusions.doubtful
        ],
        "reconciliation": _reconciliation(edition),
        "title": {language: heading(edition, content, language) for language in LANGUAGES},
        **edition_keys(edition),
        "brought": [_brought(content, row) for row in content.rows.values()],
        "not_plainly_delivered": {
            name: [release_documents.row(one) for one in content.doubtful[name]]
            for name in DOUBTFUL
        },
        "carriers": page["carriers"],
        "unattributed": page["unattributed"],
        "ports": page["ports"],
    }


def _counts(edition: Edition, content: ReleaseContent) -> dict[str, int]:
    parts = edition.reconciliation
    return {
        **content.counts,
        "told": len(parts.told),
        "twins": len(parts.twins),
        "excluded": sum(map(len, parts.excluded.values())),
        "not_told": len(parts.not_told),
        "carriers": len(content.page.carriers),
        "unattributed": len(content.page.unattributed),
    }


def _reconciliation(edition: Edition) -> dict[str, Any]:
    shown = reconciliation_document(edition.reconciliation)
    return {"brought": shown.pop("merged"), **shown}


def _brought(content: ReleaseContent, row: Row) -> dict[str, Any]:
    said = {language: list(remarks(content, row.number, language)) for language in LANGUAGES}
    return {**release_documents.row(row), "remarks": said}
