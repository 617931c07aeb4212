"""What sentences and notes assert of single links."""

import pytest

from tests.projections.roadmap_status.reading_roadmaps import only, told


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("It is on dev (#1); the main port (#2) remains open.", ["#2 open"]),
        ("Grounds are delivered on dev (#1); the main port (#2) remains open.",
         ["#1 delivered on dev", "#2 open"]),
        ("V2 is a back end (#1, merged October 9); the base is available (#2).",
         ["#1 delivered 10-9", "#2 delivered"]),
        ("It is delivered on main (#1) and dev (#2); the rest remains in progress.",
         ["#1 delivered on main", "#2 delivered on dev"]),
        ("It was restored in #1 on October 10 after the earlier combined revert. "
         "The previous try #2 was closed without merging.",
         ["#1 delivered 10-10", "item restored 10-10 by #1", "#2 closed, unmerged"]),
        ("The move (#1), and the grounds (#2) have landed on dev. See #3",
         ["#1 delivered on dev", "#2 delivered on dev"]),
        ("It is available on dev (#1). One (#2), two (#3), and three (#4) remain open.",
         ["#1 delivered on dev", "#2 open", "#3 open", "#4 open"]),
        ("Merged steps include a, b (#1), and c (#2). The rest is tracked in #3.",
         ["#1 delivered", "#2 delivered"]),
        ("A guide is under review in #1; it has not merged.", ["#1 open"]),
        ("#1 remains draft, #2 merged on 2026-05-12", ["#1 draft", "#2 delivered 5-12"]),
        ("#1 was reverted by #2", ["#1 reverted by #2"]),
        ("It was reverted in #2", ["item reverted by #2"]),
        ("#1 merged in 0.19, #2 is targeted for core_v0.20",
         ["#1 delivered in 0.19", "#2 planned for core_v0.20"]),
        ("主线移植（#1）仍未合并，dev 版本（#2）已合入；#3 已于10月9日合并",
         ["#1 not done", "#2 delivered", "#3 delivered 10-9"]),
        ("This does not fix #1", []),
        ("~~#1~~ is gone", ["#1 dropped"]),
    ],
)  # fmt: skip
def test_sentences_assert(text: str, claims: list[str]) -> None:
    item = only(f"- **A** - {text}")
    assert [told(claim) for claim in item.link_claims] == claims


@pytest.mark.parametrize(
    ("line", "claims"),
    [
        ("Brings it back #1 (restores #2 after the earlier combined revert)",
         ["#2 restored by #1"]),
        ("#1 (more work remains open)", ["#1 open"]),
        ("Complete the closed form #1", []),
        ("#1 (done)", ["#1 delivered"]),
    ],
)  # fmt: skip
def test_notes_on_listed_links_assert_and_their_titles_do_not(line: str, claims: list[str]) -> None:
    item = only(f"- **A** - b\n  - {line}")
    assert [told(claim) for claim in item.link_claims] == claims
