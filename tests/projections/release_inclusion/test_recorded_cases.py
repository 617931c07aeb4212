"""V cases of the field, from records through the read model to the answers."""

import json

import msgspec
import pytest

from events.errors import NotFound
from events.facts.repository import GapObserved
from events.record import Record
from events.translate import translate
from projections.release_inclusion.answers import is_carrier_only
from tests.builders import REPO, at
from tests.projections.release_inclusion.bench import (
    Bench,
    commits,
    git,
    head,
    merged,
    opened,
    push,
    read_refs,
    release,
)
from tests.projections.release_inclusion.histories import Written, line_of, sha_of

MAIN = "refs/heads/main"


def _dated(written: Written, **dates: str) -> Written:
    """Give commits their committer dates."""
    moments = {sha_of(name): at(when) for name, when in dates.items()}
    written.commits = [
        msgspec.structs.replace(one, committed_at=moments[one.sha]) for one in written.commits
    ]
    return written


# --- V01 ---------------------------------------------------------------------------------------


def test_v01_a_merge_dated_a_second_after_its_tag_is_in_the_tag() -> None:
    written = _dated(
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


# --- V11 ---------------------------------------------------------------------------------------


def _tagged() -> Bench:
    written = line_of("A (#1)", "B (#2)", "C (#3)", "D (#4)", "E (#5)", "F (#6)")
    tags = {
        "v1.6.0": "B (#2)",
        "v1.7.0": "C (#3)",
        "v1.8.0-rc9": "D (#4)",
        "v1.8.0-rc10": "E (#5)",
        "v1.8.0": "E (#5)",
        "v1.0.0.dev20260721": "F (#6)",
    }
    written.tags.update(tags)
    written.branches["v1.7.0"] = "F (#6)"  # a branch of the same name
    annotated = push("refs/tags/v1.5.0", None, "A (#1)", "03-01", tag_object="e" * 40)
    return Bench(annotated, *git(written, "03-02"))


def test_v11_annotated_tags_are_peeled_and_lightweight_ones_count_as_much() -> None:
    bench = _tagged()
    view = bench.view()
    first = view.release("v1.5.0")
    assert (first.annotated, first.commit) == (True, sha_of("A (#1)"))
    before = view.predecessor(view.release("v1.7.0"))
    assert before is not None
    assert (before.tag, before.annotated) == ("v1.6.0", False)
    assert bench.outcome(1, "v1.5.0") == "included"


def test_v11_a_final_is_told_against_the_last_final_and_may_be_empty_against_its_candidate() -> (
    None
):
    bench = _tagged()
    view = bench.view()
    assert bench.new("v1.8.0") == [4, 5]
    assert bench.new("v1.8.0", against="v1.8.0-rc10") == []
    before = view.predecessor(view.release("v1.8.0-rc10"))
    assert before is not None
    assert before.tag == "v1.8.0-rc9"
    assert [one.tag for one in view.releases][-3:] == ["v1.8.0-rc9", "v1.8.0-rc10", "v1.8.0"]


def test_v11_a_development_tag_precedes_no_final_and_a_branch_of_the_name_is_no_tag() -> None:
    view = _tagged().view()
    finals = [one for one in view.releases if one.release and one.release.final]
    befores = [before.tag for one in finals if (before := view.predecessor(one))]
    assert befores == ["v1.5.0", "v1.6.0", "v1.7.0"]
    assert view.release("v1.7.0").commit == sha_of("C (#3)")


# --- V14 ---------------------------------------------------------------------------------------


def test_v14_a_draft_is_invisible_until_it_is_published() -> None:
    draft = {"draft": True, "published_at": None}
    bench = Bench(
        *git(line_of("A (#1)", v1="A (#1)"), "03-01"),
        release("created", "v1", "03-02", **draft),
        release("published", "v1", "03-05"),
        release("released", "v1", "03-05 00:00:01", published_at="2026-03-05T00:00:00Z"),
        release("edited", "v1", "03-07", published_at="2026-03-05T00:00:00Z"),
    )
    assert bench.view(as_of="03-04").release("v1").published is None
    shown = bench.view(as_of="03-06").release("v1")
    assert (shown.at, shown.evidence) == (at("03-05"), "published")
    assert len(bench.view().releases) == 1
    assert bench.view(as_of="03-06", known_at="03-04").release("v1").published is None


def test_v14_a_promoted_prerelease_stays_one_release_and_was_none_before() -> None:
    written = line_of("A (#1)", "B (#2)", **{"v1.0": "A (#1)", "v2.0": "B (#2)"})
    since = "2026-03-02T00:00:00Z"
    bench = Bench(
        *git(written, "03-01"),
        release("published", "v2.0", "03-02", prerelease=True),
        release("released", "v2.0", "03-09", published_at=since),
    )
    before, after = (bench.view(as_of=day).release("v2.0") for day in ("03-05", "03-10"))
    assert before.release is not None
    assert after.release is not None
    assert (before.release.final, after.release.final) == (False, True)
    assert before.at == after.at == at("03-02")


def test_v14_a_deleted_release_was_there_for_its_time_and_its_tag_stays() -> None:
    bench = Bench(
        *git(line_of("A (#1)", v1="A (#1)"), "03-01"),
        release("published", "v1", "03-02"),
        release("deleted", "v1", "03-08", published_at="2026-03-02T00:00:00Z"),
    )
    assert bench.view(as_of="03-05").release("v1").published is not None
    assert bench.view().release("v1").published is None
    assert bench.outcome(1, "v1") == "included"


def test_v14_a_package_is_told_against_its_own_last_release() -> None:
    written = line_of("A (#1)", "B (#2)", "C (#3)")
    written.tags.update(
        {"ecs/v0.0.1": "A (#1)", "vpc/v0.0.1": "B (#2)", "ecs/v0.0.2": "C (#3)"}
    )
    bench = Bench(*git(written, "03-01"))
    assert bench.new("ecs/v0.0.2") == [2, 3]
    assert bench.new("vpc/v0.0.1") == [1, 2]


def _odd() -> Bench:
    written = line_of("start", "H", "more", "C (#120)", v1="C (#120)")
    written.branches["release-1"] = "C (#120)"
    written.commit("test merge", "start", "more")
    return Bench(
        merged(110, None, "03-01", head=head("H")),
        merged(112, None, "03-01", head=head("never fetched")),
        opened(111, "03-01", merge_commit_sha=sha_of("more"), head=head("elsewhere")),
        merged(120, "C (#120)", "03-02"),
        merged(121, "C (#120)", "03-03", base={"ref": "release-1", "sha": "b" * 40}),
        *git(written, "03-05"),
    )


def test_v14_a_merge_without_a_merge_commit_is_found_by_its_head_or_undetermined() -> None:
    bench = _odd()
    assert bench.outcome(110, "v1") == "included"
    lost = bench.ask(112, "v1").verdict
    assert (lost.outcome, lost.reason) == ("undetermined", "no commit is known")


def test_v14_an_open_request_is_in_no_release_whatever_its_test_merge() -> None:
    verdict = _odd().ask(111, "v1").verdict
    assert (verdict.outcome, verdict.reason) == ("not_included", "open")


def test_v14_a_commit_of_two_requests_is_the_landing_of_one_and_carried_by_the_other() -> None:
    bench = _odd()
    assert bench.page("v1").carriers == (121,)
    assert 120 in bench.new("v1")
    assert 121 not in bench.new("v1")


# --- V13 ---------------------------------------------------------------------------------------


def test_v13_a_tag_whose_commit_was_not_fetched_yet_is_undetermined_and_named() -> None:
    bench = Bench(
        opened(7, "03-01"),
        *git(line_of("A (#1)", **{"v1.0": "A (#1)"}), "03-02"),
        push("refs/tags/v1.1", None, "B (#2)", "03-03"),
    )
    verdict = bench.ask(1, "v1.1").verdict
    assert (verdict.outcome, verdict.reason) == ("undetermined", "history is incomplete")
    assert verdict.missing == (sha_of("B (#2)"),)
    assert bench.page("v1.1").missing == (sha_of("B (#2)"),)
    assert bench.outcome(1, "v1.0") == "included"


def test_v13_a_shallow_history_is_never_complete() -> None:
    written = Written(branches={"main": "B (#2)"}, tags={"v1": "B (#2)"})
    written.commit("B (#2)", "A (#1)")
    bench = Bench(opened(7, "03-01"), *git(written, "03-02"))
    assert bench.outcome(2, "v1") == "included"
    verdict = bench.ask(7, "v1").verdict
    assert (verdict.outcome, verdict.missing) == ("undetermined", (sha_of("A (#1)"),))
    assert bench.page("v1").missing == (sha_of("A (#1)"),)


def test_v13_a_removal_is_not_told_against_a_release_that_was_not_fetched() -> None:
    written = line_of("X (#95)", REVERT, **{"v1.1": REVERT})
    bench = Bench(*git(written, "03-02"), push("refs/tags/v1.0", None, "lost", "03-03"))
    verdict = bench.ask(95, "v1.1").verdict
    assert (verdict.outcome, verdict.missing) == ("undetermined", (sha_of("lost"),))


def test_v13_a_history_that_was_deepened_answers_and_the_old_answer_stays() -> None:
    shallow = Written(branches={"main": "B (#2)"}, tags={"v1": "B (#2)"})
    shallow.commit("B (#2)", "A (#1)")
    whole = line_of("A (#1)", "B (#2)")
    bench = Bench(
        opened(7, "03-01"),
        *git(shallow, "03-02"),
        ("03-05", commits(whole, "03-05", previous="1")),
        ("03-05", read_refs([], "03-05", previous="1")),
    )
    assert bench.outcome(7, "v1", known_at="03-04") == "undetermined"
    assert (bench.outcome(7, "v1"), bench.outcome(1, "v1")) == ("not_included", "included")


@pytest.mark.xfail(reason="missing source: nothing reads GitHub's compare API; git is asked instead")
def test_v13_a_compare_page_with_fewer_commits_than_it_counts_is_a_gap() -> None:
    body = {"total_commits": 2300, "commits": [{"sha": sha_of(str(n))} for n in range(1000)]}
    record = Record(
        id="compare",
        repository=REPO,
        source="api",
        type="com.github.compare",
        body=json.dumps(body).encode(),
    )
    assert any(isinstance(fact, GapObserved) for fact in translate(record).facts)
