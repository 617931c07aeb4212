"""A person confirms that what looks like a copy is one."""

from projections.release_inclusion.review import reviews
from tests.projections.release_inclusion.bench import Bench, decision, git
from tests.projections.release_inclusion.histories import Written, sha_of


def _twins(*, on_default: bool, author: str = "dev-b") -> Written:
    """Write a change on one branch, and one of its title on the other, by another author."""
    written = Written()
    written.line("start")
    first, second = ("dev", "main") if on_default else ("main", "dev")
    written.commit("original", "start", subject="Mend the dates of it (#1)", at=1)
    written.commit("copy", "start", subject="Mend the dates of it (#2)", at=2, author=author)
    written.branches = {first: "original", second: "copy"}
    written.tags["v1"] = "copy"
    return written


def _confirmed(written: Written) -> Bench:
    (item,) = reviews(Bench(*git(written, "03-06")).view())
    (resolved,) = item.mentions
    mention = resolved.mention
    answer = decision(
        "03-10",
        sha=item.sha,
        role="pick",
        holds=True,
        number=mention.number,
        target=mention.sha,
        title=mention.title,
    )
    return Bench(*git(written, "03-06"), answer)


def test_a_confirmed_likeness_is_a_pick_on_another_branch() -> None:
    bench = _confirmed(_twins(on_default=False))
    verdict = bench.ask(1, "v1").verdict
    assert (verdict.outcome, verdict.how, verdict.by) == ("included", "cherry-picked", (2,))
    assert reviews(bench.view()) == []


def test_a_confirmed_likeness_on_the_default_branch_leaves_the_other_request_its_own() -> None:
    bench = _confirmed(_twins(on_default=True))
    verdict = bench.ask(1, "v1").verdict
    assert (verdict.outcome, verdict.how, verdict.by) == ("included", "via", (2,))
    assert [row.number for row in bench.page("v1", against=None).new] == [2]


def test_a_confirmed_question_about_several_originals_brings_them_all() -> None:
    written = _twins(on_default=False)
    written.commit("again", "original", subject="Mend the dates of it (#3)", at=1, authored=7)
    written.branches["main"] = "again"
    bench = _confirmed(written)
    assert [bench.outcome(number, "v1") for number in (1, 3)] == ["included", "included"]


def _squashed(*answers: bool) -> Bench:
    """Merge a request of two commits, and squash both on a branch under the first one's name."""
    written = Written(branches={"main": "merge", "r": "both"}, tags={"v1": "both"})
    written.commit("start")
    written.commit("a", "start", subject="Part one of it", at=1, authored=1)
    written.commit("b", "a", subject="Part two of it", at=2, authored=2)
    written.commit("merge", "start", "b", subject="Merge pull request #1 from dev-a/f", at=3)
    written.commit("both", "start", subject="Part one of it", at=5, authored=1)
    said = {"sha": sha_of("both"), "role": "pick", "number": 1}
    answered = [decision("03-10", holds=holds, **said) for holds in answers]
    return Bench(*git(written, "03-06"), *answered)


def test_whether_a_copy_holds_all_is_a_question_and_its_answer_decides() -> None:
    asked = _squashed()
    (item,) = reviews(asked.view())
    assert (item.sha, item.subject_numbers) == (sha_of("both"), (1,))
    outcomes = [_squashed(*answers).outcome(1, "v1") for answers in ((), (True,), (False,))]
    assert outcomes == ["undetermined", "included", "partly"]
    assert [reviews(_squashed(holds).view()) for holds in (True, False)] == [[], []]
