"""Chains say what walking each line on its own says; what is packed comes back equal."""

from hypothesis import given
from hypothesis import strategies as st

from events.facts.git import Commit
from projections.release_inclusion.history.attribution import attribute
from projections.release_inclusion.history.graph import CommitGraph
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.lines import BranchLine, Chains
from projections.release_inclusion.history.packing import pack, unpack
from projections.release_inclusion.history.verdicts import verdict
from tests.projections.release_inclusion.histories import Written, line_of, sha_of


@st.composite
def graphs(draw: st.DrawFn) -> CommitGraph:
    """Up to 24 commits with up to three parents among the earlier ones; some are not recorded."""
    count = draw(st.integers(1, 24))
    commits = []
    for number in range(count):
        earlier = st.integers(0, number - 1) if number else st.nothing()
        parents = draw(st.lists(earlier, max_size=3, unique=True)) if number else []
        commits.append((str(number), [str(parent) for parent in parents]))
    lost = draw(st.sets(st.integers(0, count - 1), max_size=2))
    return CommitGraph(commit for n, commit in enumerate(commits) if n not in lost)


def _entered(graph: CommitGraph, tip: str) -> dict[str, int]:
    """Say at which first-parent commit of a tip each commit entered, by walking from each."""
    line = [graph.node(tip)]
    while parents := graph.parents(line[-1]):
        line.append(parents[0])
    entered: dict[str, int] = {}
    for place, node in enumerate(reversed(line)):
        waiting = [node]
        while waiting:
            commit = waiting.pop()
            if graph.sha(commit) not in entered:
                entered[graph.sha(commit)] = place
                waiting += graph.parents(commit)
    return entered


@given(graphs(), st.data())
def test_lines_on_shared_chains_are_what_walks_from_each_commit_say(
    graph: CommitGraph, data: st.DataObject
) -> None:
    shas = [graph.sha(node) for node in range(len(graph))]
    if not shas:
        return
    chains = Chains(graph)
    chains.add(data.draw(st.lists(st.sampled_from(shas), max_size=4)))
    for tip in shas:
        line, alone = BranchLine(graph, tip, chains), BranchLine(graph, tip)
        entered = _entered(graph, tip)
        assert {sha: line.position(sha) for sha in shas} == {sha: entered.get(sha) for sha in shas}
        assert line.commits == alone.commits
        assert line.complete == alone.complete
        for sha in shas:
            assert line.entry(sha) == alone.entry(sha)
            assert line.passes(graph.node(sha)) == line.on_line(sha) == (sha in line.commits)
            inside = {other for other, place in entered.items() if place == entered.get(sha)}
            brought = inside - {sha} if sha in line.commits else set()
            assert set(line.brought_by(sha)) == brought
            assert len(line.brought_by(sha)) == len(brought)


def test_a_commit_is_noted_once_however_many_branches_hold_it() -> None:
    trunk = [(str(n), [str(n - 1)] if n else []) for n in range(100)]
    branches = [(f"b{n}", [str(n)]) for n in range(10, 90)]
    graph = CommitGraph([*trunk, *branches])
    chains = Chains(graph)
    chains.add(["99", *(name for name, _ in branches)])
    assert sum(len(chain.entered) for chain in chains.all) == len(graph)


# --- packing -----------------------------------------------------------------------------------


def _varied() -> Written:
    written = line_of("A (#1)", "B (#2)", 'Revert "A (#1)" (#3)')
    written.commit("topic", "A (#1)", subject="Fix what A (#1) broke", message="Fixes: #1")
    written.commit(
        "merge", 'Revert "A (#1)" (#3)', "topic", subject="Merge pull request #4 from x/y"
    )
    message = f"(cherry picked from commit {sha_of('B (#2)')})"
    written.commit("pick", "A (#1)", "lost", subject="B (#2)", message=message)
    written.commit("copy", "pick", subject="C, told in words enough", at=9, authored=7)
    written.commit("D", "merge", subject="C, told in words enough (#5)", at=8, authored=7)
    written.branches.update(main="D", release="copy")
    written.tags.update(v1="A (#1)", v2="merge")
    return written


def test_what_was_packed_answers_as_what_was_read() -> None:
    history = _varied().read().history
    made = history.attribution
    again = unpack(pack(made))
    assert again.graph.parts()[:3] == made.graph.parts()[:3]
    assert again.graph.missing == made.graph.missing != ()
    assert again.reach.tips == made.reach.tips
    assert again.carriers.parts() == made.carriers.parts()
    assert list(again.carriers) == list(made.carriers)
    assert again.resolution == made.resolution
    assert again.resolution.reverts
    assert again.fixes == made.fixes != {}
    assert again.requests == made.requests
    assert again.may_hold_more == made.may_hold_more
    assert again.committed_at == made.committed_at
    read = History(again, branches=history.branches, tags=history.reach.tips)
    assert read.reach is again.reach
    for number in made.carriers.numbers():
        for tip in made.reach.tips:
            assert verdict(read, number, tip) == verdict(history, number, tip)
            assert read.line(tip).commits == history.line(tip).commits
    assert pack(again) == pack(made)


def test_names_of_commits_that_are_no_hexadecimal_numbers_come_back_too() -> None:
    named = ("one", "two", "three and more")
    commits = [
        Commit(
            sha=sha,
            parents=named[place - 1 : place],
            authored_at=0,
            committed_at=place,
            author="dev-a",
            subject=f"Add {sha} (#{place + 1})",
            message="",
        )
        for place, sha in enumerate(named)
    ]
    made = attribute(commits, branches={"main": named[-1]})
    again = unpack(pack(made))
    assert again.graph.parts()[0] == list(named)
    assert again.carriers.parts() == made.carriers.parts()
