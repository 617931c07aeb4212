"""`edition`, `publish`, `import edition`, `curate` and `verify` on a data folder."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.errors import InvalidQuestion, NotFound
from services.answers.editions.reading import read_edition
from services.simulator import World
from tests.services.authoring.publishing.issues_stub import TOKEN, IssuesStub, issues_stub
from tests.services_fixtures import Run

JUNE = ("--period", "2026-06")
KEY = "github.com/name:acme/widget"


@pytest.fixture
def stub() -> Iterator[IssuesStub]:
    with issues_stub() as running:
        yield running


@pytest.fixture
def imported(
    shipledger: Run, small_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """A folder into which the simulated repository's history was imported by name."""
    monkeypatch.setenv("WIDGET_TOKEN", TOKEN)
    small_world.build_repository(tmp_path / "widget.git")
    done = shipledger("import", "git", "widget.git", "--repo", "acme/widget")
    assert done.exit_code == 0, done.output
    return shipledger


def record_in(output: str) -> str:
    found = re.search(r"record ([0-9a-f]{32})", output)
    assert found, output
    return found[1]


def test_a_draft_is_printed_and_what_waits_goes_to_standard_error(imported: Run) -> None:
    done = imported("edition", "acme/widget", *JUNE, "--format", "txt")
    assert done.exit_code == 0, done.output
    assert read_edition(done.stdout).themes
    assert "to write: overview" in done.stderr
    assert "to write" not in done.stdout.replace("TO WRITE", "")


def test_files_are_published_for_each_language_recorded_and_verified(
    imported: Run, tmp_path: Path
) -> None:
    publish = ("publish", "acme/widget", *JUNE, "--out", "out", "--with-gaps")
    languages = ("--language", "en", "--language", "zh")
    dry = imported(*publish, *languages)
    assert dry.exit_code == 0, dry.output
    assert not (tmp_path / "out").exists()
    sent = imported(*publish, *languages, "--send")
    assert sent.exit_code == 0, sent.output
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    endings = ["csv", "en.html", "en.md", "en.txt", "json", "zh.html", "zh.md", "zh.txt"]
    assert names == [f"widget-2026-06.{ending}" for ending in endings]
    record = record_in(sent.output)
    shown = json.loads(imported("log", "show", KEY, record).stdout)
    assert shown["type"] == "shipledger.edition"
    assert shown["facts"][0]["text"] == (tmp_path / "out/widget-2026-06.en.md").read_text("utf-8")
    verified = imported("verify", record)
    assert "same bytes" in verified.output, verified.output
    ticks = [
        json.loads(line)["partition"]
        for line in imported("log", "tail", "-n", "1000", "--json").stdout.splitlines()
        if json.loads(line)["type"] == "shipledger.tick"
    ]
    assert {KEY, "github.com"} <= set(ticks)


def test_an_edition_with_gaps_is_not_published_by_accident(imported: Run) -> None:
    with pytest.raises(InvalidQuestion, match="wait for a person"):
        raise_of(imported("publish", "acme/widget", *JUNE, "--out", "out", "--send"))


def raise_of(result: object) -> None:
    """Raise what a command ended with."""
    error = getattr(result, "exception", None)
    assert isinstance(error, BaseException), result
    raise error


def test_an_issue_is_created_changed_after_a_decision_and_kept_from_being_overwritten(
    imported: Run, stub: IssuesStub
) -> None:
    where = ("--api-url", stub.url, "--token-env", "WIDGET_TOKEN", "--label", "report")
    publish = ("publish", "acme/widget", *JUNE, *where, "--with-gaps")
    dry = imported(*publish)
    assert "acme/widget: create: widget Monthly Activity Report — June 2026" in dry.output
    assert stub.issues == {}
    sent = imported(*publish, "--send")
    assert "published acme/widget#1 (en)" in sent.output, sent.output
    assert "same bytes" in imported("verify", record_in(sent.output)).output
    assert "nothing #1" in imported(*publish, "--send").output
    overview = ("curate", "overview", "acme/widget", "It went on.", *JUNE)
    assert imported(*overview).exit_code == 0
    changed = imported(*publish, "--send")
    assert "update #1" in changed.output
    assert "+It went on." in changed.output
    assert "It went on." in stub.issues[1]["body"]
    stub.issues[1]["body"] += "\nBy hand."
    with pytest.raises(InvalidQuestion, match="edited since it was published"):
        raise_of(imported(*publish, "--send"))


