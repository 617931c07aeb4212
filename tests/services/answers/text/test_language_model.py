"""The optional language model, against a stub on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from events.errors import ConfigurationError, TransientError
from projections.pull_requests.texts import RequestText
from services.answers.text.checking import Cited, faults
from services.answers.text.language_model import LanguageModel
from services.config.language_model import LanguageModelSettings
from tests.services.answers.text.model_stub import always, completion, model_stub

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
    ("The router uses NCCL.", ("name NCCL",)),
    ("The router is fused. It is fast.", ("more than one sentence",)),
    ("I cannot say what the router does.", ("it speaks of itself: I",)),
    (
        "Sorry, I cannot help with the kernel.",
        (
            "it speaks of itself: Sorry",
            "it speaks of itself: I",
            "it speaks of itself: cannot help",
        ),
    ),
    ("路由器已融合。", ("it is not English",)),
    ("Bananas grow with this weather.", ("it names nothing that its sources name",)),
    ("MoE routing is fused.", ()),
    ("The GPU-based router is fused.", ()),
    ("The kernel of the proxy takes 1.273ms on 4 GPU.", ()),
]


@pytest.mark.parametrize(("sentence", "found"), SENTENCES, ids=[s for s, _ in SENTENCES])
def test_a_sentence_is_refused_for_what_its_sources_lack(
    sentence: str, found: tuple[str, ...]
) -> None:
    assert faults(sentence, CITED, theme="MoE") == found


def test_a_sentence_that_passes_gets_our_citations() -> None:
    with asking(completion("The router\nis fused.")) as (model, asked):
        made = model.sentence("MoE", CITED)
    assert (made.text, made.numbers, made.refused) == ("The router is fused.", (7,), ())
    ((path, headers, body),) = asked
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer key"
    assert body["messages"][1]["content"].count("12.824 ms") == 1


def test_a_refused_sentence_is_none() -> None:
    with asking(completion("It is 99% faster.")) as (model, _):
        made = model.sentence("MoE", CITED)
    assert made.text is None
    assert made.refused == ("figure 99%", "number 99")


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (401, r"language_model\.key_env"),
        (403, r"language_model\.key_env"),
        (404, "`url` and `model`"),
    ],
)
def test_a_key_or_an_address_that_is_not_taken_is_a_setting_to_change(
    status: int, says: str
) -> None:
    with (
        asking(b"", status=status) as (model, _),
        pytest.raises(ConfigurationError, match=says),
    ):
        model.sentence("MoE", CITED)


def test_a_refusal_is_told_as_one() -> None:
    with asking(completion(None, refusal="I can't.")) as (model, _):
        made = model.sentence("MoE", CITED)
    assert (made.text, made.refused) == (None, ("the model refused: I can't.",))


def test_what_nobody_sees_is_taken_out_of_an_answer() -> None:
    with asking(completion("The \u202erouter\u200b is\x1b[2K fused.")) as (model, _):
        made = model.sentence("MoE", CITED)
    assert made.said == "The router is[2K fused."


def test_it_is_asked_in_the_language_and_for_no_more_than_it_can_read() -> None:
    long = RequestText(number=1, text="router " * 5_000, digest="d", record_id="r")
    many = [Cited(number=nth, title="Fuse", text=long) for nth in range(50)]
    with asking(completion("融合 router。")) as (model, asked):
        assert model.sentence("MoE", many, "zh").text == "融合 router。"
    ((_, _, body),) = asked
    assert "Chinese" in body["messages"][0]["content"]
    assert len(body["messages"][1]["content"]) < 70_000


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, b"{}"), (429, b""), (302, b""), (200, b"no json"), (200, b'{"choices": 1}')],
)
def test_an_endpoint_that_fails_is_a_passing_fault(status: int, body: bytes) -> None:
    with asking(body, status=status) as (model, _), pytest.raises(TransientError) as caught:
        model.sentence("MoE", CITED)
    assert "key" not in str(caught.value)
    assert str(status) in str(caught.value) or "answer" in str(caught.value)


@pytest.mark.parametrize("body", [b'{"choices": []}', b'{"choices": [{"message": {}}]}'])
def test_silence_is_no_sentence(body: bytes) -> None:
    with asking(body) as (model, _):
        assert model.sentence("MoE", CITED).refused == ("0 characters are no sentence",)


@pytest.mark.parametrize(
    "url", ["ftp://x", "nothing", "http://example.test/v1", "https://me:key@example.test/v1"]
)
def test_an_address_that_cannot_work_is_refused_at_start(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"language_model\.url"):
        LanguageModel(LanguageModelSettings(url=url, model="m"))


@contextmanager
def asking(
    body: bytes, *, status: int = 200
) -> Iterator[tuple[LanguageModel, list[tuple[str, dict[str, str], dict[str, Any]]]]]:
    """Give a model that always answers so, and what it is asked."""
    with model_stub(always(body, status)) as stub:
        yield LanguageModel(LanguageModelSettings(url=stub.url, model="m"), "key"), stub.asked
