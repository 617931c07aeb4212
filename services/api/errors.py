"""Errors as answers: `{"error": code, "message": what to do}`."""

from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from events.errors import InvalidQuestion, NotFound, TransientError

#: For the OpenAPI description of every route that takes a question.
RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    400: {"description": "The question cannot be answered as asked; the message says how to ask."},
    404: {"description": "Nothing of that name was ever recorded."},
    503: {"description": "The log or the read model is away for the moment; ask again."},
}


def handle_errors(app: FastAPI) -> None:
    """Make the application answer our errors, and its own, in one shape."""

    async def not_found(_: Request, error: Exception) -> Response:
        return _answer(404, "not_found", str(error))

    async def invalid_question(_: Request, error: Exception) -> Response:
        return _answer(400, "invalid_question", str(error))

    async def unreadable(_: Request, error: Exception) -> Response:
        faults = error.errors() if isinstance(error, RequestValidationError) else []
        said = "; ".join(f"{fault['loc'][-1]}: {fault['msg']}" for fault in faults)
        return _answer(400, "invalid_question", f"{said} (see /docs)")

    async def away(_: Request, error: Exception) -> Response:
        cause = error.orig if isinstance(error, OperationalError) else error
        return _answer(503, "unavailable", f"{cause}; ask again in a moment")

    async def of_http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
        return _answer(error.status_code, code, f"{error.detail} (see /docs)")

    app.add_exception_handler(NotFound, not_found)
    app.add_exception_handler(InvalidQuestion, invalid_question)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(TransientError, away)
    app.add_exception_handler(OperationalError, away)
    app.add_exception_handler(HTTPException, of_http)


def _answer(status: int, code: str, message: str) -> Response:
    return JSONResponse({"error": code, "message": message}, status)
