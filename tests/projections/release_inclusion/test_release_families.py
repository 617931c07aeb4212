"""Predecessors and "first shipped in" of a view: publication, history, numberings, packages."""

import pytest

from tests.projections.release_inclusion.bench import Bench, dated, git, push
from tests.projections.release_inclusion.histories import Written, line_of


def _before(bench: Bench, tag: str, **moment: str) -> str | None:
    view = bench.view(**moment)
    before = view.predecessor(view.release(tag))
    return before.tag if before else None


def _patched() -> Bench:
    """v1.0.0 and v2.0.0 on main, then v1.0.1 on a branch with a pick."""
    written = Written()
    written.line("A (#1)", "B (#2)", "C (#3)")
    written.commit("p", "A (#1)", subject="cp: `C (3)` into `release-1.0` (#4)")
    written.branches = {"main": "C (#3)", "release-1.0": "p"}
    written.tags = {"v1.0.0": "A (#1)", "v2.0.0": "C (#3)"}
    dates = {"A (#1)": "03-01", "B (#2)": "03-02", "C (#3)": "03-03", "p": "03-05"}
    return Bench(
        *git(dated(written, **dates), "03-10"), push("refs/tags/v1.0.1", None, "p", "03-12")
    )


def test_a4_a_patch_of_later_does_not_change_what_a_release_is_told_against() -> None:
    bench = _patched()
    for moment in ("03-11", "03-20"):
        assert _before(bench, "v2.0.0", as_of=moment) == "v1.0.0"
        assert bench.new("v2.0.0", as_of=moment) == [2, 3]
    assert _before(bench, "v1.0.1") == "v1.0.0"
    assert bench.ask(3, "v2.0.0").first == "v2.0.0"


def test_a4_a_tag_that_a_fetch_found_later_is_earlier_where_history_says_so() -> None:
    written = dated(line_of("A (#1)", "B (#2)"), **{"A (#1)": "03-01", "B (#2)": "03-02"})
    written.tags = {"v1.0.0": "A (#1)", "v1.1.0": "B (#2)"}
    swapped = dated(line_of("A (#1)", "B (#2)"), **{"A (#1)": "03-02", "B (#2)": "03-01"})
    swapped.tags = dict(written.tags)
    for history in (written, swapped):  # clocks of committers run backwards now and then
        assert _before(Bench(*git(history, "03-10")), "v1.1.0") == "v1.0.0"


def test_a4_of_two_tags_on_one_commit_the_undated_one_may_be_the_later() -> None:
    """A lightweight tag has the date of its commit, so that one whose date is known seems later."""
    written = dated(line_of("A (#1)", "B (#2)"), **{"A (#1)": "03-01", "B (#2)": "03-02"})
    written.tags = {"v0.9.0": "A (#1)", "v1.0.1": "B (#2)"}
    bench = Bench(push("refs/tags/v1.0.0", None, "B (#2)", "03-04"), *git(written, "03-10"))
    assert _before(bench, "v1.0.1") == "v1.0.0"
    assert bench.ask(2, "v1.0.1").first == "v1.0.0"


@pytest.mark.parametrize("odd", ["v1.0.0-rcv0014", "nightly-15f559eb", "stable"])
def test_a2_a_tag_that_is_no_version_follows_the_nearest_tag_among_its_ancestors(odd: str) -> None:
    written = Written()
    written.line("A (#1)", "B (#2)", "C (#3)", "D (#4)", "E (#5)")
    written.branches = {"main": "E (#5)"}
    written.tags = {"v0.9.0": "A (#1)", "v0.10.0": "B (#2)", odd: "D (#4)", "v1.0.0": "E (#5)"}
    bench = Bench(*git(written, "03-10"))
    view = bench.view()
    assert view.release(odd).release is None
    assert _before(bench, odd) == "v0.10.0"
    assert bench.new(odd) == [3, 4]
    assert _before(bench, "v1.0.0") == "v0.10.0"


def test_a2_nearest_is_what_lacks_the_fewest_commits_also_across_merges() -> None:
    written = Written()
    written.line("A (#1)", "B (#2)", "C (#3)")
    written.commit("r", "C (#3)", subject="Release")
    written.commit("m", "C (#3)", "r", subject="Merge the release")
    written.branches = {"main": "m"}
    written.tags = {"v1.0.0": "A (#1)", "v1.1.0": "r", "latest": "m"}
    assert _before(Bench(*git(written, "03-10")), "latest") == "v1.1.0"


def test_a2_the_first_tag_of_all_has_nothing_before_it() -> None:
    written = line_of("A (#1)", "B (#2)", **{"before-v2x": "A (#1)", "v1.0.0": "B (#2)"})
    bench = Bench(*git(written, "03-10"))
    assert _before(bench, "before-v2x") is None
    assert _before(bench, "v1.0.0") is None


def _two_numberings() -> Bench:
    written = line_of("A (#1)", "B (#2)", "C (#3)", "D (#4)", "E (#5)")
    written.tags = {
        "v0.20.0": "A (#1)",
        "v1.0.0": "B (#2)",
        "v3.13.0": "C (#3)",
        "v0.313.0": "C (#3)",
        "v3.14.0-rc.0": "D (#4)",
        "v0.314.0": "E (#5)",
        "v3.14.0": "E (#5)",
    }
    days = ("03-01", "03-02", "03-03", "03-04", "03-05")
    dates = dict(zip(("A (#1)", "B (#2)", "C (#3)", "D (#4)", "E (#5)"), days, strict=True))
    return Bench(*git(dated(written, **dates), "03-10"))


def test_a12_two_numberings_of_one_family_do_not_mix() -> None:
    bench = _two_numberings()
    assert _before(bench, "v1.0.0") == "v0.20.0"
    assert _before(bench, "v3.14.0") == "v3.13.0"
    assert _before(bench, "v0.314.0") == "v0.313.0"


@pytest.mark.parametrize(
    ("number", "tag", "first"),
    [
        (5, "v3.14.0", "v3.14.0"),
        (5, "v0.314.0", "v0.314.0"),
        (3, "v3.14.0", "v3.13.0"),
        (3, "v0.314.0", "v0.313.0"),
        (2, "v0.314.0", "v1.0.0"),
        (5, "v1.0.0", "v3.14.0"),
        (4, "v3.14.0-rc.0", "v3.14.0-rc.0"),
        (4, "v3.14.0", "v3.14.0"),
        (3, "v3.14.0-rc.0", "v3.13.0"),
    ],
)
def test_a12_first_shipped_in_is_told_along_the_line_of_the_tag_asked(
    number: int, tag: str, first: str
) -> None:
    assert _two_numberings().ask(number, tag).first == first


def test_a12_where_counting_began_anew_the_last_release_by_history_comes_before() -> None:
    written = line_of("A (#1)", "B (#2)", **{"v2021.4": "A (#1)", "v1.0.0": "B (#2)"})
    assert _before(Bench(*git(written, "03-10")), "v1.0.0") == "v2021.4"


def test_a13_tags_of_one_commit_stand_together_the_main_one_first() -> None:
    written = line_of("A (#1)", "B (#2)")
    written.tags = dict.fromkeys(("pdata/v1.60.0", "v0.150.0", "latest", "a/v0.150.0"), "B (#2)")
    known = Bench(*git(written, "03-10")).view().known
    (same,) = known.by_commit.values()
    assert [known.tag for known in same] == ["v0.150.0", "a/v0.150.0", "pdata/v1.60.0", "latest"]
