"""A peer of bench_deliveries.py: the least that FastAPI does for a webhook. Nothing is stored."""

import os
import socket

import uvicorn
from fastapi import FastAPI, Request, Response

from services.intake.webhooks.signature import Secrets

_secrets = Secrets([os.environ["SHIPLEDGER_WEBHOOK_SECRET"]])
app = FastAPI(openapi_url=None)


@app.post("/webhooks/github")
async def receive(request: Request) -> Response:
    """Verify the signature of a delivery."""
    body = await request.body()
    fits = _secrets.verify(body, request.headers.get("x-hub-signature-256", ""))
    return Response(status_code=202 if fits else 403)


def main() -> None:
    """Serve, and print the address."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(512)
    print(f"listening on http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, log_config=None, access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
