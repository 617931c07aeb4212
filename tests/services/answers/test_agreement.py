"""The same request, the same answer everywhere: `pr`, `why`, `included`, report, edition, roadmap.

`agreeing.py` says what has to agree. Asked is about every request of simulated worlds, of small
histories written by hand, and (slow) of the real July and August 2026.
"""

from pathlib import Path

import msgspec
import pytest

from events.instant import DAY
from projections.release_inclusion.view import HistoryCache
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.period import Period, period
from services.answers.reports.assemble import assemble
from services.cli.answering import up_to_date
from services.simulator import simulate
from tests.builders import at, close
from tests.lab import Lab, created, heard
from tests.projections.release_inclusion.bench import Arrival, git, head, merged, opened
from tests.projections.release_inclusion.histories import Written, sha_of
from tests.projections.release_inclusion.worlds import recorded
from tests.real_history import NAME, NewFolder
from tests.services.answers.agreeing import contradictions, page_contradictions
from tests.services.answers.asked_everywhere import Asked, asked_everywhere, roadmap_linking
from tests.worlds import REPO, project


def all_of(asked: Asked) -> list[tuple[str, int, str]]:
    view = asked.releases.view
    tags = [release.tag for release in view.releases if release.commit in view.history.graph]
    return [*contradictions(asked), *page_contradictions(asked, tags)]


@pytest.mark.parametrize(
    "seed", [3, pytest.param(8, marks=pytest.mark.slow), pytest.param(34, marks=pytest.mark.slow)]
)
def test_nothing_contradicts_itself_in_a_world(seed: int, tmp_path: Path) -> None:
    world = simulate(seed, pulls=40, days=80)
    found = recorded(world, tmp_path, cuts=[world.truth.start + 40 * DAY])
    pulls = [pull.number for pull in world.truth.pulls]
    found.log.append([roadmap_linking(REPO, pulls, world.truth.start)])
    model = project(found.log, clock=lambda: world.truth.end + 365 * DAY)
    histories, told = HistoryCache(), set[str]()
    for first, last, smallest in ((0, 40, 1), (40, 80, 5), (0, 80, 1)):
        start = world.truth.start
        days = Period(start=start + first * DAY, end=start + last * DAY, zone="UTC")
        with asked_everywhere(
            model, "acme/widget", days, histories=histories, smallest=smallest
        ) as asked:
            assert asked.requests.keys() == set(pulls)
            assert all_of(asked) == []
            told |= {one.life.state for one in asked.requests.values() if one.life}
    assert {"open", "closed", "merged"} <= told


def history(subject: str, *, second_parent: str | None = None) -> Written:
    """Return `main` with #1, #2, what is given, and #3; `release-1.0` was cut before it."""
    written = Written()
    rows = (
        ("root", "Start", "02-20"),
        ("a", "Add a (#1)", "03-01"),
        ("b", "Add b (#2)", "03-02"),
        ("u", subject, "03-05"),
        ("e", "End (#3)", "03-08"),
    )
    written.commit("work", "root", subject="Work", at=at("03-02"))
    parent: tuple[str, ...] = ()
    for name, words, when in rows:
        more = (second_parent,) if name == "u" and second_parent else ()
        written.commit(name, *parent, *more, subject=words, at=at(when))
        parent = (name,)
    written.commits = [
        msgspec.structs.replace(one, branch=None if one.sha == sha_of("work") else "main")
        for one in written.commits
    ]
    written.branches = {"main": "e", "release-1.0": "b"}
    written.tags = {"v1.0.0": "b", "v2.0.0": "e"}
    return written


def closed(number: int, when: str, **fields: object) -> Arrival:
    return when, close(f"closed-{number}", number, when, created_at="03-02", **fields)


