"""A draft shows the writer the figures of the requests; what is published never does."""

import json
from pathlib import Path

import pytest

from events.facts.editions import TellingDecided
from events.record import Record
from services.answers.editions.edition import Edition
from services.answers.editions.reading import read_edition
from services.answers.questions.question import SHAPES, Shape
from services.audit.edition_receipts import Rendering, rendered
from services.documents.forms import MEDIA_TYPES
from tests.answers import edition_text
from tests.builders import at, merge, pull_request
from tests.lab import created
from tests.services.answers.editions.desk import edition_of, with_facts
from tests.services.answers.editions.folder import fill
from tests.services_fixtures import Run

BODY = """Fuses the router.

- The kernel takes 1.273 ms instead of 12.824 ms on 4 GPUs. Not tested on *one* node.

| case | speedup |
|---|---|
| a | 1.4x |
| b | 2.1x |
"""
QUOTE = "The kernel takes 1.273 ms instead of 12.824 ms on 4 GPUs."


def drafted(*, body: str = BODY, written: str | None = None) -> Edition:
    facts = []
    if written is not None:
        decision = TellingDecided(
            kind="summary",
            decided_at=at("08-02"),
            author="lead",
            value=written,
            theme="MoE",
            section="delivered",
            language="en",
        )
        facts.append(("08-02", decision))
    place = TellingDecided(
        kind="theme", decided_at=at("08-01"), author="lead", value="MoE", numbers=(1,)
    )
    return edition_of(with_facts(arrivals(body), ("08-01", place), *facts).model)


def arrivals(body: str) -> list[tuple[str, Record]]:
    """One request with a text, merged in July."""
    shown = {"title": "Fuse the router", "body": body}
    return [
        created(),
        ("07-02", pull_request("a", 1, "opened", "07-02", **shown)),
        ("07-09", merge("b", 1, "07-09", created_at="07-02", **shown)),
    ]


def test_exact_words_number_and_caveats_stand_beside_the_gap() -> None:
    lines = edition_text(drafted(), "txt", noted=True).split("\n")
    gap = next(nth for nth, line in enumerate(lines) if line.startswith("[TO WRITE: summary"))
    assert lines[gap + 2 : gap + 6] == [
        "> For whoever writes this sentence, not published: figures in the requests' own words.",
        f"> • “{QUOTE}” (#1; Not tested)",
        "> • speedup: 1.4x–2.1x, 2 rows (#1; Not tested)",
        "",
    ]
    assert "“" + QUOTE + "”（#1; Not tested）" in edition_text(drafted(), "md", "zh", noted=True)


def test_a_sentence_that_a_person_wrote_needs_no_notes() -> None:
    edition = drafted(written="The router takes 1.273 ms on 4 GPUs, not tested on one node.")
    assert QUOTE not in edition_text(edition, "md", "en", noted=True)
    assert QUOTE in edition_text(edition, "md", "zh", noted=True), "the Chinese one is a gap still"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("form", "issue"), [("md", False), ("txt", False), ("md", True)])
def test_nothing_of_the_notes_is_in_what_is_published_with_its_gaps(
    shape: Shape, form: str, issue: bool
) -> None:
    how = Rendering(form=form, shape=shape, stage="", label="", author="", issue=issue)
    text = rendered(drafted(), how, "en")
    assert "TO WRITE" in text
    assert "12.824" not in text
    assert "\n>" not in text


def test_notes_are_not_read_back_as_what_is_told() -> None:
    edition = drafted(body="Related PRs: #5 takes 3 ms.\n\n- In Progress 4 GPUs\n")
    for form in ("md", "txt"):
        found = read_edition(edition_text(edition, form, noted=True))
        assert found.themes == read_edition(edition_text(edition, form)).themes
        assert found.bullets == (("Fuse the router",),)


def test_a_quotation_is_text_and_not_markdown() -> None:
    edition = drafted(body="It is 3x faster, see [here](javascript:1), @dev-b.")
    noted = edition_text(edition, "md", noted=True)
    assert r"3x faster, see [here\](javascript:1), @" in noted
    assert "@dev-b" not in noted


def test_many_figures_are_counted_after_the_first_twenty() -> None:
    body = "\n".join(f"- Case {nth} takes {nth} ms." for nth in range(1, 31))
    noted = edition_text(drafted(body=body), "txt", noted=True)
    assert noted.count("\n> • “Case") == 20
    assert "\n> • … and 10 more, see --format json.\n" in noted


def test_json_and_the_page_keep_the_caveats_of_each_figure() -> None:
    edition = drafted()
    (change,) = json.loads(edition_text(edition, "json"))["themes"][0]["changes"]
    (quoted,) = change["quotable"]
    assert (quoted["quote"], quoted["caveats"]) == (QUOTE, ["Not tested"])
    assert quoted["figures"] == ["1.273 ms", "12.824 ms", "4 GPUs"]
    (column,) = change["quotable_columns"]
    assert (column["span"], column["rows"], column["caveats"]) == ("1.4x–2.1x", 2, ["Not tested"])
    page = edition_text(edition, "html")
    assert f"<blockquote>“{QUOTE}” (" in page
    assert "<blockquote>speedup: 1.4x–2.1x, 2 rows (" in page
    assert page.count("; Not tested)</blockquote>") == 2


def test_notes_change_no_format_but_those_that_are_drafted_in() -> None:
    edition = drafted()
    for form in MEDIA_TYPES.keys() - {"md", "txt"}:
        assert edition_text(edition, form, noted=True) == edition_text(edition, form)


SMALL_THEMES = """
[[repositories]]
name = "acme/widget"
[repositories.themes]
smallest = 1
"""


def test_the_command_notes_in_drafts_and_never_in_what_it_publishes(
    shipledger: Run, data: Path
) -> None:
    Path("shipledger.toml").write_text(SMALL_THEMES, "utf-8")
    fill(data, arrivals(BODY))
    july = ("acme/widget", "--period", "2026-07")
    draft = shipledger("edition", *july).stdout
    assert f"\n> - “{QUOTE}” (#1; Not tested)\n" in draft
    plain = shipledger("edition", *july, "--no-notes").stdout
    assert "12.824" not in plain
    sent = shipledger("publish", *july, "--out", "out", "--with-gaps", "--send")
    assert sent.exit_code == 0, sent.output
    assert Path("out/widget-2026-07.en.md").read_text("utf-8") == plain
