"""A table of cherry-picks and backports, by the template that writes them."""

import pytest

from tests.projections.release_inclusion.message_cases import REVIEW, SURE, Case, X, Y, check

PICKS: dict[str, Case] = {
    "git's trailer": ("Fix x", f"(cherry picked from commit {X})", [("pick", X, SURE)]),
    "a chain of trailers, nearest first": (
        "Fix x",
        f"Signed-off-by: a\n(cherry picked from commit {X})\n(cherry picked from commit {Y})",
        [("pick", Y, SURE), ("pick", X, SURE)],
    ),
    "Ubuntu's backport trailer": (
        "Fix x",
        f"(backported from commit {X})",
        [("pick", X, SURE)],
    ),
    "linux stable": ("Fix x", f"commit {X} upstream.", [("pick", X, SURE)]),
    "an abbreviated trailer": (
        "Fix x",
        "(cherry picked from commit a1a1a1a1a1a1)",
        [("pick", "a1a1a1a1a1a1", SURE)],
    ),
    "a trailer of too few digits": ("Fix x", "(cherry picked from commit a1a1a)", []),
    "robot title with a bare number": (
        "cp: `Fix x (2499)` into `core_r0.15.0` (#2502)",
        "",
        [("pick", 2499, SURE)],
    ),
    "robot title over a title with backticks": (
        "cp: `Fix `f` in `g` (12)` into `r1` (#34)",
        "",
        [("pick", 12, SURE)],
    ),
    "robot title without marks": ("cp: Fix x (#12) (#34)", "", [("pick", 12, SURE)]),
    "robot title with a branch and no marks": (
        "cp: Fix x (#12) into r1 (#34)",
        "",
        [("pick", 12, SURE)],
    ),
    "robot title to a marked branch": (
        "cp: Fix torch >= 2.6.0 (#12) to `r1` (#34)",
        "",
        [("pick", 12, SURE)],
    ),
    "robot title twice": ("cp: Cherry pick #12 into `r1` (#34)", "", [("pick", 12, SURE)]),
    "person's list of two": (
        "Cherry-pick: Fix a and b (#12, #13) (#34)",
        "",
        [("pick", 12, SURE), ("pick", 13, SURE)],
    ),
    "person's PR number": ("Cherry-pick PR#12 to r1 (#34)", "", [("pick", 12, SURE)]),
    "number and purpose": ("Cherry-pick #12 for the x fix (#34)", "", [("pick", 12, SURE)]),
    "tags before the word": ("[dev] feat(moe): Cherry-pick #12 (#34)", "", [("pick", 12, SURE)]),
    "mark at the end": ("Fix x (cherry-pick #12) (#34)", "", [("pick", 12, SURE)]),
    "Mergify's title": ("Fix x (backport #12) (#34)", "", [("pick", 12, SURE)]),
    "Mergify's title over a squash": (
        "Fix x (#12) (backport #12) (#34)",
        "",
        [("pick", 12, SURE)],
    ),
    "Mergify's copy": ("Fix x (copy #12) (#34)", "", [("pick", 12, SURE)]),
    "Elastic's title": ("[8.x](backport #12) Fix x (#34)", "", [("pick", 12, SURE)]),
    "Mergify's body": (
        "Fix x (#34)",
        "This is an automatic backport of pull request #12 done by [Mergify](…).",
        [("pick", 12, SURE)],
    ),
    "patchback's title": (
        "[PR #12/e8265107 backport][9.0.x] Fix x (#34)",
        "",
        [("pick", 12, SURE)],
    ),
    "patchback's title over one that speaks of picks": (
        "[PR #12/e8265107 backport][9.0.x] Cherry-pick: Fix x (#34)",
        "",
        [("pick", 12, SURE)],
    ),
    "patchback's title of a revert": (
        '[PR #12/e8265107 backport][9.0.x] Revert "Fix x (#11)" (#34)',
        "",
        [("pick", 12, SURE), ("revert", 11, SURE)],
    ),
    "patchback's body": (
        "Fix x (#34)",
        f"**This is a backport of PR #12 as merged into main ({X}).**",
        [("pick", 12, SURE)],
    ),
    "backport-action's body": (
        "[Backport r1] Fix x (#34)",
        "# Description\nBackport of #12 to `r1`.",
        [("pick", 12, SURE)],
    ),
    "backport-action's body of another repository": (
        "[Backport r1] Fix x (#34)",
        "Backport of other/repo#12 to `r1`.",
        [],
    ),
    "tibdex' body": (
        "[Backport r1] Fix x (#34)",
        f"Backport {X} from #12.",
        [("pick", 12, SURE)],
    ),
    "NeMo's body": (
        "Fix x (#34)",
        "beep boop [🤖]: Hi @dev 👋, we've cherry picked #12 into  for you! 🚀",
        [("pick", 12, SURE)],
    ),
    "kubernetes' title": (
        "Automated cherry pick of #12 #13: Fix x (#34)",
        "",
        [("pick", 12, SURE), ("pick", 13, SURE)],
    ),
    "kubernetes' body": (
        "Fix x (#34)",
        "Cherry pick of #12 #13 on release-1.30.\n\n#12: a",
        [("pick", 12, SURE), ("pick", 13, SURE)],
    ),
    "branch of a merge": (
        "Merge pull request #34 from ACME/cherry-pick-12-core_r0.17.0",
        "Fix x",
        [("pick", 12, SURE)],
    ),
    "Mergify's branch": (
        "Merge pull request #34 from acme/mergify/bp/r1/pr-12",
        "",
        [("pick", 12, SURE)],
    ),
    "patchback's branch": (
        f"Merge pull request #34 from acme/patchback/backports/9.0.x/{X}/pr-12",
        "[9.0.x] Fix x",
        [("pick", 12, SURE)],
    ),
    "a merge into patchback's branch": (
        f"Merge branch '9.0.x' into patchback/backports/9.0.x/{X}/pr-12",
        "",
        [],
    ),
    "backport-action's branch": (
        "Merge pull request #34 from acme/backport-12-to-release-1.2",
        "",
        [("pick", 12, SURE)],
    ),
    "kubernetes' branch": (
        "Merge pull request #34 from dev-a/automated-cherry-pick-of-#12-#13-upstream-r1",
        "",
        [("pick", 12, SURE), ("pick", 13, SURE)],
    ),
    "a person's title in quotes": (
        'Cherry pick "Fix x #12" (#34)',
        "",
        [("pick", 12, SURE)],
    ),
    "the backport tool's body": (
        "[release/8.0] Two fixes (#34)",
        "# Backport\n\nThis will backport the following commits from `main` to `release/8.0`:\n"
        " - [Fix x (#12)](https://github.com/acme/widget/pull/12)\n - Fix y (#13) (4ac92161)\n\n"
        "See #14\n\n<!--- Backport version: 9.6.6 -->",
        [("pick", 12, SURE), ("pick", 13, SURE)],
    ),
    "a list below another sentence": (
        "Notes (#34)",
        "The following commits matter:\n - Fix x (#12)",
        [],
    ),
    "a person's branch": ("Merge pull request #34 from dev-a/pick-pr-12", "", [("pick", 12, SURE)]),
    "a person's branch with the version": (
        "Merge pull request #34 from dev-a/backport/1.7-pr12",
        "",
        [("pick", 12, SURE)],
    ),
    "a person's branch with the target": (
        "Merge pull request #34 from dev-a/cherry-pick-12-to-release-1.7",
        "",
        [("pick", 12, SURE)],
    ),
    "a branch that counts": ("Merge pull request #34 from dev-a/pick-5-things", "", []),
    "a branch of a version": ("Merge pull request #34 from dev-a/backport/1.7", "", []),
    "a pick of a revert is both": (
        'cp: `Revert "Fix x (#12)" (34)` into `r1` (#40)',
        "",
        [("pick", 34, SURE), ("revert", 12, SURE)],
    ),
    "title alone": (
        "cp: `Bump the parser` into `r1` (#34)",
        "",
        [("pick", "Bump the parser", REVIEW)],
    ),
    "in passing": ("Cherry-pick the parser from #12 (#34)", "", [("pick", 12, REVIEW)]),
    "another host's message": (
        "group/project!2482 - Cherry pick `fix: Guard x (2433)` into `r1`",
        "",
        [],
    ),
    "another host's number": ("cp: !4298 - ci: Refactor", "", []),
    "about cherry-picking": ("ci: Cherry-pick into the right project (#12)", "", []),
    "about backports": ("Add backport workflow (#12)", "", []),
    "many at once": ("Cherrypick CI changes between 20251111 - 20251118 (#12)", "", []),
}


@pytest.mark.parametrize("case", PICKS.values(), ids=PICKS)
def test_picks_are_read_from_their_templates(case: Case) -> None:
    check(case)
