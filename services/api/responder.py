"""How every route answers: in the form asked for, with its ETag where it is settled.

A settled answer never changes, for one configuration and one version of the program; others are
not to be kept.
"""

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

from fastapi import Header, Response

from events.identity import derived_id
from services.audit.answer_version import answer_version
from services.config.settings import Settings
from services.documents.forms import MEDIA_TYPES, Forms, render

KnownTag: TypeAlias = Annotated[str | None, Header(alias="If-None-Match")]
"""The ETag of the answer that the caller has."""

_KEPT: Final = {"Cache-Control": "private, max-age=0, must-revalidate"}
_NOT_KEPT: Final = {"Cache-Control": "no-store"}


def respond(forms: Forms, form: str = "json", *, headers: dict[str, str] | None = None) -> Response:
    """Return an answer that is not to be kept; raise InvalidQuestion for a format it has not."""
    kept = _NOT_KEPT if headers is None else headers
    return Response(render(forms, form), media_type=MEDIA_TYPES[form], headers=kept)


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
    if not settled:
        return respond(make(), form)
    tag = f'"{derived_id(*identity, form, settings.digest, answer_version())}"'
    headers = {"ETag": tag, **_KEPT}
    if known_tag is not None and tag in {known.strip() for known in known_tag.split(",")}:
        return Response(status_code=304, headers=headers)
    return respond(make(), form, headers=headers)
