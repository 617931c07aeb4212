"""Drift, hints and acknowledgements, case by case."""

import pytest

from events.facts.roadmap import DriftAcknowledged
from events.sources.authored import author
from projections.roadmap_status.drift.drift import DriftKind
from projections.roadmap_status.drift.release_holds import Extent
from projections.roadmap_status.release_matrix import matrix
from tests.builders import REPO, at
from tests.projections.release_inclusion.bench import Arrival, git, merged, opened
from tests.projections.release_inclusion.histories import Written
from tests.projections.roadmap_status.bench import ROADMAP, RoadmapBench, roadmap
from tests.projections.roadmap_status.test_statuses import merges

ABSENT, ELSEWHERE = DriftKind.ABSENT, DriftKind.ELSEWHERE
OPEN, STALE, DATE = DriftKind.CLAIMED_OPEN, DriftKind.STALE, DriftKind.WRONG_DATE

CASES = [
    ("delivered on main", "#1", []),
    ("delivered", "#1", []),
    ("delivered", "#3", [ELSEWHERE]),
    ("delivered on dev", "#3", []),
    ("delivered on main", "#3", [ELSEWHERE]),
    ("delivered on main and dev", "#1 #3", []),
    ("delivered on main and dev", "#1", [ELSEWHERE]),
    ("delivered", "#1 #4", [ABSENT]),
    ("delivered", "#1 #99", []),
    ("delivered", "#4", [ABSENT]),
    ("delivered", "#6", [ABSENT]),
    ("delivered", "#99", []),
    ("delivered", "", []),
    ("foundation delivered on dev", "#1", [ELSEWHERE]),
    ("foundation delivered on main", "#1 #4", []),
    ("foundation delivered", "#4", [ABSENT]),
    ("in progress", "#4", []),
    ("in progress", "#1 #4", []),
    ("in progress", "#1", []),
    ("in progress", "#6", [STALE]),
    ("planned", "#1", [OPEN]),
    ("planned", "#4", [STALE]),
    ("planned", "", []),
    ("draft", "#5", []),
    ("draft", "#4", [STALE]),
    ("closed, unmerged", "#6", []),
    ("closed, unmerged", "#1", [OPEN]),
    ("not done", "#1", [OPEN]),
    ("dropped", "#4", [STALE]),
    ("delivered January 5", "#1", []),
    ("delivered January 6", "#1", []),
    ("delivered January 9", "#1", [DATE]),
]


@pytest.mark.parametrize(("claim", "links", "expected"), CASES)
def test_a_claim_is_held_against_the_facts(
    claim: str, links: str, expected: list[DriftKind]
) -> None:
    lines = "".join(f"  * {link}\n" for link in links.split())
    bench = RoadmapBench(*merges(), roadmap(f"* **Thing** — {claim}\n{lines}"))
    assert bench.drifts("Thing") == [kind.value for kind in expected]


SAID = [
    ("it is on main (#1); the port (#4) remains open", []),
    ("the port (#2) remains open", [OPEN]),
    ("the port (#4) was merged", [ABSENT]),
    ("it is merged on dev (#1)", [ELSEWHERE]),
    ("the port (#5) remains draft", []),
    ("the port (#4) remains draft", [STALE]),
    ("the port (#6) was closed without merging", []),
    ("the port (#1) was closed without merging", [OPEN]),
    ("it is there (#1, merged January 5)", []),
    ("it is there (#1, merged January 15)", [DATE]),
    ("it is there (#99, merged January 15)", []),
]


@pytest.mark.parametrize(("said", "expected"), SAID)
def test_what_is_said_of_a_link_is_held_against_it(said: str, expected: list[DriftKind]) -> None:
    bench = RoadmapBench(*merges(), roadmap(f"* **Thing** - Now {said}.\n"))
    assert bench.drifts("Thing") == [kind.value for kind in expected]


def test_drifts_come_in_their_order() -> None:
    text = "* **Thing** — delivered January 20 - The port (#2) remains open.\n  * #1\n  * #4\n"
    kinds = RoadmapBench(*merges(), roadmap(text)).drifts("Thing")
    assert kinds == sorted(kinds, key=lambda kind: DriftKind(kind).severity)
    assert kinds[0] == ABSENT.value


def released() -> list[Arrival]:
    """#1 is in v1.0.0, #2 only on main."""
    history = Written()
    history.commit("a", subject="Add a (#1)", at=at("01-01"))
    history.commit("b", "a", subject="Add b (#2)", at=at("01-10"))
    history.branches, history.tags = {"main": "b"}, {"v1.0.0": "a"}
    return git(history, "01-20")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("delivered in 1.0.0\n  * #1", []),
        ("delivered in v1.0.0\n  * #2", ["claimed in a release, not in it"]),
        ("targeted for 1.0.0\n  * #2", ["target release passed"]),
        ("targeted for 2.0.0\n  * #2", []),
    ],
)
def test_releases_that_a_text_names_are_looked_into(text: str, expected: list[str]) -> None:
    bench = RoadmapBench(*released(), roadmap(f"* **Thing** — {text}\n"))
    found = [kind for kind in bench.drifts("Thing") if "release" in kind]
    assert found == expected


