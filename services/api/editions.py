"""`GET …/edition`, `…/editions`, `…/curation`: drafts, what was published, what was decided."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from events.errors import InvalidQuestion
from events.facts.editions import Language
from projections.repositories.queries import find
from services.answers.editions.asking import named_question
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.formats import FORMATS, render
from services.answers.questions.question import Shape
from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant
from services.authoring.decisions.listing import decision_documents, edition_documents

_PATH = "/v1/repositories/{owner}/{name}"


def editions_router(context: Context) -> APIRouter:
    """Return the routes; nothing here writes."""
    router = APIRouter(tags=["editions"])

    @router.get(
        f"{_PATH}/edition",
        summary="The edition of a period as it would be published now",
        responses={
            **RESPONSES,
            200: {"content": {media.partition(";")[0]: {} for media in FORMATS.values()}},
        },
        response_class=Response,
    )
    def edition(
        owner: str,
        name: str,
        period: Annotated[str | None, Query(examples=["2026-07"])] = None,
        releases: Annotated[str | None, Query(examples=["v1.2.0..v1.3.0"])] = None,
        tz: Annotated[str | None, Query(examples=["Asia/Shanghai"])] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        language: Language = "en",
        shape: Shape = "seed",
        final: bool = False,
        format: Annotated[str, Query(description="md, txt, html, json or csv")] = "json",
        notes: Annotated[
            bool, Query(description="In md and txt: with the figures to write sentences from")
        ] = False,
    ) -> Response:
        full_name = f"{owner}/{name}"
        zone = context.settings.zone(full_name) if tz is None else tz
        if format not in FORMATS:
            raise InvalidQuestion(f"unknown format {format!r}; there are: {', '.join(FORMATS)}")
        with context.read_model.snapshot() as snapshot:
            question = named_question(
                *(snapshot, context.settings, full_name),
                named=period,
                releases=releases,
                zone=zone,
                as_of=instant(as_of),
                known_at=instant(known_at),
                stage="final" if final else "",
            )
            answer = assemble_edition(snapshot, question, context.histories)
        # themes are recorded when an edition is published; until then a draft may change
        return Response(
            render(answer, format, language, shape, noted=notes),
            media_type=FORMATS[format],
            headers={"Cache-Control": "no-store"},
        )

    @router.get(
        f"{_PATH}/editions", summary="The editions that were published", responses=RESPONSES
    )
    def editions(owner: str, name: str, known_at: KnownAt = None) -> dict[str, object]:
        with context.read_model.snapshot() as snapshot:
            repo = find(snapshot, f"{owner}/{name}").repo
            known = snapshot.watermark(repo).known_at(instant(known_at))
            return {"editions": edition_documents(snapshot, repo, known)}

    @router.get(
        f"{_PATH}/curation", summary="What persons decided about editions", responses=RESPONSES
    )
    def curation(owner: str, name: str, known_at: KnownAt = None) -> dict[str, object]:
        with context.read_model.snapshot() as snapshot:
            repo = find(snapshot, f"{owner}/{name}").repo
            known = snapshot.watermark(repo).known_at(instant(known_at))
            return {"decisions": decision_documents(snapshot, repo, known)}

    return router
