"""Tables of reverts and restores by their template, and of prose that is neither."""

import pytest

from projections.release_inclusion.messages.reading import read_mentions
from tests.projections.release_inclusion.message_cases import (
    NAMES,
    REVIEW,
    SURE,
    Case,
    X,
    Y,
    check,
)

REVERTS: dict[str, Case] = {
    "GitHub's squash": ('Revert "Fix x (#12)" (#34)', "", [("revert", 12, SURE)]),
    "the last number inside the quotes": (
        'Revert "Fix (#1) (#12)" (#34)',
        "",
        [("revert", 12, SURE)],
    ),
    "git's own": ('Revert "Fix x"', f"This reverts commit {X}.", [("revert", X, SURE)]),
    "git's own over a squash": (
        'Revert "Fix x (#12)"',
        f"This reverts commit {X}.",
        [("revert", X, SURE)],
    ),
    "git's own of a merge, wrapped": (
        "Revert \"Merge branch 'a'\"",
        f"This reverts commit {X}, reversing\nchanges made to {Y}.",
        [("revert", X, SURE)],
    ),
    "wrapped inside the words": (
        'Revert "Fix x"',
        f"This reverts\ncommit {X}.",
        [("revert", X, SURE)],
    ),
    "abbreviated": (
        'Revert "Fix x"',
        "This reverts commit df73519 (topic, 2026-11-30).",
        [("revert", "df73519", SURE)],
    ),
    "two commits": (
        'Revert "Fix x"',
        f"This reverts commit {X}.\n\nThis reverts commit {Y}.",
        [("revert", X, SURE), ("revert", Y, SURE)],
    ),
    **{
        f"some of it: {words}": ("Drop the date", f"{words} {X}.", [("revert", X, REVIEW)])
        for words in (
            "This (mostly) reverts commit",
            "This partially reverts commit",
            "This commit partly reverts",
            "Partially reverts commit",
            "This reverts most of commit",
            "This reverts parts of changeset",
            "* This in part reverts commit",
            "Partial revert of commit",
        )
    },
    "a quoted title, and some of it alone": (
        'Revert "Fix x (#12)" (#34)',
        f"This partially reverts commit {X}.",
        [("revert", X, REVIEW), ("revert", 12, REVIEW)],
    ),
    "some of one, and another as a whole": (
        'Revert "Fix x"',
        f"This reverts commit {X}.\n\nThis partly reverts commit {Y}.",
        [("revert", Y, REVIEW), ("revert", X, SURE)],
    ),
    "two titles at once": (
        'Revert "A (#12)" and "B (#13)" (#34)',
        "",
        [("revert", 12, SURE), ("revert", 13, SURE)],
    ),
    "two titles with marks of their own": (
        'Revert "Say "a" and "b" (#12)" (#34)',
        "",
        [("revert", 12, SURE)],
    ),
    "three titles": (
        'Revert "A (#12)", "B (#13)", and "C" (#34)',
        "",
        [("revert", 12, SURE), ("revert", 13, SURE), ("revert", "C", REVIEW)],
    ),
    "two commits in one sentence": (
        "Undo both",
        f"This reverts commits {X} and {Y}.",
        [("revert", X, SURE), ("revert", Y, SURE)],
    ),
    "a list of commits": (
        "Take it out",
        f"This reverts commits {X}, {Y}, and df73519.",
        [("revert", X, SURE), ("revert", Y, SURE), ("revert", "df73519", SURE)],
    ),
    "a sentence under a subject of no template": (
        "Go back to the old cache (#34)",
        f"It was slow.\n\nThis reverts commit {X}.",
        [("revert", X, SURE)],
    ),
    "backout": ("Backout #12", "", [("revert", 12, SURE)]),
    "backed out": ("Backed out PR #12 for failures (#34)", "", [("revert", 12, SURE)]),
    "a changeset backed out": ("Backed out changeset df73519", "", [("revert", "df73519", SURE)]),
    "roll back": ("Roll back #12 (#34)", "", [("revert", 12, SURE)]),
    "rollback of a title": ('Rollback "Fix x (#12)"', "", [("revert", 12, SURE)]),
    "about rollbacks": ("rollback: Keep the old state (#34)", "", []),
    "about undoing": ("Undo history in the editor (#34)", "", []),
    "only a subject": (f"This reverts commit {X}.", "", [("revert", X, SURE)]),
    "inside the body of something else": (
        "Rework the parser (#34)",
        f'* Rework\n\n* Revert "x"\n\nThis reverts commit {X}.',
        [("revert", X, REVIEW)],
    ),
    "quoted in an answer": ("Fix x", f"> This reverts commit {X}.", []),
    "the web button's body": (
        'Revert "Fix x" (#34)',
        "Reverts acme/widget#12",
        [("revert", 12, SURE), ("revert", "Fix x", REVIEW)],
    ),
    "the web button's body under a former name": (
        "Take x out (#34)",
        "Reverts OldCo/widget#12",
        [("revert", 12, SURE)],
    ),
    "the web button's body of another repository": (
        "Take x out (#34)",
        "Reverts other/widget#12",
        [],
    ),
    "revert of": ("revert of #12 (#34)", "", [("revert", 12, SURE)]),
    "tag before": ("[Infra] Revert #12", "", [("revert", 12, SURE)]),
    "address": (
        "fix: revert https://github.com/acme/widget/pull/12",
        "",
        [("revert", 12, SURE)],
    ),
    "address of another repository": (
        "fix: revert https://github.com/other/widget/pull/12",
        "",
        [],
    ),
    "combined, bare": (
        "Draft: Revert 4664 and 4689",
        "",
        [("revert", 4664, SURE), ("revert", 4689, SURE)],
    ),
    "combined": (
        "Revert #12, #13 and #14 (#34)",
        "",
        [("revert", 12, SURE), ("revert", 13, SURE), ("revert", 14, SURE)],
    ),
    "with a reason": ("Revert #12 due to failures (#34)", "", [("revert", 12, SURE)]),
    "with words that may mean less": ("Revert #12 parser part (#34)", "", [("revert", 12, REVIEW)]),
    "prefix before the quotes": ('ci: Revert "ci: Add x (#12)" (#34)', "", [("revert", 12, SURE)]),
    "conventional": ("revert: add the parser (#12) (#34)", "", [("revert", 12, SURE)]),
    "conventional with a scope": ("revert(ui)!: add x (#12) (#34)", "", [("revert", 12, SURE)]),
    "conventional with an abbreviated SHA": (
        "revert: revert bump to v1.8.7 (5adbee2) (#34)",
        "",
        [("revert", "5adbee2", SURE)],
    ),
    "conventional with a title alone": (
        "revert: add the parser (#34)",
        "",
        [("revert", "add the parser", REVIEW)],
    ),
    "prefix, word and title": ("ci: revert unify names (#12) (#34)", "", [("revert", 12, SURE)]),
    "title alone": ('Revert "Add the parser" (#34)', "", [("revert", "Add the parser", REVIEW)]),
    "title that GitHub cut off": (
        'Revert "Add the parser and all the othe… (#34)',
        "",
        [("revert", "Add the parser and all the othe…", REVIEW)],
    ),
    "nested": (
        'Revert "Revert "Add x (#12)" (#34)" (#56)',
        "",
        [("revert", 34, SURE)],
    ),
    "of a reapply": (
        'Revert "Reapply "Add x (#12)" (#34)"',
        f"This reverts commit {X}.",
        [("revert", X, SURE)],
    ),
    "branch of another host's button": (
        "Merge branch 'revert-be654a80' into 'r1'",
        "See merge request group/project!3288",
        [("revert", "be654a80", REVIEW)],
    ),
    "another host's number": (
        'group/project!7 - Revert "Fix x (#12)"',
        "",
        [("revert", "Fix x (#12)", REVIEW)],
    ),
}

