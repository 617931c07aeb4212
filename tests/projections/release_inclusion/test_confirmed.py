"""A person confirms that what looks like a copy is one."""

from projections.release_inclusion.review import reviews
from tests.projections.release_inclusion.bench import Bench, decision, git
from tests.projections.release_inclusion.histories import Written


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
