"""The optional language model, against a stub on this machine."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from events.errors import ConfigurationError, TransientError
from projections.pull_requests.text_queries import RequestText
from services.text.checking import Cited, faults
from services.text.language_model import LanguageModel, LanguageModelSettings

CITED = (
    Cited(
        number=7,
        title="Fuse the router",
        text=RequestText(
            number=7,
            text="The kernel takes 1.273 ms instead of 12.824 ms on the stated proxy. 4 GPUs.",
            digest="d",
            record_id="r",
        ),
    ),
)

SENTENCES = [
    ("The router is fused.", ()),
    ("On the proxy the kernel fell from 12.824 ms to 1.273 ms.", ()),
    ("The kernel fell from 12.824 ms to 1.273 ms.", ("caveat proxy of #7 is lost",)),
    ("It is 10 times faster.", ("number 10",)),
    ("It is ten times faster.", ("number ten",)),
    ("The proxy takes 1.273 s.", ("figure 1.273 s",)),
    ("The proxy takes \uff11.\uff12\uff17\uff13 ms on 8 GPUs.", ("figure 8 GPUs", "number 8")),
    ("Fused in #7.", ("citation #7 (we attach them)",)),
    ("Fused, see #99.", ("citation #99 (we attach them)",)),
    ("Fused by @somebody.", ("no prose: @s",)),
    ("Fused, [see](https://example.test).", ("no prose: ](", "no prose: https:")),
    ("Latency halves.", ("number halves",)),
]


@pytest.mark.parametrize(("sentence", "found"), SENTENCES, ids=[s for s, _ in SENTENCES])
def test_a_sentence_is_refused_for_what_its_sources_lack(
    sentence: str, found: tuple[str, ...]
) -> None:
    assert faults(sentence, CITED) == found


def test_a_sentence_that_passes_gets_our_citations() -> None:
    with stub(completion("The router\nis fused.")) as (model, asked):
        made = model.sentence("MoE", CITED)
    assert (made.text, made.numbers, made.refused) == ("The router is fused.", (7,), ())
    ((path, headers, body),) = asked
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer key"
    assert body["messages"][1]["content"].count("12.824 ms") == 1


def test_a_refused_sentence_is_none() -> None:
    with stub(completion("It is 99% faster.")) as (model, _):
        made = model.sentence("MoE", CITED)
    assert made.text is None
    assert made.refused == ("figure 99%", "number 99")


@pytest.mark.parametrize(
    ("status", "body"), [(500, b"{}"), (302, b""), (200, b"no json"), (200, b'{"choices": 1}')]
)
def test_an_endpoint_that_fails_is_a_passing_fault(status: int, body: bytes) -> None:
    with stub(body, status=status) as (model, _), pytest.raises(TransientError) as caught:
        model.sentence("MoE", CITED)
    assert "key" not in str(caught.value)


@pytest.mark.parametrize("body", [b'{"choices": []}', b'{"choices": [{"message": {}}]}'])
def test_silence_is_no_sentence(body: bytes) -> None:
    with stub(body) as (model, _):
        assert model.sentence("MoE", CITED).refused == ("0 characters are no sentence",)


@pytest.mark.parametrize("url", ["ftp://x", "nothing", "http://example.test/v1"])
def test_an_address_that_cannot_work_is_refused_at_start(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"language_model\.url"):
        LanguageModel(LanguageModelSettings(url=url, model="m"))


def completion(content: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()


@contextmanager
def stub(body: bytes, *, status: int = 200) -> Iterator[tuple[LanguageModel, list[Any]]]:
    """Serve one answer on loopback, and keep what was asked."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            given = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked.append((self.path, headers, json.loads(given)))
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/v1"
        yield LanguageModel(LanguageModelSettings(url=url, model="m"), "key"), asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
