"""The head of an edition, character for character that of the published reports."""

import pytest

from events.errors import InvalidQuestion
from services.simulator import World, simulate
from services.simulator.counts import counts
from tests.answers import edition_text
from tests.builders import at, pull_request
from tests.lab import Lab, created, heard
from tests.services.answers.editions.desk import edition_of, simulated

MONTHS = (("2026-05-01", "2026-06-01"), ("2026-06-01", "2026-07-01"), ("2026-07-01", "2026-08-01"))


@pytest.fixture(scope="module")
def world() -> World:
    return simulate(11, pulls=70, days=100)


def test_title_period_and_count_lines_are_those_of_the_seed(world: World) -> None:
    edition = edition_of(simulated(world), "2026-06-01", "2026-07-01", tz="Asia/Shanghai")
    period = edition.report.period
    true = counts(world.truth.pulls, period.start, period.end)
    excluded = edition.report.exclusions
    lines = edition_text(edition, "txt").split("\n")
    assert lines[:9] == [
        "widget Monthly Activity Report — June 2026",
        "",
        "[author]",
        "",
        "widget Monthly Activity Report — June 2026",
        "",
        "Period: 2026-06-01 through 2026-06-30 (Asia/Shanghai); source: acme/widget.",
        "",
        "Overview",
    ]
    assert [line for line in lines if line.startswith("• ")][:2] == [
        f"• PRs opened: {true['opened']}; merged during the period: {true['merged']}; "
        f"closed without merge: {true['closed_without_merge']}; "
        f"still open at period end: {true['opened_and_still_open']}.",
        f"• Excluded from the narrative: test-only {excluded.total('test-only')}, "
        f"CI-only {excluded.total('ci-only')}, "
        f"test/CI-only {excluded.total('test-and-ci-only')}, "
        f"format-only {excluded.total('format-only')}.",
    ]
    parts = edition.reconciliation
    excluded_merged = sum(map(len, parts.excluded.values()))
    foot = lines.index("Scope and Method")
    assert lines[foot : foot + 7] == [
        "Scope and Method",
        "",
        "The narrative is grouped by technical theme. Related dev and main PRs are described "
        "once; the complete PR ledger, exclusion evidence, and state events remain in the local "
        "database. PRs closed without merge are counted but not narrated.",
        "",
        f"Merged {len(parts.merged)} = told {len(parts.told)} + twins {len(parts.twins)} "
        f"+ excluded {excluded_merged} + not told {len(parts.not_told)}.",
        "",
        "Coverage: complete.",
    ]


@pytest.mark.parametrize(
    ("start", "end", "title"),
    [
        ("2026-06-29", "2026-07-06", "Weekly Activity Report — 2026-06-29 through 2026-07-05"),
        ("2026-07-01", "2026-08-01", "Monthly Activity Report — July 2026"),
        ("2026-04-01", "2026-07-01", "Quarterly Activity Report — Q2 2026"),
        ("2026-06-03", "2026-06-05", "Activity Report — 2026-06-03 through 2026-06-04"),
    ],
)
def test_each_kind_of_period_has_its_title(world: World, start: str, end: str, title: str) -> None:
    text = edition_text(edition_of(simulated(world), start, end), "txt")
    assert text.startswith(f"widget {title}\n")


def test_a_period_that_is_not_over_says_through_which_day_it_is_told(world: World) -> None:
    edition = edition_of(
        simulated(world), "2026-06-01", "2026-07-01", as_of=world.truth.start + 40 * 86_400_000_000
    )
    assert edition.stage == "through"
    assert "June 2026 (through 2026-06-10)" in edition_text(edition, "md")
    assert "2026年6月（截至 2026-06-10）" in edition_text(edition, "md", "zh")


def test_final_is_said_where_nothing_can_be_missing() -> None:
    arrivals = [created(), ("07-02", pull_request("a", 1, "opened", "07-02"))]
    with pytest.raises(InvalidQuestion, match=r"Final: nothing was heard .* after 2026-07-02"):
        edition_of(Lab(arrivals).model, stage="final")
    lab = Lab([*arrivals, heard()])
    assert "July 2026 (Final)" in edition_text(edition_of(lab.model, stage="final"), "md")
    with pytest.raises(InvalidQuestion, match="cannot be called Final: the last local day"):
        edition_of(lab.model, stage="final", as_of=at("07-15"))


def test_final_is_refused_where_something_may_be_missing() -> None:
    lab = Lab([("07-02", pull_request("a", 7, "opened", "07-02"))])
    with pytest.raises(InvalidQuestion, match="no full listing is recorded"):
        edition_of(lab.model, stage="final")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_reconciliation_adds_up_in_every_month(seed: int) -> None:
    world = simulate(seed, pulls=60, days=92)
    model = simulated(world)
    for start, end in MONTHS:
        edition = edition_of(model, start, end)
        parts = edition.reconciliation
        excluded = [number for numbers in parts.excluded.values() for number in numbers]
        every = [*parts.told, *parts.twins, *excluded, *parts.not_told]
        true = counts(world.truth.pulls, edition.report.period.start, edition.report.period.end)
        assert sorted(every) == list(parts.merged)
        assert edition.not_told.keys() >= {*parts.not_told, *excluded}, "a reason is missing"
        assert len(parts.merged) == true["merged"]
        printed = {number for theme in edition.of("delivered") for number in theme.numbers}
        assert {*parts.told, *parts.twins} <= printed | {
            number for theme in edition.of("in_progress") for number in theme.numbers
        }