def test_a_drift_begins_with_the_later_of_claim_and_fact() -> None:
    text = "* **Thing** — planned\n  * #1\n"
    early = RoadmapBench(roadmap(text, "01-02"), *merges())
    late = RoadmapBench(*merges(), roadmap(text, "02-01"), roadmap(f"{text}\nMore.\n", "02-09"))
    (of_fact,) = early.item("Thing").drift
    (of_claim,) = late.item("Thing").drift
    assert (of_fact.since, of_fact.record_id) == (at("01-05"), "merged-1")
    assert (of_claim.since, of_claim.record_id) == (at("02-01"), "issue-50-edited-02-01")


HINTS = [
    ("* **Thing** — delivered\n", ["WITHOUT_LINK"]),
    ("* **Thing** — delivered\n  * #99\n", ["UNPROVEN"]),
    ("* **Thing**\n  * Add it (1/2) #1\n", ["SERIES_INCOMPLETE"]),
    ("* **Thing**\n  * Add it (1/2) #1\n  * Add it (2/2) #2\n", []),
    ("* **Thing**\n  * Add it, Part (1/N) #1\n", ["SERIES_INCOMPLETE"]),
    ("* [ ] **Thing** — delivered #1\n", ["CONTRADICTS_ITSELF"]),
    ("* **Thing**\n  * #1\n  * #3\n", ["SCATTERED"]),
]


@pytest.mark.parametrize(("text", "expected"), HINTS)
def test_hints_are_kept_apart(text: str, expected: list[str]) -> None:
    bench = RoadmapBench(*merges(), roadmap(text))
    assert bench.hints("Thing") == expected
    assert bench.drifts("Thing") == []


def quiet(digest: str, item: str, when: str, **fields: object) -> Arrival:
    values = {"author": "dev-a", "reason": "known", "decided_at": at(when), **fields}
    fact = DriftAcknowledged(number=ROADMAP, item=item, digest=digest, **values)  # type: ignore[arg-type]
    return when, author(REPO, fact, time=at(when))


def test_an_acknowledged_drift_fires_again_when_the_facts_change() -> None:
    story = [opened(4, "01-08"), roadmap("* **Thing** — delivered\n  * #4\n", "02-01")]
    found = RoadmapBench(*story).item("Thing")
    (drift,) = found.drift
    own = found.judged.id
    bench = RoadmapBench(
        *story,
        quiet(drift.digest, own, "02-02", expires_at=at("03-01")),
        merged(4, None, "02-10", base={"ref": "dev"}, created_at="01-08"),
    )
    (still,) = bench.item("Thing", as_of="02-05").drift
    assert still.digest == drift.digest
    assert still.acknowledged is not None
    (before,) = bench.item("Thing", as_of="02-05", known_at="02-01 12:00:00").drift
    assert before.acknowledged is None
    (again,) = bench.item("Thing", as_of="02-11").drift
    assert (again.kind, again.acknowledged) == (ELSEWHERE, None)


def test_an_acknowledgement_ends_and_can_be_taken_back() -> None:
    story = [opened(4, "01-08"), roadmap("* **Thing** — delivered\n  * #4\n", "02-01")]
    found = RoadmapBench(*story).item("Thing")
    (drift,) = found.drift
    own = found.judged.id
    ending = RoadmapBench(*story, quiet(drift.digest, own, "02-02", expires_at=at("02-20")))
    assert ending.item("Thing", as_of="02-19").drift[0].acknowledged is not None
    assert ending.item("Thing", as_of="02-20").drift[0].acknowledged is None
    back = RoadmapBench(
        *story,
        quiet(drift.digest, own, "02-02"),
        quiet(drift.digest, own, "02-03", holds=False),
    )
    assert back.item("Thing").drift[0].acknowledged is None


def test_a_dash_is_a_release_that_lacks_it_and_never_a_request_of_which_nothing_is_known() -> None:
    """#2 lies after the cut of v1.0.0, #8 is open, #9 was merged without a trace, #77 is unseen."""
    text = "".join(f"* **Thing {number}**\n  * #{number}\n" for number in (1, 2, 8, 9, 77))
    bench = RoadmapBench(*released(), opened(8, "01-05"), merged(9, None, "01-05"), roadmap(text))
    with bench.desk() as desk:
        rows = matrix(desk, desk.view_of(50))
    first = {row.item.judged.match.item.title: row.holdings[0].extent for row in rows}
    assert first == {
        "Thing 1": Extent.WHOLE,
        "Thing 2": Extent.NOT,
        "Thing 8": Extent.NOT,
        "Thing 9": Extent.UNKNOWN,
        "Thing 77": Extent.UNKNOWN,
    }


@pytest.mark.parametrize(
    ("words", "links", "status", "drifts"),
    [
        ("delivered", "#9", "unknown", []),
        ("in progress", "#9", "unknown", []),
        ("delivered", "#1 #9", "partly delivered on main", []),
        ("delivered", "#9 #4", "in progress", [ABSENT]),
        ("the port (#9) remains open", "", "unknown", [OPEN]),
        ("the port (#9) is merged", "", "unknown", []),
    ],
)
def test_a_merge_without_a_trace_in_git_proves_nothing_and_contradicts_nothing(
    words: str, links: str, status: str, drifts: list[DriftKind]
) -> None:
    written = Written(branches={"main": "one"})
    written.commit("one", subject="Add the first thing (#1)", at=at("01-05"))
    bench = RoadmapBench(
        *(merged(1, "one", "01-05"), merged(9, None, "01-06"), opened(4, "01-07")),
        *git(written, "01-08"),
        roadmap(f"* **Thing** — {words}\n" + "".join(f"  * {link}\n" for link in links.split())),
    )
    assert bench.told("Thing") == status
    assert bench.drifts("Thing") == [kind.value for kind in drifts]
