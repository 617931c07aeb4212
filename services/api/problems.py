"""Errors as answers: `{"error": code, "message": what to do}`."""

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from events.errors import BrokenReadModel, InvalidQuestion, NotFound, TransientError
from services.api.schemas import Problem
from services.documents import json
from services.documents.forms import MEDIA_TYPES


def handle_errors(app: FastAPI) -> None:
    """Make the application answer our errors, and its own, in one shape."""

    async def not_found(_: Request, error: Exception) -> Response:
        return _answer(404, "not_found", str(error))

    async def invalid_question(_: Request, error: Exception) -> Response:
        return _answer(400, "invalid_question", str(error))

    async def unreadable(_: Request, error: Exception) -> Response:
        faults = error.errors() if isinstance(error, RequestValidationError) else []
        message = "; ".join(f"{fault['loc'][-1]}: {fault['msg']}" for fault in faults)
        return _answer(400, "invalid_question", f"{message} (see /docs)")

    async def away(_: Request, error: Exception) -> Response:
        cause = error.orig if isinstance(error, OperationalError) else error
        return _answer(503, "unavailable", f"{cause}; ask again in a moment")

    async def damaged(_: Request, error: Exception) -> Response:
        return _answer(503, "read_model_damaged", str(error))

    async def of_http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
        return _answer(error.status_code, code, f"{error.detail} (see /docs)")

    app.add_exception_handler(NotFound, not_found)
    app.add_exception_handler(InvalidQuestion, invalid_question)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(TransientError, away)
    app.add_exception_handler(BrokenReadModel, damaged)
    app.add_exception_handler(OperationalError, away)
    app.add_exception_handler(HTTPException, of_http)


def _answer(status: int, code: str, message: str) -> Response:
    problem = Problem(error=code, message=message)
    return Response(json.render(problem), status, media_type=MEDIA_TYPES["json"])
