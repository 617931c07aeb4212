"""The webhook address, and the way of one delivery: headers, body, signature, routing, durable
append, answer.

2xx means durable (or, for kinds that nothing uses, counted by intent). Everything else leaves
nothing half-written, says what to do, and is counted.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog
from fastapi import APIRouter, Request, Response

from events.errors import InvalidEvent, LogUnavailable
from events.log.port import Appended, Clock, Log
from events.record import Record
from events.sources.github_webhook import KNOWN_ACTIONS, Routing, is_known, read_routing
from services.intake.webhooks.answers import Refusal, Taken, Unavailable, answer, refuse
from services.intake.webhooks.belonging import Belonging, KeyOf, bad_signature
from services.intake.webhooks.body import BodyReader, Streamed, TooLarge
from services.intake.webhooks.delivery import (
    Headers,
    delivery_host,
    delivery_record,
    read_headers,
)
from services.intake.webhooks.limits import Limits, Policy
from services.intake.webhooks.losses import Outage, OversizeGaps
from services.intake.webhooks.signature import Secrets
from services.intake.webhooks.writer import BatchWriter
from services.runtime.telemetry.metrics import Metrics

WEBHOOK_PATH: Final = "/webhooks/github"
#: Bodies above this are hashed and parsed in a thread, so that others need not wait for them.
_LARGE: Final = 64 * 1024

_logger = structlog.get_logger(__name__)


class Ingest:
    """Receives deliveries; `start` before the first one, `close` after the last."""

    def __init__(
        self,
        *,
        log: Log,
        clock: Clock,
        secrets: Secrets,
        metrics: Metrics,
        limits: Limits | None = None,
        policy: Policy | None = None,
        lacking_room: Callable[[], str | None] = lambda: None,
        key_of: KeyOf = lambda _: None,
    ) -> None:
        """`lacking_room` says why nothing more can be taken now, None while there is room."""
        self._lacking_room = lacking_room
        self._limits = limits or Limits()
        self._clock = clock
        self._secrets = secrets
        self._belonging = Belonging(secrets, key_of)
        self._metrics = metrics
        self._policy = policy or Policy()
        self._bodies = BodyReader(self._limits)
        self._writer = BatchWriter(log, self._limits, metrics)
        self._gaps = OversizeGaps(self._limits.gap_seconds)
        self._outage = Outage(metrics)

    def start(self) -> None:
        """Begin to append; warn where anybody may send."""
        if self._secrets.insecure:
            _logger.warning("ingest.insecure", advice="set SHIPLEDGER_WEBHOOK_SECRET")
        self._writer.start()

    def close(self) -> None:
        """Append what waits, and what was counted of oversized bodies."""
        for record in self._gaps.rest(self._clock()):
            self._writer.leave(record)
        self._writer.close()

    async def receive(self, request: Streamed) -> Response:
        """Answer one request."""
        deadline = asyncio.get_running_loop().time() + self._limits.answer_seconds
        headers: Headers | None = None
        try:
            headers = read_headers(request.headers)
            body = await self._bodies.read(request, is_form=headers.is_form, deadline=deadline)
            try:
                return await self._accept(headers, body, deadline)
            finally:
                self._bodies.release(body)
        except Refusal as refusal:
            self._refused(refusal, headers)
            return refuse(refusal, None if headers is None else headers.delivery)
        except Exception:  # the edge of the process: the sender gets an answer, we get the trace
            _logger.exception("delivery.failed")
            fault = Refusal(500, "internal_error", "This is a fault of Shipledger; see its log.")
            self._refused(fault, headers)
            return refuse(fault, None if headers is None else headers.delivery)

    async def _accept(self, headers: Headers, body: bytes, deadline: float) -> Response:
        if len(body) > _LARGE:
            routing = await asyncio.to_thread(self._examine, headers, body)
        else:
            routing = self._examine(headers, body)
        self._gaps.know(delivery_host(routing, headers))
        self._metrics.delivery_bytes.inc(len(body))
        if not self._policy.stores(headers.event):
            return self._accepted(headers, 202, "not_stored")
        record = delivery_record(headers, routing, body, self._clock())
        appended = await self._store(record, deadline)
        self._remark_on(headers, routing, record)
        return self._accepted(headers, 202 if appended.outcome == "stored" else 200, appended)

    def _examine(self, headers: Headers, body: bytes) -> Routing:
        """Verify the signature, and only then read anything of the body: where it belongs."""
        if self._secrets.insecure:
            return _route(headers, body)
        if headers.signature is None:
            raise Refusal(401, "missing_signature", "Set a secret at the webhook's settings.")
        fitting = self._secrets.fitting(body, headers.signature)
        if not fitting:
            raise bad_signature()
        routing = _route(headers, body)
        self._belonging.check(fitting, headers, routing)
        return routing

    async def _store(self, record: Record, deadline: float) -> Appended:
        wait = self._limits.retry_after_seconds
        lacking = self._lacking_room()
        if lacking is not None:
            message = f"There is no room ({lacking}); redeliver this when it has recovered."
            raise Unavailable("queue_full", message, retry_after=wait)
        try:
            pending = self._writer.submit(record)
            try:
                async with asyncio.timeout_at(deadline):
                    return await pending
            finally:
                if pending.cancelled():
                    self._writer.withdraw(pending)
        except TimeoutError:
            message = "The log was too slow; redeliver this when it has recovered."
            raise Unavailable("log_too_slow", message, retry_after=wait) from None
        except LogUnavailable as error:
            message = f"The log did not take it ({error}); redeliver this when it has recovered."
            raise Unavailable("log_unavailable", message, retry_after=wait) from error

    def _accepted(self, headers: Headers, status: int, stored: Appended | str) -> Response:
        outcome = stored if isinstance(stored, str) else stored.outcome
        self._count(headers, outcome)
        _logger.info(
            "delivery.accepted", delivery=headers.delivery, kind=headers.event, outcome=outcome
        )
        if isinstance(stored, str):
            return answer(status, Taken(outcome=outcome, delivery=headers.delivery))
        content = Taken(
            outcome=outcome,
            delivery=headers.delivery,
            partition=stored.partition,
            position=stored.position,
        )
        return answer(status, content)

    def _count(self, headers: Headers, outcome: str) -> None:
        event = self._metrics.bounded("event", headers.event)
        self._metrics.deliveries.labels(event, outcome).inc()

    def _remark_on(self, headers: Headers, routing: Routing, record: Record) -> None:
        """Count what is stored but not understood or not expected."""
        metrics, event, action = self._metrics, headers.event, routing.action
        if not is_known(event):
            metrics.unknown_events.labels(metrics.bounded("event", event)).inc()
        elif event in KNOWN_ACTIONS and action not in KNOWN_ACTIONS[event]:
            label = metrics.bounded("action", action or "")
            metrics.unknown_actions.labels(event, label).inc()
        has_repository = routing.repository_id is not None
        if has_repository and not self._policy.is_tracked(record.repository, routing.full_name):
            metrics.untracked.labels(metrics.bounded("repository", record.repository)).inc()
            _logger.warning(
                "delivery.untracked", repository=record.repository, full_name=routing.full_name
            )

    def _refused(self, refusal: Refusal, headers: Headers | None) -> None:
        self._metrics.rejections.labels(refusal.code).inc()
        delivery = None if headers is None else headers.delivery
        _logger.warning("delivery.refused", delivery=delivery, reason=refusal.code)
        if isinstance(refusal, TooLarge) and headers is not None:
            due = self._gaps.refused(headers.host, self._clock())
            if due is not None:
                self._writer.leave(due)
        if isinstance(refusal, Unavailable) and headers is not None:
            self._count(headers, "unavailable")
            self._outage.noticed(self._clock())


def _route(headers: Headers, body: bytes) -> Routing:
    try:
        return read_routing(headers.event, headers.content_type, body)
    except InvalidEvent as error:
        raise Refusal(400, "malformed_body", f"The body cannot be read: {error}.") from error


def webhook_router(ingest: Ingest) -> APIRouter:
    """Return the route; whoever mounts it starts and closes `ingest`."""
    router = APIRouter(tags=["webhooks"])

    @router.post(
        WEBHOOK_PATH, summary="Receive one GitHub webhook delivery", response_class=Response
    )
    async def receive(request: Request) -> Response:
        return await ingest.receive(request)

    return router
