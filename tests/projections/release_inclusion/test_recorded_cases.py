"""V01 to V08 of the field, from records through the read model to the answers."""

import pytest

from events.errors import NotFound
from projections.release_inclusion.answers import is_carrier_only
from tests.builders import at
from tests.projections.release_inclusion.bench import (
    Bench,
    dated,
    git,
    head,
    merged,
    opened,
    push,
)
from tests.projections.release_inclusion.histories import line_of, sha_of

# --- V01 ---------------------------------------------------------------------------------------


def test_v01_a_merge_dated_a_second_after_its_tag_is_in_the_tag() -> None:
    written = dated(
        line_of("A (#70)", "B (#71)", **{"v1.0.0": "A (#70)", "v1.1.0": "B (#71)"}),
        **{"A (#70)": "03-01 12:00:00", "B (#71)": "03-02 12:00:00"},
    )
    bench = Bench(
        opened(70, "02-20"),
        opened(71, "02-21"),
        merged(70, "A (#70)", "03-01 12:00:01"),
        merged(71, "B (#71)", "03-02 12:00:01"),
        *git(written, "03-03"),
    )
    assert bench.new("v1.0.0") == [70]
    assert bench.new("v1.1.0") == [71]
    assert bench.ask(70, "v1.1.0").first == "v1.0.0"


@pytest.mark.parametrize("by", ["push", "reading"])
def test_v01_tags_of_one_day_are_split_by_ancestry(by: str) -> None:
    subjects = {"v0.1": "Jan (#1)", "v0.2": "Feb (#2)", "v0.3": "Mar (#3)"}
    written = line_of(*subjects.values(), **subjects)
    # More than three tags at once give no push: then only the reading shows them.
    pushes = [
        push(f"refs/tags/{tag}", None, commit, "04-01 09:00:00") for tag, commit in subjects.items()
    ]
    bench = Bench(*(pushes if by == "push" else ()), *git(written, "04-02"))
    assert [bench.new(tag) for tag in subjects] == [[1], [2], [3]]
    if by == "push":
        assert {one.at for one in bench.view().releases} == {at("04-01 09:00:00")}


# --- V02 ---------------------------------------------------------------------------------------


def _backported() -> Bench:
    written = line_of(
        "start", "A (#80)", "B (#81)", "C (#82)", **{"v1.0.0": "start", "v2.0.0": "C (#82)"}
    )
    trailer = f"(cherry picked from commit {sha_of('C (#82)')})"
    written.commit("c'", "start", subject="[release-1.0] C (#90)", message=trailer)
    written.branches["release-1.0"] = written.tags["v1.0.1"] = "c'"
    robot = {"user": {"login": "backport[bot]", "type": "Bot"}}
    return Bench(
        *(merged(n, f"{name} (#{n})", f"03-0{n - 79}") for n, name in ((80, "A"), (81, "B"))),
        merged(82, "C (#82)", "03-03"),
        merged(90, "c'", "03-05", base={"ref": "release-1.0", "sha": "b" * 40}, **robot),
        *git(written, "03-09"),
    )


def test_v02_a_patch_release_brings_the_original_by_its_carrier() -> None:
    bench = _backported()
    assert bench.new("v1.0.1") == [82]
    assert bench.page("v1.0.1").carriers == (90,)
    verdict = bench.ask(82, "v1.0.1").verdict
    assert (verdict.how, verdict.by) == ("cherry-picked", (90,))
    assert bench.outcome(80, "v1.0.1") == bench.outcome(81, "v1.0.1") == "not_included"


def test_v02_the_carrier_can_be_looked_up_and_is_no_feature() -> None:
    bench = _backported()
    assert bench.outcome(90, "v1.0.1") == "included"
    assert is_carrier_only(bench.view(), 90)
    assert not is_carrier_only(bench.view(), 82)


def test_v02_the_next_minor_knows_what_shipped_before() -> None:
    bench = _backported()
    assert bench.new("v2.0.0", against="v1.0.0") == [80, 81, 82]
    assert [bench.ask(n, "v2.0.0").first for n in (80, 81, 82)] == ["v2.0.0", "v2.0.0", "v1.0.1"]


# --- V04 ---------------------------------------------------------------------------------------


