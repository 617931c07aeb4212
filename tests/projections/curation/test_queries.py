"""What was decided, grouped and published, as known at K, on both engines."""

from events.facts.editions import EditionPublished, TellingDecided, ThemesAssigned, ToldTheme
from events.instant import Instant
from events.sources.authored import author
from projections.curation.queries import Assignments, decisions, edition_before, editions
from projections.engine.rebuild import rebuild
from tests.builders import REPO, at
from tests.engines import NewEngine
from tests.lab import Lab, created


def edition(start: str, end: str, title: str, **fields: object) -> EditionPublished:
    given: dict[str, object] = {
        "zone": "UTC",
        "at": at(end),
        "text": title,
        "digest": title,
        "place": "file",
        "themes": (ToldTheme(section="delivered", name="MoE", numbers=(4,)),),
        **fields,
    }
    return EditionPublished(start=at(start), end=at(end), title=title, **given)  # type: ignore[arg-type]  # as the test gives it


def themes(inputs: str, left: int) -> ThemesAssigned:
    return ThemesAssigned(
        start=at("06-01"), end=at("07-01"), inputs=inputs, themes=(), left_over=(left,)
    )


def lab(new_engine: NewEngine) -> Lab:
    decided = TellingDecided(kind="hide", decided_at=at("07-02"), author="a", value="yes")
    facts = [
        ("07-02", decided),
        ("07-03", themes("x", 1)),
        ("07-04", themes("x", 2)),
        ("07-05", edition("06-01", "07-01", "June")),
        ("07-06", edition("05-01", "06-01", "May")),
        ("07-07", edition("06-01", "07-01", "June, again")),
        ("07-08", edition("04-01", "07-01", "no themes", themes=())),
    ]
    records = [(when, author(REPO, fact, time=at(when))) for when, fact in facts]
    return Lab([created(), *records], engine=new_engine())


def before(found: Lab, start: str, known_at: Instant) -> str | None:
    with found.model.snapshot() as snapshot:
        one = edition_before(snapshot, REPO, at(start), known_at)
    return None if one is None else one.fact.title


def test_each_is_known_from_its_record_on(new_engine: NewEngine) -> None:
    with lab(new_engine).model.snapshot() as snapshot:
        assert decisions(snapshot, REPO, at("07-01")) == []
        assert len(decisions(snapshot, REPO, at("07-02"))) == 1
        assert [one.fact.title for one in editions(snapshot, REPO, at("07-06"))] == ["May", "June"]
        assert editions(snapshot, "github.com/other", at("07-09")) == []


def test_the_themes_recorded_first_for_some_inputs_are_theirs(new_engine: NewEngine) -> None:
    with lab(new_engine).model.snapshot() as snapshot:
        known = Assignments(snapshot, REPO, at("07-01"))
        assert known.get("x") == themes("x", 1)
        assert known.get("y") is None


def test_the_edition_before_is_the_last_known_of_the_last_period(new_engine: NewEngine) -> None:
    found = lab(new_engine)
    assert before(found, "07-01", at("07-09")) == "June, again"
    assert before(found, "07-01", at("07-06")) == "June"
    assert before(found, "06-15", at("07-09")) == "May"
    assert before(found, "05-15", at("07-09")) is None


def test_a_rebuild_changes_no_row(new_engine: NewEngine) -> None:
    found = lab(new_engine)
    result = rebuild(found.model.engine, found.log, "curation", lambda: 0)
    assert (result.switched, result.differing) == (True, 0)