WORK = {"head": head("work")}
HISTORIES: dict[str, list[Arrival]] = {
    "a revert by request": git(history('Revert "Add b (#2)" (#5)'), "03-10"),
    "a revert of a title": git(history('Revert "Add b"'), "03-10"),
    "a revert in doubt": git(history("Undo part of #2 (#5)"), "03-10"),
    "a revert of what nobody knows": git(history('Revert "Something else" (#5)'), "03-10"),
    "open and closed": [
        opened(7, "03-03"),
        *(opened(8, "03-03"), closed(8, "03-04")),
        *git(history("More (#4)"), "03-10"),
    ],
    "only its head": git(history("More (#4)"), "03-10", refs={"refs/pull/11/head": "work"}),
    "landed by a bot's push": [
        *(opened(4, "03-02", **WORK), closed(4, "03-05", **WORK)),
        *git(history("Fix (#4)"), "03-10"),
    ],
    "landed by a bot's merge": [
        *(opened(4, "03-02", **WORK), closed(4, "03-05", **WORK)),
        *git(history("Merge #4", second_parent="work"), "03-10"),
    ],
}
MARCH = period("2026-03-01", "2026-04-01", "UTC")
#: Merged, as GitHub says, and no commit that is recorded shows it.
TRACELESS = [merged(9, None, "03-08", created_at="03-01"), *git(history("More (#4)"), "03-10")]


def found_in(arrivals: list[Arrival]) -> list[tuple[str, int, str]]:
    link_all = ("03-12", roadmap_linking(REPO, range(1, 13), at("02-25")))
    lab = Lab([created(), *sorted([*arrivals, link_all], key=_when), heard("04-20")])
    found = []
    for start, end in (("2026-03-01", "2026-04-01"), ("2026-03-01", "2026-03-06")):
        days = period(start, end, "UTC")
        with asked_everywhere(lab.model, "acme/widget", days) as asked:
            assert asked.requests
            found += all_of(asked)
    return found


def _when(arrival: Arrival) -> int:
    return at(arrival[0])


@pytest.mark.parametrize("case", HISTORIES)
def test_nothing_contradicts_itself_in_a_small_history(case: str) -> None:
    assert found_in(HISTORIES[case]) == []


def test_what_left_no_trace_cannot_be_told_in_the_row_either() -> None:
    assert [found for found in found_in(TRACELESS) if found[0] == "places"] == []


def test_what_left_no_trace_is_merged_by_githubs_word_everywhere() -> None:
    assert found_in(TRACELESS) == []
    link_all = ("03-12", roadmap_linking(REPO, [9, 4], at("02-25")))
    lab = Lab([created(), *sorted([*TRACELESS, link_all], key=_when), heard("04-20")])
    with asked_everywhere(lab.model, "acme/widget", MARCH) as asked:
        told = asked.requests[9]
        assert told.why
        assert told.why.place.section == "delivered"
        assert told.part
        assert told.item
        assert told.part.state.outcome == "merged, no trace in git"
        assert (told.part.state.branches, told.item.status) == ((), "unknown")
        shown = asked.requests[4].part
        assert shown
        assert shown.state.outcome == "merged"
        changes = [change for theme in asked.edition.themes for change in theme.changes]
        changes += [change for left in asked.edition.left_over.values() for change in left]
        tellings = {change.lead: change.told.telling for change in changes}
        assert (tellings[9], tellings[4]) == ("untraced", "delivered")


@pytest.mark.slow
def test_nothing_contradicts_itself_in_the_real_months(
    imported_history: NewFolder,
) -> None:
    with up_to_date(imported_history()) as stores:
        builder = QuestionBuilder(stores.settings)
        months = [
            QuestionRequest(repository=NAME, period=month, zone="Asia/Shanghai")
            for month in ("2026-07", "2026-08")
        ]
        numbers: set[int] = set()
        with stores.read_model.snapshot() as snapshot:
            for month in months:
                report = assemble(snapshot, builder.report(month))
                repo = report.repo
                numbers |= {row.number for rows in report.entries.values() for row in rows}
                numbers |= {candidate.number for candidate in report.candidates}
        stores.log.append([roadmap_linking(repo, numbers, at("06-01"))])
    with up_to_date(stores.settings.data) as stores:
        histories = HistoryCache()
        for month in months:
            days = builder.report(month).period
            with asked_everywhere(
                stores.read_model, NAME, days, histories=histories, smallest=3
            ) as asked:
                assert asked.requests.keys() == numbers
                tags = [
                    release.tag
                    for release in asked.releases.view.releases
                    if days.start <= release.at < days.end
                ]
                assert [*contradictions(asked), *page_contradictions(asked, tags)] == []
