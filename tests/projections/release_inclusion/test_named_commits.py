"""What a trailer names: commits of several requests at once, and heads of requests."""

from projections.release_inclusion.history.carriers import Request
from tests.projections.release_inclusion.histories import Written, sha_of


def _picked(*names: str) -> str:
    return "\n".join(f"(cherry picked from commit {sha_of(name)})" for name in names)


def test_one_commit_made_of_picks_of_several_requests_brings_them_all() -> None:
    written = Written(branches={"main": "c", "release/1.6": "p"}, tags={"v1.6.1": "p"})
    written.line("start")
    for number, (name, parent) in enumerate((("a", "start"), ("b", "a"), ("c", "b")), start=11):
        written.commit(name, parent, subject=f"Update the runner, part {name} (#{number})")
    written.commit("p", "start", subject="Update the runner", message=_picked("a", "b", "c"))
    asked = written.read()
    assert {asked.verdict(n, "v1.6.1").outcome for n in (11, 12, 13)} == {"included"}


def test_a_pick_of_a_pick_that_names_both_stays_one_pick() -> None:
    written = Written(
        branches={"main": "a", "release/1.7": "p", "release/1.6": "q"}, tags={"v1.6.1": "q"}
    )
    written.line("start")
    written.commit("a", "start", subject="Fix x (#11)")
    written.commit("p", "start", subject="Fix x (#20)", message=_picked("a"))
    written.commit("q", "start", subject="Fix x", message=_picked("a", "p"))
    carriers = written.read().history.carriers.at(sha_of("q"))
    assert [carrier.number for carrier in carriers] == [11]


def _with_head(*own: str, picked: str) -> Written:
    """Write a request whose branch never landed, and a release that picked one commit of it."""
    written = Written(branches={"main": "end", "release/1.7": "p"}, tags={"v1.7.1": "p"})
    written.line("start", "end")
    parent = "start"
    for name in own:
        written.commit(name, parent, subject=f"Skip the test {name} of ports")
        parent = name
    written.commit("p", "start", subject="Skip a test of ports", message=_picked(picked))
    return written


def test_a_pick_of_the_last_of_several_commits_is_a_part() -> None:
    written = _with_head("a", "b", picked="b")
    asked = written.read(Request(number=80, head=sha_of("b")))
    assert asked.verdict(80, "v1.7.1").outcome == "partly"
    whole = _with_head("b", picked="b").read(Request(number=80, head=sha_of("b")))
    assert whole.verdict(80, "v1.7.1").outcome == "included"


def test_a_reverted_pick_of_one_leaves_the_pick_of_the_other() -> None:
    written = _with_head("a", "b", picked="b")
    written.commit("q", "p", subject="Skip the test a of ports", message=_picked("a"))
    text = f"This reverts commit {sha_of('p')}."
    written.commit("r", "q", subject='Revert "Skip a test of ports"', message=text)
    written.branches["release/1.7"] = written.tags["v1.7.1"] = "r"
    asked = written.read(Request(number=80, head=sha_of("b")))
    assert asked.verdict(80, "v1.7.1").outcome == "partly"


def test_a_squash_whose_head_was_picked_in_part_is_there_in_part() -> None:
    written = _with_head("a", "b", picked="b")
    written.commit("squash", "end", subject="Skip tests of ports (#80)")
    written.branches["main"] = "squash"
    asked = written.read(Request(number=80, head=sha_of("b")))
    assert asked.verdict(80, "v1.7.1").outcome == "partly"
    assert asked.verdict(80, "main").outcome == "included"


def test_a_head_that_merged_without_a_number_carries_its_request_itself() -> None:
    written = _with_head("a", picked="a")
    written.commit("merge", "end", "a", subject="Merge branch 'ports'")
    written.branches["main"] = "merge"
    asked = written.read(Request(number=80, head=sha_of("a")))
    assert asked.verdict(80, "v1.7.1").outcome == "included"
    assert asked.verdict(80, "main").outcome == "included"


def test_a_head_on_the_default_branch_is_that_branchs_commit() -> None:
    """A fork's main branch, asked for by mistake: its head is somebody else's change."""
    written = _with_head(picked="end")
    written.commit("later", "end", subject="Write the notes (#12)")
    written.branches["main"] = "later"
    history = written.read(Request(number=80, head=sha_of("end"))).history
    assert not history.carriers.of(80)