def test_an_edition_from_before_is_imported_once_and_names_the_next_ones_themes(
    imported: Run, tmp_path: Path
) -> None:
    drafted = imported("edition", "acme/widget", *JUNE, "--format", "txt").stdout
    theme = read_edition(drafted).themes[0]
    (tmp_path / "june.txt").write_text(drafted.replace(theme.name, "Theme of June"), "utf-8")
    take = ("import", "edition", "june.txt", "--repo", "acme/widget", *JUNE, "--json")
    first, second = (json.loads(imported(*take).stdout) for _ in range(2))
    assert (first["outcome"], second["outcome"]) == ("stored", "duplicate")
    assert first["themes"] == len(read_edition(drafted).themes)
    with pytest.raises(InvalidQuestion, match="it is about 2026-06-01"):
        raise_of(imported(*take[:-3], "--period", "2026-07"))
    july = imported("edition", "acme/widget", "--period", "2026-07", "--format", "json")
    assert july.exit_code == 0, july.output


def test_a_decision_that_makes_no_sense_is_refused(imported: Run) -> None:
    for call, says in (
        (("exclude", "acme/widget", "1", "boring"), "is no class"),
        (("twins", "acme/widget", "1", "1"), "2 different requests"),
        (("bullet", "acme/widget", "99999", "x", *JUNE), "nothing is recorded of #99999"),
        (("rename", "acme/widget", "A", "--undo"), "nothing to take back"),
        (("summary", "acme/widget", "Nobody", "x", *JUNE), "there is no theme 'Nobody'"),
    ):
        with pytest.raises(InvalidQuestion, match=says):
            raise_of(imported("curate", *call))


def test_decisions_are_listed_and_taken_back(imported: Run) -> None:
    imported("curate", "rename", "acme/widget", "A", "B", "--author", "lead")
    (one,) = json.loads(imported("curate", "list", "acme/widget", "--json").stdout)["decisions"]
    assert (one["about"], one["value"], one["author"]) == ("rename of A", "B", "lead")
    draft = imported("edition", "acme/widget", *JUNE, "--format", "json")
    assert "look again: rename of A: no theme of this edition" in draft.stderr
    assert one["record"] in json.loads(draft.stdout)["look_again"][-1]["records"]
    imported("curate", "rename", "acme/widget", "A", "--undo")
    assert json.loads(imported("curate", "list", "acme/widget", "--json").stdout) == {
        "decisions": []
    }


def test_the_list_of_decisions_tells_the_texts_of_two_months_apart(imported: Run) -> None:
    for month in ("06", "07"):
        wrote = imported("curate", "overview", "acme/widget", "Quiet.", "--period", f"2026-{month}")
        assert wrote.exit_code == 0, wrote.output
    imported("curate", "overview", "acme/widget", "Far.", *JUNE, "--tz", "Asia/Shanghai")
    imported("curate", "rename", "acme/widget", "A", "B")
    lines = imported("curate", "list", "acme/widget").stdout.splitlines()
    documents = json.loads(imported("curate", "list", "acme/widget", "--json").stdout)["decisions"]
    assert lines[:2] == ["Decisions", ""]
    assert lines[2].split() == ["about", "for", "value", "author", "decided", "record"]
    shown = dict(zip((one["record"] for one in documents), lines[3:], strict=True))
    spans = {one["from"]: shown[one["record"]] for one in documents}
    assert "2026-06-01T00:00:00Z" not in spans, "June is June: the later text stands for it"
    assert "  July 2026  " in spans["2026-07-01T00:00:00Z"]
    assert "  June 2026  " in spans["2026-05-31T16:00:00Z"]
    assert re.search(r"^rename of A +all +B ", spans[None])
    for one in documents:
        assert one["record"] in shown[one["record"]]
        assert one["decided_at"][:16].replace("T", " ") in shown[one["record"]]


def tags_of(run: Run) -> tuple[str, str]:
    """Return two tags of one family, of which the second brings something."""
    listed = json.loads(run("releases", "acme/widget", "--json").stdout)["releases"]
    return next((one["against"], one["tag"]) for one in listed if one["against"] and one["new"])


