"""The rules on the real history, against a plain search and against what is known of it."""

import random
from collections import Counter

import pytest

from projections.release_inclusion.history.carriers import CarrierRole, Method
from projections.release_inclusion.history.copy_mentions import SAME_TITLE
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.verdicts import Verdict, verdict
from tests.projections.release_inclusion.histories import Megatron, ancestors

REVERTED_2898 = (
    *("main", "dev", "26.04-alpha", "core_dev_r0.16.0"),
    *("core_r0.16.0", "core_r0.17.0", "core_r0.18.0", "core_r0.19.0"),
)
REVERTED_2898_TAGS = (
    *("26.04-alpha.rc1", "26.04-alpha.rc2", "core_v0.16.0", "core_v0.16.1", "core_v0.17.0rc0"),
    *("core_v0.17.0", "core_v0.17.1", "core_v0.18.0", "core_v0.18.2", "core_v0.19.0"),
    "ykarnati-submodule-cc897f011",
)
REVERTED_2270 = ("dev", "26.04-alpha", "core_dev_r0.16.0")
REVERTED_2270_TAGS = ("26.04-alpha.rc1", "26.04-alpha.rc2")


def _outcomes(megatron: Megatron, history: History, number: int) -> dict[str, str]:
    return {ref: verdict(history, number, sha).outcome for ref, sha in megatron.refs.items()}


def _refs(branches: tuple[str, ...], tags: tuple[str, ...]) -> set[str]:
    return {f"refs/heads/{b}" for b in branches} | {f"refs/tags/{t}" for t in tags}


def test_reachability_equals_a_plain_search_for_sampled_tags(
    megatron: Megatron, megatron_history: History
) -> None:
    parents = {commit.sha: commit.parents for commit in megatron.commits}
    for tag in random.Random(7).sample(sorted(megatron.tags), 12):
        tip = megatron.tags[tag]
        assert set(megatron_history.reach.commits_of(tip)) == ancestors(parents, tip), tag


@pytest.mark.slow
def test_reachability_equals_a_plain_search_for_every_ref(
    megatron: Megatron, megatron_history: History
) -> None:
    parents = {commit.sha: commit.parents for commit in megatron.commits}
    for tip in set(megatron.refs.values()):
        assert set(megatron_history.reach.commits_of(tip)) == ancestors(parents, tip)


def test_the_history_is_whole_and_has_few_classes(megatron_history: History) -> None:
    assert megatron_history.graph.missing == ()
    assert len(megatron_history.graph) == 11_077
    assert len(megatron_history.reach.tips) == 85
    assert len(megatron_history.reach.tip_sets) == 112


def test_2898_is_reverted_on_each_of_the_19_refs_that_contain_it(
    megatron: Megatron, megatron_history: History
) -> None:
    expected = _refs(REVERTED_2898, REVERTED_2898_TAGS)
    assert len(expected) == 19
    outcomes = _outcomes(megatron, megatron_history, 2898)
    assert {ref for ref, outcome in outcomes.items() if outcome == "reverted"} == expected
    assert {outcomes[ref] for ref in outcomes.keys() - expected} == {"not_included"}


def test_2270_is_reverted_on_five_refs_whichever_revert_came_with_a_sync(
    megatron: Megatron, megatron_history: History
) -> None:
    expected = _refs(REVERTED_2270, REVERTED_2270_TAGS)
    outcomes = _outcomes(megatron, megatron_history, 2270)
    assert {ref for ref, outcome in outcomes.items() if outcome == "reverted"} == expected
    # #2271 has its title on main: what holds that one may hold the change of #2270 too
    twin = _outcomes(megatron, megatron_history, 2271)
    for ref in outcomes.keys() - expected:
        seen = twin[ref] in ("included", "reverted")
        assert outcomes[ref] == ("undetermined" if seen else "not_included"), ref


def test_a_candidate_and_its_final_on_one_commit_answer_alike(megatron: Megatron) -> None:
    assert megatron.tags["core_v0.17.0"] == megatron.tags["core_v0.17.0rc0"]


