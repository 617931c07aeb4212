"""Settled answers and their ETag: question, T, K, configuration, answer version.

A settled answer never changes, for one configuration and one version of the program; others are
not to be kept.
"""

from collections.abc import Callable
from typing import Final

from fastapi import Response

from events.identity import derived_id
from services.audit.answer_version import answer_version
from services.config.settings import Settings

_KEPT: Final = "private, max-age=0, must-revalidate"


def respond(
    settings: Settings,
    render: Callable[[], str],
    *,
    media_type: str,
    settled: bool,
    identity: tuple[str | int, ...],
    known_tag: str | None,
) -> Response:
    """Return an answer, or 304 where it is settled and the caller has it; only then not rendered.

    `identity` is the question with its T and K.
    """
    if not settled:
        headers = {"Cache-Control": "no-store"}
        return Response(render(), media_type=media_type, headers=headers)
    tag = f'"{derived_id(*identity, settings.digest, answer_version())}"'
    headers = {"ETag": tag, "Cache-Control": _KEPT}
    if known_tag is not None and tag in {each.strip() for each in known_tag.split(",")}:
        return Response(status_code=304, headers=headers)
    return Response(render(), media_type=media_type, headers=headers)