RESTORES: dict[str, Case] = {
    "git's reapply": (
        'Reapply "Fix x (#12)" (#34)',
        f"This reverts commit {X}.",
        [("revert", X, SURE), ("restore", 12, SURE)],
    ),
    "a person's reapply": ('Reapply "Fix x (#12)" (#56)', "", [("restore", 12, SURE)]),
    "the owner's short form": ('Reapply "Fix x (ACME#12)" (#56)', "", [("restore", 12, SURE)]),
    "another owner's short form": (
        'Reapply "Fix x (other#12)" (#56)',
        "",
        [("restore", "Fix x (other#12)", REVIEW)],
    ),
    "replay": ('Replay "Fix x (#12)" (#56)', "", [("restore", 12, SURE)]),
    "replay with a colon": ("[Dev] replay: Fix x (#12) + fix y (#56)", "", [("restore", 12, SURE)]),
    "replay of": ("Fix the parser (Replay of #12) (#56)", "", [("restore", 12, SURE)]),
    "re-land": ("Re-land #12 (#56)", "", [("restore", 12, SURE)]),
    "reland with a title": ("reland: Fix x (#12) (#56)", "", [("restore", 12, SURE)]),
    "re-add": ("Re-add #12 (#56)", "", [("restore", 12, SURE)]),
    "restores after": ("Restores #12 after #34 (#56)", "", [("restore", 12, SURE)]),
    "restores something of it after": (
        "fix: restore PR #12 offload semantics after PR #34 (#56)",
        "",
        [("restore", 12, REVIEW)],
    ),
    "tag": (
        "[Dev] [Reapply] Add the parser (#56)",
        "",
        [("restore", "[Dev] Add the parser", REVIEW)],
    ),
    "bracket": ("(REPLAY) Add the parser (#56)", "", [("restore", "Add the parser", REVIEW)]),
    "reapply with a dash": ("Reapply - Add x (#56)", "", [("restore", "Add x", REVIEW)]),
    "reapply of a commit": (f"Reapply {X} (#56)", "", [("restore", X, REVIEW)]),
    "another host's number": ("Replay !12 - Add x", "", [("restore", "!12 - Add x", REVIEW)]),
}