@pytest.mark.parametrize(
    ("original", "tag", "carrier", "method"),
    [
        (4228, "core_v0.17.0", 4297, Method.TEMPLATE),  # cp: `title (#N)` into `branch` (#M)
        (5481, "core_v0.18.2", 5484, Method.TEMPLATE),  # the same with a bare number
        (4089, "core_v0.17.1", 4488, Method.TRAILING_NUMBER),  # a merged cherry-pick-N- branch
    ],
)
def test_cherry_picks_are_attributed_to_their_originals(
    megatron: Megatron,
    megatron_history: History,
    original: int,
    tag: str,
    carrier: int,
    method: Method,
) -> None:
    answer = verdict(megatron_history, original, megatron.tags[tag])
    assert (answer.outcome, answer.how, answer.by) == ("included", "cherry-picked", (carrier,))
    assert [c.method for c in answer.carriers if c.via == carrier] == [method]


def test_a_cherry_pick_marked_in_the_title_reaches_dev(
    megatron: Megatron, megatron_history: History
) -> None:
    picks = [c for c in megatron_history.carriers.of(5843) if c.role is CarrierRole.PICK]
    assert [(c.via, c.method) for c in picks] == [(6088, Method.TEMPLATE)]
    assert verdict(megatron_history, 5843, megatron.branches["dev"]).outcome == "included"


def test_trailers_name_commits_of_the_history_and_no_number_of_the_old_host(
    megatron: Megatron, megatron_history: History
) -> None:
    """All 30 `cherry picked from` lines are of the old host's time: linked, never numbered."""
    named = [c for c in megatron.commits if "(cherry picked from commit" in c.message]
    assert len(named) == 30
    assert [c.sha for c in named if megatron_history.carriers.at(c.sha)] == []


def test_the_nightly_syncs_are_told_apart_from_what_they_bring(megatron_history: History) -> None:
    syncs = {c.number for c in megatron_history.carriers if c.role is CarrierRole.SYNC}
    nightly = {4291, 4436, 4716, 5199, 5314, 5430, 5784}
    assert nightly < syncs
    assert 4165 not in syncs  # adds a workflow that syncs
    assert 2266 not in syncs  # reverts a sync


def test_the_last_number_of_a_reapply_is_not_its_own(megatron_history: History) -> None:
    reapplied = next(c for c in megatron_history.carriers.of(2898) if c.role is CarrierRole.RESTORE)
    assert 2916 not in {c.number for c in megatron_history.carriers.at(reapplied.sha)}


def test_requests_are_recognised_by_the_methods_that_the_note_counts(
    megatron_history: History,
) -> None:
    counts = Counter((c.role.value, c.method.value) for c in megatron_history.carriers)
    assert counts == {
        ("landing", "trailing number"): 2541,
        # of these 18 keep the number of the original in their title, 3 name its title alone;
        # `revert: … (#3779) (#4404)` is none of them
        ("pick", "template"): 80,
        ("landing", "inside"): 22,
        ("sync", "trailing number"): 20,
        ("pick", "trailing number"): 16,
        ("landing", "merge subject"): 15,
        ("restore", "template"): 15,
        ("restore", "undone revert"): 1,
    }


def test_few_requests_are_undetermined_and_each_names_the_commit_to_look_at(
    megatron: Megatron, megatron_history: History
) -> None:
    main = megatron.branches["main"]
    answers = [verdict(megatron_history, n, main) for n in megatron_history.carriers.numbers()]
    open_ones = [a for a in answers if a.outcome == "undetermined"]
    by_title = [a for a in open_ones if _by_title_alone(megatron_history, a)]
    assert 0 < len(open_ones) - len(by_title) < 15
    # `[dev] Fix x` on dev and `Fix x` on main; without contents no patch settles them
    assert 0 < len(by_title) < 90
    assert all(a.evidence for a in open_ones)


def _by_title_alone(history: History, answer: Verdict) -> bool:
    methods = {d.mention.method for d in history.doubts[answer.number] if d.sha in answer.evidence}
    return methods == {SAME_TITLE}