def test_v04_of_several_numbers_in_a_subject_only_its_own_counts() -> None:
    subjects = (
        "Fix typo (acme/other#11774) (#4591)",
        'Revert "Tune timeouts (#4592)" (#4597)',
        "Cluster stuck(#3553) (#3642)",
        "Bump lib from #3 to #4 (#77)",
        "Follow-up to #1 and #3",
    )
    written = line_of(*subjects, v1=subjects[-1])
    written.commit("body", subjects[-1], subject="Tidy", message="see (#41)")
    written.branches["main"] = written.tags["v1"] = "body"
    bench = Bench(*git(written, "03-01"))
    page = bench.page("v1")
    assert [one.number for one in page.new] == [77, 3642, 4591, 4597]
    assert page.unattributed == (sha_of("body"), sha_of("Follow-up to #1 and #3"))
    with pytest.raises(NotFound):
        bench.outcome(41, "v1")


def test_v04_the_merge_commit_that_github_names_beats_the_text() -> None:
    bench = Bench(
        merged(55, "Fix (#99)", "03-01"), *git(line_of("Fix (#99)", v1="Fix (#99)"), "03-02")
    )
    assert bench.new("v1") == [55]


# --- V06 ---------------------------------------------------------------------------------------


def test_v06_a_rebase_merge_is_whole_only_with_all_its_commits() -> None:
    written = line_of("start (#90)", "a'", "b'", **{"v1.0": "a'", "v1.1": "b'"})
    written.commit("a", "start (#90)")
    written.commit("b", "a")
    bench = Bench(
        opened(91, "03-01", head=head("b")),
        merged(91, "b'", "03-02", commits=2, head=head("b")),
        *git(written, "03-03", refs={"refs/pull/91/head": "b"}),
    )
    verdict = bench.ask(91, "v1.0").verdict
    assert (verdict.outcome, verdict.evidence) == ("partly", (sha_of("a'"),))
    assert bench.outcome(91, "v1.1") == "included"
    assert (bench.new("v1.0"), bench.new("v1.1")) == ([90], [91])


def test_v06_a_later_promotion_does_not_take_the_commits_over() -> None:
    """dev is promoted to main by a rebase request; the commits stay those of #91 and #92."""
    written = line_of("start", "one", "two", v1="two")
    written.branches["dev"] = "two"
    bench = Bench(
        merged(91, "one", "03-01", base={"ref": "dev", "sha": "b" * 40}),
        merged(92, "two", "03-02", base={"ref": "dev", "sha": "b" * 40}),
        merged(99, "two", "03-03", commits=2),
        *git(written, "03-04"),
    )
    assert bench.new("v1") == [91, 92]
    assert bench.page("v1").carriers == (99,)


# --- V07, V08 ----------------------------------------------------------------------------------

REVERT = 'Revert "X (#95)" (#96)'
AGAIN = 'Revert "Revert "X (#95)" (#96)" (#97)'


def test_v07_what_was_reverted_before_the_release_never_shipped() -> None:
    bench = Bench(*git(line_of("X (#95)", REVERT, **{"v1.0": REVERT}), "03-01"))
    verdict = bench.ask(95, "v1.0").verdict
    assert (verdict.outcome, verdict.by) == ("reverted", (96,))
    page = bench.page("v1.0")
    assert ([v.number for v in page.new], [v.number for v in page.reverted]) == ([96], [95])
    assert bench.ask(95, "v1.0").first is None


def test_v07_what_was_reverted_after_a_release_is_removed_in_the_next() -> None:
    bench = Bench(*git(line_of("X (#95)", REVERT, **{"v1.0": "X (#95)", "v1.1": REVERT}), "03-01"))
    assert bench.outcome(95, "v1.0") == "included"
    verdict = bench.ask(95, "v1.1").verdict
    assert (verdict.outcome, verdict.by) == ("removed", (96,))
    assert [v.number for v in bench.page("v1.1").removed] == [95]


def test_v08_a_revert_of_the_revert_ships_it_in_the_same_release() -> None:
    bench = Bench(*git(line_of("X (#95)", REVERT, AGAIN, **{"v1.0": AGAIN}), "03-01"))
    verdict = bench.ask(95, "v1.0").verdict
    assert (verdict.outcome, verdict.how, verdict.by) == ("included", "restored", (97,))


def test_v08_across_releases_it_is_out_of_the_first_and_in_the_second() -> None:
    written = line_of("X (#95)", REVERT, AGAIN, **{"v1.0": REVERT, "v1.1": AGAIN})
    bench = Bench(*git(written, "03-01"))
    assert (bench.outcome(95, "v1.0"), bench.outcome(95, "v1.1")) == ("reverted", "included")
    assert 95 in bench.new("v1.1")
    assert bench.ask(95, "v1.1").first == "v1.1"
