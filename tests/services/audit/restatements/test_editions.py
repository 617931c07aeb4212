"""What an edition said is compared with what is known now, request by request where it can be."""

import json
from pathlib import Path

import msgspec
import pytest

from events.errors import InvalidQuestion
from events.facts.editions import EditionPublished, TellingDecided, ToldTheme
from events.record import Entry
from projections.engine import retry as retrying
from projections.period_ledger.themes import ThemeRule
from projections.release_inclusion.view import HistoryCache
from projections.store.base import Translated, read_entry
from services.answers.editions.assemble import assemble_edition
from services.answers.questions.question import EditionQuestion
from services.audit.receipts import encode, pairs
from services.audit.restatements.forms import restatement_forms
from services.config.repository import ThemeSettings
from services.config.settings import Decided, Settings
from services.documents.forms import render
from tests.answers import edition_text
from tests.builders import at, merge, pull_request, webhook
from tests.services.audit.receipts.desk import Desk, Made, configured
from tests.services.audit.restatements.looking import JULY, balanced, causes, decided, differences


def as_file(made: Made, folder: Path) -> str:
    path = folder / "edition.json"
    path.write_text(made.printed, "utf-8")
    return str(path)


def test_an_edition_in_json_is_compared_request_by_request(desk: Desk, tmp_path: Path) -> None:
    edition = as_file(desk.make(*JULY, form="json"), tmp_path)
    assert desk.compare_edition(*JULY, edition).empty
    desk.receive([("08-05", merge("late", 1, "07-30", created_at="07-02"))])
    desk.catch_up("08-06")
    found = desk.compare_edition(*JULY, edition)
    assert causes(found) == {(1, "late record", "late")}
    assert found.before.edition == "edition.json"
    assert balanced(found)
    with pytest.raises(InvalidQuestion, match="ask for the report of the same period"):
        desk.compare_edition("2026-06-01", "2026-07-01", edition)


def edition_file(desk: Desk, folder: Path) -> Path:
    """Write the edition of July in JSON, as `publish --out` does."""
    question = EditionQuestion(report=desk.question(*JULY), themes=ThemeSettings())
    with desk.model.snapshot() as snapshot:
        edition = assemble_edition(snapshot, question, HistoryCache())
    path = folder / "widget-2026-07.json"
    path.write_text(edition_text(edition, "json"), "utf-8")
    return path


def test_the_json_of_a_published_edition_is_compared_though_it_has_no_receipt(
    desk: Desk, tmp_path: Path
) -> None:
    path = edition_file(desk, tmp_path)
    assert desk.compare_edition(*JULY, str(path)).empty
    desk.configure("08-02", configured(ci=("ci/",)))
    desk.receive([("08-05", merge("late", 1, "07-30", created_at="07-02"))])
    desk.catch_up("08-06")
    found = desk.compare_edition(*JULY, str(path))
    assert causes(found) == {(1, "late record", "late")}
    assert found.before.edition == "widget-2026-07.json"
    assert balanced(found)
    with pytest.raises(InvalidQuestion, match="ask for the report of the same period"):
        desk.compare_edition("2026-06-01", "2026-07-01", str(path))


def test_what_the_json_of_an_edition_claims_beyond_what_it_was_made_from_is_unexplained(
    desk: Desk, tmp_path: Path
) -> None:
    path = edition_file(desk, tmp_path)
    document = json.loads(path.read_bytes())
    document["counts"]["opened"] += 1
    path.write_text(json.dumps(document), "utf-8")
    found = desk.compare_edition(*JULY, str(path))
    assert differences(found) == {("raw", "opened"): -1}
    assert [(one.kind, one.says) for one in found.unlisted] == [
        ("unexplained", "the file has no receipt of what it was made from")
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# July", "is not JSON: .*the id of its record"),
        ("[1]", "holds no receipt; .*the id of its record"),
        ('{"merged": 3}', "holds no receipt; .*the id of its record"),
        ('{"stage": null, "themes": [], "releases": {}}', "brings against another"),
        ('{"stage": null, "themes": []}', "is not an edition as it was published"),
    ],
)
def test_a_file_that_cannot_be_compared_says_what_can(
    desk: Desk, tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "july"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidQuestion, match=says):
        desk.compare_edition(*JULY, str(path))


