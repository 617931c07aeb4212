"""The matrix says what the verdicts say; cuts and port states on the real history."""

from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.matrix import Matrix
from projections.release_inclusion.history.verdicts import verdict
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.ports import open_ports, port_of
from projections.release_inclusion.relation import cut_of
from tests.projections.release_inclusion.histories import Megatron, Written, sha_of

KINDS = ("included", "partly", "reverted", "undetermined")


def test_the_matrix_equals_the_verdict_of_each_tip(megatron_history: History) -> None:
    matrix, reach = Matrix(megatron_history), megatron_history.reach
    doubted = [*megatron_history.doubts, *megatron_history.idle_reverts]
    sample = [*megatron_history.carriers.numbers()[::60], *doubted, 2270, 2898, 2937]
    for number in sample:
        found = matrix.of(number)
        for tip in reach.tips:
            said = [kind for kind in KINDS if getattr(found, kind) & reach.bit(tip)]
            expected = verdict(megatron_history, number, tip).outcome
            assert said == ([expected] if expected in KINDS else []), (number, tip)


def test_a_release_branch_is_cut_where_its_line_leaves_the_default_branch(
    megatron: Megatron, megatron_history: History
) -> None:
    cuts = {tag: cut_of(megatron_history, sha) for tag, sha in megatron.tags.items()}
    assert cuts["core_v0.19.0"].branch == "core_r0.19.0"
    assert cuts["core_v0.17.0"].branch == cuts["core_v0.17.1"].branch == "core_r0.17.0"
    assert cuts["core_v0.17.0"].point == cuts["core_v0.17.1"].point
    on_main = cuts["core_v0.14.0rc3"]
    assert (on_main.branch, on_main.point) == ("main", megatron.tags["core_v0.14.0rc3"])
    assert cuts["26.04-alpha.rc1"].branch == "dev"
    assert cuts["InstructRetro"].branch is None


def test_merging_a_release_branch_back_does_not_move_its_cut() -> None:
    written = Written()
    written.line("a", "b")
    written.commit("r", "a")
    written.commit("back", "b", "r")
    written.branches, written.tags = {"main": "back", "release-1": "r"}, {"v1": "r"}
    asked = written.read()
    assert cut_of(asked.history, asked.tips["v1"]).branch == "release-1"
    assert cut_of(asked.history, asked.tips["v1"]).point == sha_of("a")


def test_port_states() -> None:
    written = Written()
    written.line("Add a (#1)")
    written.commit("Try d (#2)", "Add a (#1)")
    written.commit("Try e (#3)", "Try d (#2)")
    written.commit("Port e (cherry-pick #3) (#4)", "Add a (#1)")
    written.branches = {"main": "Port e (cherry-pick #3) (#4)", "dev": "Try e (#3)"}
    waiting = Request(number=5, state="open", base="main", title="cp: `Try d (2)` into `main`")
    history = written.read(waiting).history
    waits = open_ports(history, Names.of("acme/widget"))
    found = {number: port_of(history, number, waits) for number in (1, 2, 3)}
    assert {n: (p.state, p.by) for n, p in found.items() if p} == {
        1: ("merged", (1,)),
        2: ("open", (5,)),
        3: ("merged", (4,)),
    }