PROSE = (
    "Revert to old default (#12)",
    "revert back MLP layer to use X",
    "Revert incorrect fix.",
    "Revert unintended code owner change (#12)",
    "Revert changes to a/b.py",
    "Revert `fork` to `spawn` based on stability issues",
    "fix: revert to dev's uv.lock",
    "Re-simplify what was accidentally reverted by #12 (#34)",
    "Fix full capture reverted by pull main (#12)",
    "Re-enable tests which were failing on #12 (#34)",
    "Re-add max_requests arg. (#12)",
    "Restore `some_test` (#12)",
    "restore original command",
    "Add router replay for MoE models (#12)",
    "Replay buffers for the router (#12)",
    "Fix optimizer checkpoint restore (#12)",
    "Bump lib from #3 to #4 (#77)",
    "Follow-up to #1 and #3",
)


@pytest.mark.parametrize("case", REVERTS.values(), ids=REVERTS)
def test_reverts_are_read_from_their_templates(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", RESTORES.values(), ids=RESTORES)
def test_restores_are_read_from_their_templates(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("subject", PROSE)
def test_prose_mentions_nothing(subject: str) -> None:
    assert read_mentions(subject, "Details: see (#41), revert later.", NAMES) == ()


def test_a_named_commit_keeps_the_number_of_its_title_for_branches_that_lack_it() -> None:
    (mention,) = read_mentions('Revert "Fix x (#12)"', f"This reverts commit {X}.", NAMES)
    assert (mention.sha, mention.number) == (X, 12)
