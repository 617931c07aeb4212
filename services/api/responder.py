"""How every route answers: in the form asked for, with its ETag where it is settled.

A settled answer never changes, for one configuration and one version of the program; others are
not to be kept.
"""

from collections.abc import Callable
from typing import Final

from fastapi import Response

from events.identity import derived_id
from services.audit.answer_version import answer_version
from services.config.settings import Settings
from services.documents.forms import MEDIA_TYPES, Forms, render

_KEPT: Final = {"Cache-Control": "private, max-age=0, must-revalidate"}
_NOT_KEPT: Final = {"Cache-Control": "no-store"}


def respond(forms: Forms, form: str = "json") -> Response:
    """Return an answer that is not to be kept; raise InvalidQuestion for a format it has not."""
    text = render(forms, form)
    return Response(text, media_type=MEDIA_TYPES[form], headers=_NOT_KEPT)


def respond_settled(
    settings: Settings,
    make: Callable[[], Forms],
    form: str,
    *,
    settled: bool,
    identity: tuple[str | int, ...],
    known_tag: str | None,
) -> Response:
    """Return an answer, or 304 where it is settled and the caller has it; only then not made.

    `identity` is the question with its T and K; the form, the configuration and the answer version
    are added here.
    """
    return settled_text(
        settings,
        lambda: render(make(), form),
        MEDIA_TYPES[form],
        settled=settled,
        identity=(*identity, form),
        known_tag=known_tag,
    )


def settled_text(
    settings: Settings,
    make: Callable[[], str],
    media_type: str,
    *,
    settled: bool,
    identity: tuple[str | int, ...],
    known_tag: str | None,
) -> Response:
    """Return a text as `respond_settled` returns an answer."""
    if not settled:
        return Response(make(), media_type=media_type, headers=_NOT_KEPT)
    tag = f'"{derived_id(*identity, settings.digest, answer_version())}"'
    headers = {"ETag": tag, **_KEPT}
    if known_tag is not None and tag in {etag.strip() for etag in known_tag.split(",")}:
        return Response(status_code=304, headers=headers)
    return Response(make(), media_type=media_type, headers=headers)
