"""`curate propose` against a stub of a model's endpoint, as a person uses it."""

import json
from pathlib import Path
from typing import Any

import pytest

from events.errors import ConfigurationError, TransientError
from services.cli.commands import run
from tests.builders import merge, pull_request
from tests.lab import created
from tests.services.answers.editions.folder import fill
from tests.services.answers.text.model_stub import Answer, ModelStub, always, completion, model_stub
from tests.services_fixtures import Run

JULY = ("acme/widget", "--period", "2026-07")
BODY = "The kernel takes 1.273 ms on the stated proxy."
SETTINGS = """
[[repositories]]
name = "acme/widget"
[repositories.themes]
smallest = 1
[[repositories.themes.rules]]
name = "Routing"
titles = ["router"]
[[repositories.themes.rules]]
name = "Loading"
titles = ["loader"]
"""


@pytest.fixture
def widget(shipledger: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A folder with two delivered changes, each in a theme of its own, and a model's key."""
    Path("shipledger.toml").write_text(SETTINGS, "utf-8")
    monkeypatch.setenv("MODEL_KEY", "sk-secret")
    arrivals = [created()]
    for number, title in ((1, "Fuse the router"), (2, "Speed up the loader")):
        shown: dict[str, Any] = {"title": title, "body": BODY if number == 1 else ""}
        opened = pull_request(f"o{number}", number, "opened", "07-02", **shown)
        arrivals += [("07-02", opened)]
        arrivals += [("07-09", merge(f"m{number}", number, "07-09", created_at="07-02", **shown))]
    fill(data, arrivals)
    return shipledger


def configured(stub: ModelStub) -> None:
    """Let shipledger.toml name the stub."""
    section = f'[language_model]\nurl = "{stub.url}"\nmodel = "small"\nkey_env = "MODEL_KEY"\n'
    Path("shipledger.toml").write_text(section + SETTINGS, "utf-8")


def by_theme(**says: str) -> Answer:
    """Answer with the sentence of the theme that is asked about."""

    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        theme = json.loads(body["messages"][1]["content"])["theme"]
        return 200, completion(says[theme])

    return answer


def document(edition: Run, *options: str) -> dict[str, Any]:
    found = edition("edition", *JULY, "--format", "json", *options)
    assert found.exit_code == 0, found.output
    told: dict[str, Any] = json.loads(found.stdout)
    return told


def summaries(shipledger: Run, language: str = "en") -> dict[str, tuple[str, str]]:
    return {
        theme["theme"]: (theme["summary"][language]["from"], theme["summary"][language]["text"])
        for theme in document(shipledger)["themes"]
    }


def raised(result: Any) -> BaseException:
    assert isinstance(result.exception, BaseException), result.output
    return result.exception


def test_without_the_setting_nothing_is_sent_and_it_says_what_to_set(widget: Run) -> None:
    error = raised(widget("curate", "propose", *JULY))
    assert isinstance(error, ConfigurationError)
    assert "add [language_model] with `url` and `model` to shipledger.toml" in str(error)


def test_a_key_that_is_not_set_is_named_before_anything_is_sent(
    widget: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MODEL_KEY")
    with model_stub(always(completion("Nothing."))) as stub:
        configured(stub)
        error = raised(widget("curate", "propose", *JULY))
    assert "environment variable MODEL_KEY is not set" in str(error)
    assert stub.asked == []


def test_what_passes_and_what_is_refused_is_printed_and_nothing_is_recorded(widget: Run) -> None:
    answer = by_theme(Routing="The router is fused.", Loading="The loader is 9x faster.")
    with model_stub(answer) as stub:
        configured(stub)
        done = widget("curate", "propose", *JULY)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [
        "delivered: Routing (#1)",
        "  The router is fused.",
        "delivered: Loading (#2)",
        "  refused  figure 9x; number 9",
        "  it said  The loader is 9x faster.",
    ]
    assert "2 sentences waited: 1 passed, 1 were refused" in done.stderr
    assert "add --accept to record what passed" in done.stderr
    assert {origin for origin, _ in summaries(widget).values()} == {"gap"}
    assert [headers["authorization"] for _, headers, _ in stub.asked] == ["Bearer sk-secret"] * 2
    assert BODY in stub.asked[0][2]["messages"][1]["content"]


def test_what_is_accepted_is_a_decision_of_the_model_and_needs_it_no_more(widget: Run) -> None:
    answer = by_theme(Routing="The *router* is fused.", Loading="The loader is 9x faster.")
    with model_stub(answer) as stub:
        configured(stub)
        done = widget("curate", "propose", *JULY, "--accept", "--json")
        first, second = json.loads(done.stdout)["proposals"]
        assert (first["theme"], first["pulls"], first["refused"]) == ("Routing", [1], [])
        assert second["record"] is None
        again = widget("curate", "propose", *JULY, "--accept", "--json")
        assert [one["theme"] for one in json.loads(again.stdout)["proposals"]] == ["Loading"]
    (decision,) = json.loads(widget("curate", "list", "acme/widget", "--json").stdout)["decisions"]
    assert (decision["author"], decision["record"]) == ("model:small", first["record"])
    assert decision["saw"] == {"section": "delivered", "numbers": [1]}
    assert summaries(widget)["Routing"] == ("model", "The *router* is fused.")
    draft = widget("edition", *JULY)
    assert r"The \*router\* is fused." in draft.stdout, "what a model wrote is text, not Markdown"
    assert "Sentences by a language model, only their figures and names checked: Routing." in (
        draft.stdout
    )
    assert "by a model (en): delivered: Routing" in draft.stderr


def test_an_edition_with_a_sentence_of_a_model_is_made_again_without_it(widget: Run) -> None:
    with model_stub(by_theme(Routing="The router is fused.", Loading="The loader.")) as stub:
        configured(stub)
        widget("curate", "propose", *JULY, "--accept")
    publish = ("publish", *JULY, "--out", "out", "--with-gaps", "--send")
    sent = widget(*publish)
    assert sent.exit_code == 0, sent.output
    Path("shipledger.toml").write_text(SETTINGS, "utf-8")
    record = sent.output.rpartition("record ")[2].split()[0]
    assert "same bytes" in widget("verify", record).output


def test_a_person_takes_the_place_of_the_model_and_is_never_asked_again(widget: Run) -> None:
    with model_stub(by_theme(Routing="The router is fused.", Loading="The loader.")) as stub:
        configured(stub)
        widget("curate", "propose", *JULY, "--accept")
        widget("curate", "summary", "acme/widget", "Routing", "Mine.", *JULY[1:])
        assert summaries(widget)["Routing"] == ("person", "Mine.")
        asked = len(stub.asked)
        done = widget("curate", "propose", *JULY, "--accept")
        assert "0 sentences waited" in done.stderr
        assert len(stub.asked) == asked


def test_a_sentence_that_somebody_wrote_meanwhile_stays(widget: Run) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        if "Routing" in body["messages"][1]["content"]:
            written = ["curate", "summary", "acme/widget", "Routing", "Mine.", *JULY[1:]]
            assert run(written) == 0
        return 200, completion("The router and the loader.")

    with model_stub(answer) as stub:
        configured(stub)
        done = widget("curate", "propose", *JULY, "--accept")
    assert "not recorded: somebody wrote this sentence while the model was asked" in done.stdout
    assert summaries(widget)["Routing"] == ("person", "Mine.")
    assert summaries(widget)["Loading"][0] == "model"


def test_a_chinese_sentence_is_held_to_the_same_figures(widget: Run) -> None:
    answer = by_theme(
        Routing="在代理负载上，融合后的 kernel 耗时 1.273 毫秒。", Loading="loader 提速三倍。"
    )
    with model_stub(answer) as stub:
        configured(stub)
        done = widget("curate", "propose", *JULY, "--accept", "--language", "zh")
    assert "refused  number 三倍" in done.stdout
    assert summaries(widget, "zh")["Routing"][0] == "model"
    assert summaries(widget)["Routing"][0] == "gap"


def test_what_passed_before_the_endpoint_went_away_is_recorded_and_told(widget: Run) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        first = "Routing" in body["messages"][1]["content"]
        return (200, completion("The router is fused.")) if first else (503, b"")

    with model_stub(answer) as stub:
        configured(stub)
        done = widget("curate", "propose", *JULY, "--accept")
    error = raised(done)
    assert isinstance(error, TransientError)
    assert str(error) == "the language model answered 503; ask again later"
    assert "1 were not answered; 1 recorded" in done.stderr
    assert summaries(widget)["Routing"][0] == "model"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"no json", "the language model's answer"),
        (completion("Sorry, I cannot help with that."), "refused  it speaks of itself: Sorry"),
        (completion(None, refusal="no"), "refused  the model refused: no"),
        (completion("Bananas are yellow."), "refused  it names nothing that its sources name"),
        (completion(""), "it said  nothing"),
    ],
)
def test_an_answer_that_is_no_sentence_is_told_as_what_it_is(
    widget: Run, capfd: pytest.CaptureFixture[str], body: bytes, says: str
) -> None:
    with model_stub(always(body)) as stub:
        configured(stub)
        code = run(["curate", "propose", *JULY, "--accept"])
    told = capfd.readouterr()
    assert says in told.out + told.err
    assert code == (1 if body == b"no json" else 0)
    assert json.loads(widget("curate", "list", "acme/widget", "--json").stdout)["decisions"] == []


def test_an_endpoint_that_is_down_is_a_passing_fault(
    widget: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    with model_stub(always(b"")) as stub:
        configured(stub)
    assert run(["curate", "propose", *JULY]) == 1
    assert "error: the language model cannot be reached (ConnectError)" in capfd.readouterr().err
