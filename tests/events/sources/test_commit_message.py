"""Which request does a commit say it lands? (CASES.md V04, GITHUB_FACTS.md 6.1)"""

import pytest

from events.sources.commit_message import Landing, landing, split_message

SUBJECTS: list[tuple[str, str, int | None]] = [
    ("plain squash", "Fix typo (#4591)", 4591),
    ("another repository's number first", "Fix typo (acme/other#11774) (#4591)", 4591),
    ("revert squashed as its own request", 'Revert "Tune timeouts (#4592)" (#4597)', 4597),
    ("issue number without a space before it", "Cluster stuck(#3553) (#3642)", 3642),
    ("numbers in the middle", "Bump lib from #3 to #4 (#77)", 77),
    ("two numbers at the end", "fix (#120) (#123)", 123),
    ("two spaces before the number", "cp: Update workflow (#3472)  (#3480)", 3480),
    ("title cut off by GitHub", 'Revert "build: Drop Python 3.10 (#… (#3500)', 3500),
    ("cherry-pick bot", "cp: `Fix UT (4310)` into `core_r0.17.0` (#4373)", 4373),
    ("nothing but the number", "(#12)", 12),
    ("number of the merge is the title's", "Sync main into dev (13_07_2026) (#5784)", 5784),
    ("prose", "Follow-up to #1 and #3", None),
    ("only another repository's number", "Fix typo (acme/other#11774)", None),
    ("only a note on an issue", "Cluster stuck(#3553)", None),
    ("git revert of a squash", 'Revert "Tune timeouts (#4592)"', None),
    ("git revert of a reapply", 'Revert "Reapply "Remove args (#2898)" (#2916)"', None),
    ("git reapply of a revert without number", 'Reapply "feat: m4 (#2506)"', None),
    ("words after the number", "Fix typo (#4591) again", None),
    ("two numbers in one bracket", "Fix typo (#1, #2)", None),
    ("GitLab merge", "ADLR/megatron-lm!4064 - Fix sync (GitHub #1685)", None),
    ("GitLab number", "Fix sync (!1350)", None),
    ("other forms of a number", "gh-12: Fix (GH-456)", None),
    ("number zero", "Fix (#0)", None),
    ("digits that are not ASCII", "Fix (#١٢)", None),
    ("a number no request has", "Fix (#99999999999999999999)", None),
    ("empty", "", None),
    ("branch merge", "Merge branch 'main' into x", None),
    ("remote branch merge", "Merge remote-tracking branch 'origin/main' into dev", None),
    ("Bitbucket merge", "Merged in feature (pull request #12)", None),
    ("Bitbucket Server merge", "Merge pull request #12 in PROJ/repo from a to b", None),
]


@pytest.mark.parametrize(
    ("subject", "number"), [s[1:] for s in SUBJECTS], ids=[s[0] for s in SUBJECTS]
)
def test_only_the_last_number_at_the_end_of_a_subject_is_its_own(
    subject: str, number: int | None
) -> None:
    found = landing(subject)
    assert (found.number if found else None) == number


def test_a_title_is_the_subject_without_its_own_number() -> None:
    assert landing("Fix (#120) (#123)") == Landing(
        number=123, method="trailing number", title="Fix (#120)"
    )


@pytest.mark.parametrize("parents", [0, 2, 3])  # 0: cut off by a shallow clone
def test_the_merge_template_names_the_request_and_its_title_stands_below(parents: int) -> None:
    found = landing(
        "Merge pull request #4556 from NVIDIA/cherry-pick-4305-core_r0.17.0",
        "Fix the loader (#4305)\n",
        parents=parents,
    )
    assert found == Landing(number=4556, method="merge subject", title="Fix the loader (#4305)")


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ("Merge pull request #1201 from fork/feature", "Title of the fork's own request"),
        ("Merge pull request #12 from acme/cherry-pick-7-r1", "(cherry picked from commit abc)"),
        ("\tMerge pull request #12 from ada/flag ", ""),
    ],
)
def test_the_merge_template_on_a_commit_with_one_parent_is_no_merge(
    subject: str, message: str
) -> None:
    assert landing(subject, message, parents=1) is None
    assert landing(subject, message, parents=2) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Fix x (#6)\n\nBody",
        "\n\nFix x (#6)\n\nBody",
        "   \nFix x (#6)\n\nBody\n",
        "\t \r\n\r\n  \nFix x (#6)\r\n\nBody",
        "\ufeffFix x (#6)\n\nBody",
        " \n\ufeff\n\ufeff  Fix x (#6)\n\nBody",
        "\u3000\u00a0\n\x0cFix x (#6)\n\nBody",
    ],
)
def test_the_subject_is_the_first_line_with_text_without_byte_order_marks(text: str) -> None:
    assert split_message(text) == ("Fix x (#6)", "Body")


@pytest.mark.parametrize("text", ["", "\n\n", " \t\n", "\ufeff\n\ufeff"])
def test_a_message_without_text_has_no_subject(text: str) -> None:
    assert split_message(text) == ("", "")


def test_the_title_below_a_merge_has_no_byte_order_mark() -> None:
    found = landing("Merge pull request #7 from a/b", " \n\ufeffTitle\n\nBody", parents=2)
    assert found is not None
    assert found.title == "Title"


def test_a_merge_without_a_title_has_none() -> None:
    found = landing("Merge pull request #7 from someone/a-branch", parents=2)
    assert found == Landing(number=7, method="merge subject", title=None)


def test_a_changed_merge_subject_is_believed_of_a_merge_only() -> None:
    subject = "Merge pull request #7 from someone/a-branch, after a rebase"
    assert landing(subject, parents=1) is None
    found = landing(subject, parents=2)
    assert found is not None
    assert found.number == 7


def test_a_merge_subject_squashed_by_another_request_is_that_requests() -> None:
    found = landing("Merge pull request #12 from upstream/main (#13)", parents=1)
    assert found is not None
    assert (found.number, found.method) == (13, "trailing number")


def test_numbers_in_the_body_are_never_taken() -> None:
    assert landing("Fix typo", "see (#41)\n\nSee merge request x!1350\n(#42)") is None


GIT_REAPPLY = "This reverts commit 3f6ad4691b6ea4ff36f7647ecefca2066d214b0c."


def test_the_number_that_git_took_along_into_a_reapply_is_not_its_own() -> None:
    assert landing('Reapply "Remove args (#2898)" (#2916)', GIT_REAPPLY) is None


def test_a_reapply_squashed_by_github_has_its_own_number() -> None:
    found = landing('Reapply "Graph improvements (#2572)" (#3056)', "* fix tests")
    assert found is not None
    assert found.number == 3056


def test_a_second_number_after_a_reapply_is_its_own_whatever_the_body_says() -> None:
    found = landing('Reapply "fix message (#3203)" (#3283) (#3285)', GIT_REAPPLY)
    assert found is not None
    assert found.number == 3285


def test_a_long_subject_takes_no_long_time() -> None:
    assert landing("x" + " " * 200_000 + "(#12") is None
    assert landing('Reapply "' * 50_000) is None