def test_the_receipt_alone_is_compared_with_what_it_is_made_of_now(
    desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "receipt.json"
    path.write_bytes(encode(desk.make(*JULY).receipt))
    desk.receive([("08-05", merge("late", 1, "07-30", created_at="07-02"))])
    desk.catch_up("08-06")
    assert causes(desk.compare_edition(*JULY, str(path))) == {(1, "late record", "late")}


def test_a_receipt_without_figures_tells_that_another_program_made_it(
    desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "receipt.json"
    receipt = msgspec.structs.replace(desk.make(*JULY).receipt, answers="0" * 16)
    path.write_bytes(encode(receipt.sealed()))
    found = desk.compare_edition(*JULY, str(path))
    assert (found.changes, [cause.kind for cause in found.unlisted]) == ((), ["rule"])
    assert "answer version 0000000000000000 then" in render(restatement_forms(found), "md")


def test_a_receipt_of_another_log_is_not_compared(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    path.write_bytes(encode(desk.make(*JULY).receipt))
    other = Desk()
    other.configure("05-01", desk.settings)
    other.receive([("07-02", pull_request("z", 1, "opened", "07-02"))])
    other.catch_up("08-01")
    with pytest.raises(InvalidQuestion, match="this log has no record"):
        other.compare_edition(*JULY, str(path))


def published(desk: Desk, made: Made, **parts: object) -> str:
    """Publish what was made, as an edition whose figures are those of its report."""
    fact = EditionPublished(
        start=made.report.period.start,
        end=made.report.period.end,
        zone="UTC",
        at=at("08-01"),
        title="July",
        text=made.text,
        digest=made.receipt.output.sha256,
        place="acme/widget#9",
        figures=dict(made.report.counts),
        known_at=made.report.known_at,
        receipt=pairs(made.receipt),
    )
    fact = msgspec.structs.replace(fact, **parts)
    desk.receive([decided("08-02", "edition", fact)])
    desk.catch_up("08-03")
    return "edition"


def test_a_published_edition_is_compared_by_its_receipt(desk: Desk) -> None:
    edition = published(desk, desk.make(*JULY))
    assert desk.compare_edition(*JULY, edition).empty
    desk.receive([("08-05", merge("late", 1, "07-30", created_at="07-02"))])
    desk.catch_up("08-06")
    found = desk.compare_edition(*JULY, edition)
    assert causes(found) == {(1, "late record", "late")}
    assert balanced(found)


def test_figures_of_another_program_are_a_rule_change_that_names_both(desk: Desk) -> None:
    made = desk.make(*JULY)
    receipt = msgspec.structs.replace(made.receipt, answers="0" * 16).sealed()
    figures = {**made.report.counts, "merged": 5}
    edition = published(desk, made, receipt=pairs(receipt), figures=figures)
    found = desk.compare_edition(*JULY, edition)
    assert differences(found) == {("raw", "merged"): -5}
    assert [(cause.kind, cause.says[:36]) for cause in found.unlisted] == [
        ("rule", "answer version 0000000000000000 then")
    ]
    assert balanced(found)


def test_figures_that_nothing_explains_are_named_so(desk: Desk) -> None:
    made = desk.make(*JULY)
    edition = published(desk, made, figures={**made.report.counts, "merged": 5})
    found = desk.compare_edition(*JULY, edition)
    assert [cause.kind for cause in found.unlisted] == ["unexplained"]
    assert found.changes[0].unlisted == -5
    assert "## Not listed by request: unexplained" in render(restatement_forms(found), "md")


def test_an_edition_from_before_shipledger_is_compared_by_its_figures(desk: Desk) -> None:
    made = desk.make(*JULY)
    edition = published(desk, made, receipt={}, made_here=False, figures={"opened": 4})
    found = desk.compare_edition(*JULY, edition)
    assert differences(found) == {("raw", "opened"): -1}
    assert [cause.kind for cause in found.unlisted] == ["unexplained"]
    assert balanced(found)


def test_a_lower_bound_contradicts_no_figure_that_is_higher() -> None:
    desk = Desk()  # no listing is recorded, so that every count is a lower bound
    desk.receive([("07-02", pull_request("a", 1, "opened", "07-02"))])
    desk.receive([("07-03", merge("b", 1, "07-03", created_at="07-02"))])
    desk.catch_up("08-01")
    made = desk.make(*JULY)
    assert made.report.quality["merged"] == "at_least"
    edition = published(
        desk,
        made,
        receipt={},
        made_here=False,
        figures={"merged": 397, "opened": 0},
        themes=(ToldTheme(section="delivered", name="Old", numbers=(7,)),),
    )
    found = desk.compare_edition(*JULY, edition)
    assert differences(found) == {("raw", "opened"): 1, ("raw", "merged"): None}
    assert balanced(found)
    text = render(restatement_forms(found), "md")
    assert "| merged | 397 | at least 1 |  |" in text
    assert "unexplained\n\nopened +1 — " in text
    assert "- not in the period (as far as is recorded): #7" in text
    plain = {
        row["count"]: row["difference"]
        for row in json.loads(render(restatement_forms(found), "json"))["changes"]
    }
    assert plain == {"merged": None, "opened": 1}


def test_what_an_imported_edition_told_is_looked_up_in_the_edition_of_now(desk: Desk) -> None:
    rule = ThemeRule(name="Routing", titles=(".",))
    repository = msgspec.structs.replace(
        desk.settings.decided.repositories[0], themes=ThemeSettings(rules=(rule,), smallest=1)
    )
    desk.configure(
        "08-01 06:00:00", Settings(data=Path("unused"), decided=Decided(repositories=(repository,)))
    )
    given = TellingDecided(
        kind="exclusion", decided_at=at("08-01"), author="ada", value="ci-only", numbers=(2,)
    )
    desk.receive([decided("08-01 07:00:00", "decision", given)])
    desk.catch_up("08-01 08:00:00")
    made = desk.make(*JULY)
    themes = (ToldTheme(section="delivered", name="Old", numbers=(1, 2, 3, 99)),)
    edition = published(desk, made, receipt={}, made_here=False, themes=themes)
    found = desk.compare_edition(*JULY, edition)
    assert [(one.number, one.now, one.why) for one in found.told] == [
        (1, "told", ""),
        (2, "excluded", "ci-only"),
        (3, "not told", "closed, in no section"),
        (99, "not in the period", ""),
    ]
    assert not found.empty
    text = render(restatement_forms(found), "md")
    assert "## Told then, and not told now (3 of 4)" in text
    assert "- excluded (ci-only): #2\n" in text
    assert "- not in the period: #99\n" in text
    listed = json.loads(render(restatement_forms(found), "json"))["told_before"]
    assert listed[1] == {
        "number": 2,
        "section": "delivered",
        "theme": "Old",
        "now": "excluded",
        "why": "ci-only",
    }


def test_a_retried_dead_letter_is_named(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = webhook("broken", "pull_request", b'{"action": "opened", "number": 4}')
    desk.receive([("07-15", broken)])
    desk.catch_up("08-01 06:00:00")
    edition = as_file(desk.make(*JULY, form="json"), tmp_path)
    mended = pull_request("broken", 4, "opened", "07-15")

    def mend(entry: Entry) -> Translated:
        return read_entry(msgspec.structs.replace(entry, record=mended))

    monkeypatch.setattr(retrying, "read_entry", mend)
    assert {each.reason for each in retrying.retry(desk.engine, desk.log)} == {None}
    found = desk.compare_edition(*JULY, edition)
    assert causes(found) == {(4, "retried dead letter", "broken")}
    assert differences(found)["raw", "opened"] == 1
    assert balanced(found)