def test_what_one_release_brings_against_another_has_an_edition_of_its_own(imported: Run) -> None:
    first, second = tags_of(imported)
    call = ("edition", "acme/widget", "--releases", f"{first}..{second}")
    done = imported(*call, "--format", "txt")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"widget Release Report — {first} … {second}\n")
    page = json.loads(
        imported("release", "acme/widget", second, "--against", first, "--json").stdout
    )
    shown = json.loads(imported(*call, "--format", "json").stdout)
    unsure = shown["counts"]["perhaps_before"]
    assert 0 < page["counts"]["new"] == shown["counts"]["brought"] + unsure
    with pytest.raises(InvalidQuestion, match="lies behind"):
        raise_of(imported("edition", "acme/widget", "--releases", f"{second}..{first}"))
    with pytest.raises(NotFound, match=r"no tag v0\.0\.0-none"):
        raise_of(imported("edition", "acme/widget", "--releases", f"{first}..v0.0.0-none"))


def test_the_edition_of_a_release_is_written_published_and_verified(
    imported: Run, stub: IssuesStub, tmp_path: Path
) -> None:
    first, second = tags_of(imported)
    asked = ("--releases", f"{first}..{second}")
    wrote = imported("curate", "overview", "acme/widget", "A release.", *asked)
    assert wrote.exit_code == 0, wrote.output
    (decision,) = json.loads(imported("curate", "list", "acme/widget", "--json").stdout)[
        "decisions"
    ]
    assert decision["releases"] == [first, second]
    where = ("--api-url", stub.url, "--token-env", "WIDGET_TOKEN", "--out", "out", "--with-gaps")
    sent = imported("publish", "acme/widget", *asked, *where, "--send")
    assert sent.exit_code == 0, sent.output
    stem = f"widget-{first}-to-{second}".replace("/", "-")
    assert (tmp_path / "out" / f"{stem}.en.md").is_file()
    assert (tmp_path / "out" / f"{stem}.csv").is_file()
    assert "A release." in stub.issues[1]["body"]
    assert stub.issues[1]["title"] == f"widget Release Report — {first} … {second}"
    for record in re.findall(r"record ([0-9a-f]{32})", sent.output):
        assert "same bytes" in imported("verify", record).output
    again = imported("publish", "acme/widget", *asked, *where, "--send")
    assert "nothing #1" in again.output
    start, end = decision["from"], decision["to"]
    with pytest.raises(InvalidQuestion, match="counts no period"):
        raise_of(
            imported(
                *("report", "acme/widget", "--from", start, "--to", end),
                *("--compare-edition", record_in(sent.output)),
            )
        )


def test_why_says_where_a_request_is_of_two_releases_and_how_it_is_told(imported: Run) -> None:
    first, second = tags_of(imported)
    asked = ("--releases", f"{first}..{second}")
    shown = json.loads(imported("edition", "acme/widget", *asked, "--format", "json").stdout)
    assert shown["brought"], "nothing to ask for"
    for one in shown["brought"][:3]:
        call = ("why", "acme/widget", str(one["number"]), *asked)
        answer = json.loads(imported(*call, "--json").stdout)
        assert answer["second"]["verdict"] == "included"
        assert answer["first"]["verdict"] != "included"
        part = answer["part"].replace("twin", "twins").replace("not told", "not_told")
        parts = {**shown["reconciliation"], **shown["reconciliation"]["excluded"]}
        assert one["number"] in parts[part]
        text = imported(*call).stdout
        assert f"{first} … {second}: " in text
        assert answer["second"]["sentence"] in text
    with pytest.raises(InvalidQuestion, match="either --period or --releases"):
        raise_of(imported("why", "acme/widget", "1"))


def test_a_text_for_a_month_is_in_the_edition_of_that_month_in_every_zone(imported: Run) -> None:
    wrote = imported("curate", "overview", "acme/widget", "Quiet.", *JUNE)
    assert wrote.exit_code == 0, wrote.output
    for zone in ("UTC", "Asia/Shanghai", "America/Los_Angeles"):
        june = imported("edition", "acme/widget", *JUNE, "--tz", zone, "--format", "txt").stdout
        assert "Quiet." in june, zone
    july = imported("edition", "acme/widget", "--period", "2026-07", "--tz", "Asia/Shanghai")
    assert "Quiet." not in july.stdout
    assert "  June 2026  " in imported("curate", "list", "acme/widget").stdout
