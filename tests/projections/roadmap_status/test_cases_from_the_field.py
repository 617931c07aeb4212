"""The cases that users of other tools reported: boxes, code, collapsed blocks, links, marks."""

import pytest

from projections.roadmap_status.issues import BoxAgainstIssue, IssueState, compare_box, is_done
from projections.roadmap_status.items.item import Standing
from projections.roadmap_status.items.links import LinkKind, LinkRole
from projections.roadmap_status.reading import Box, Doubt, TargetKind
from projections.roadmap_status.words.states import State
from tests.projections.roadmap_status.reading_roadmaps import numbers, only, roadmap


def test_r01_nested_boxes_count_and_keep_their_parent_from_being_done() -> None:
    text = (
        "- [x] Phase one\n    - [ ] importer #201\n\t- [x] exporter #202\n"
        "  - [ ] docs\n- [ ] Phase two\n"
    )
    read = roadmap(text)
    assert [item.title for item in read.items] == ["Phase one", "Phase two"]
    assert [child.title for child in read.items[0].children] == ["importer", "exporter", "docs"]
    assert read.boxes == (2, 5)
    assert read.items[0].standing is Standing.DONE_WITH_OPEN_CHILDREN
    assert not read.complete


def test_r02_every_bullet_and_box_that_github_knows_and_no_other() -> None:
    lines = ["+ [X] #1", "* [ ] #2", "10) [x] #3", "1. [ ] #4", "> - [x] #5"]
    lines += ["- [A](https://example.test)", "- [ ]#6", "-[x] #7", "- [y] #8"]
    read = roadmap("\n\n".join(lines))
    boxes = {number: item.claim.box for item in read.walk() for number in numbers(item)}
    assert [n for n, box in boxes.items() if box is Box.TICKED] == ["#1", "#3", "#5"]
    assert [n for n, box in boxes.items() if box is Box.OPEN] == ["#2", "#4"]
    assert sorted(str(link.reference) for link in read.references) == ["#6", "#7", "#8"]
    assert {link.role for link in read.references if link.reference.number != 7} == {
        LinkRole.MENTION
    }
    about = [(one.line, one.about) for one in read.cautions]
    assert about == [(line, Doubt.MALFORMED_BOX) for line in (13, 15, 17)]
    assert read.boxes == (3, 5)


def test_r04_code_comments_and_quotes_hold_no_tasks() -> None:
    text = (
        "~~~\n```\n- [ ] #20\n~~~\n\n- [x] #25\n\n  ```\n  - [ ] #20\n  ```\n\n`#21`\n\n"
        "<!--\n- [ ] #22\n-->\n\n> 1. on Tuesday #24 was quoted\n\n```\n- [ ] #23\n"
    )
    read = roadmap(text)
    assert [numbers(item) for item in read.walk()] == [["#25"]]
    assert read.boxes == (1, 1)
    assert [(str(link.reference), link.role) for link in read.loose] == [("#24", LinkRole.MENTION)]


def test_r05_collapsed_blocks_are_read_where_github_renders_them() -> None:
    text = (
        "<details open><summary>Q3</summary>\n\n- [ ] #26\n- [x] #27\n</details>\n\n"
        "<details>\n- [ ] #28\n</details>\n"
    )
    read = roadmap(text)
    assert [(numbers(item), item.section) for item in read.walk()] == [
        (["#26"], ("Q3",)),
        (["#27"], ("Q3",)),
    ]
    assert read.boxes == (1, 2)
    assert [one.about for one in read.cautions] == [Doubt.BOX_IN_RAW_HTML]
    assert [str(link.reference) for link in read.references] == ["#28"]


@pytest.mark.parametrize("text", [None, "", "Words only.", "<details>\n- [x] a\n</details>"])
def test_r05_no_items_are_never_complete(text: str | None) -> None:
    assert not roadmap(text).complete


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#40", ["#40"]),
        ("acme/other#41", ["acme/other#41"]),
        ("https://github.com/acme/other/issues/42", ["acme/other#42"]),
        ("https://github.com/acme/other/pull/43#issuecomment-9", ["acme/other#43"]),
        ("https://github.com/acme/other/issues/44/?x=1", ["acme/other#44"]),
        ('[#45](https://github.com/acme/other/issues/46#top "t")', ["acme/other#46"]),
        ("[#45](https://example.test)", []),
        ("other#47", []),
        ("GH-48", ["#48"]),
        ("(#49),", ["#49"]),
        ("#50:", ["#50"]),
        ("http://github.com/ACME/Widget/issues/51", ["#51"]),
        ("&#52;", []),
        ("&#35;52", []),
        ("acme/widget#053", []),
        (r"\#4435", []),
        ("完成了（#54），见#55。", ["#54", "#55"]),
        ("<https://github.com/acme/widget/pull/56/files>", ["#56"]),
        ("[as told][1]\n\n[1]: https://github.com/acme/widget/pull/57", ["#57"]),
        ("https://example.test/acme/widget/pull/58", []),
        ("a#59 x&#60 ##61", []),
        ("\u200f#62\u200e", ["#62"]),
        ("\ufeff#63\r\n#64", ["#63", "#64"]),
    ],
)
def test_r07_links_lead_where_github_leads(text: str, expected: list[str]) -> None:
    read = roadmap(text)
    assert [str(link.reference) for link in read.loose] == expected


def test_r07_an_address_tells_whether_it_is_a_request() -> None:
    item = only(
        "- [ ] x https://github.com/acme/widget/pull/1 and "
        "https://github.com/acme/widget/issues/2 and #3 and acme/other#4"
    )
    kinds = [LinkKind.PULL_REQUEST, LinkKind.ISSUE, LinkKind.NUMBER, LinkKind.OTHER_REPOSITORY]
    assert [link.kind for link in item.links] == kinds
    assert item.links[0].reference.kind is TargetKind.PULL_REQUEST


def test_r08_box_and_issue_are_both_kept_and_each_difference_is_told() -> None:
    read = roadmap("- [ ] #60\n- [x] #61\n- [x] #62\n- [x] write docs")
    issues = (IssueState.COMPLETED, IssueState.OPEN, IssueState.COMPLETED, None)
    boxes = [item.claim.box for item in read.items]
    pairs = list(zip(boxes, issues, strict=True))
    assert [is_done(box, issue) for box, issue in pairs] == [True, False, True, True]
    assert [compare_box(box, issue) for box, issue in pairs] == [
        BoxAgainstIssue.STALE,
        BoxAgainstIssue.CONFLICT,
        BoxAgainstIssue.AGREES,
        BoxAgainstIssue.NOTHING,
    ]


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ("- ✅ #80", State.DELIVERED),
        ("- #81 ✔️", State.DELIVERED),
        ("- #82 ✔", State.DELIVERED),
        ("- ☑ #83", State.DELIVERED),
        ("- :white_check_mark: #84", State.DELIVERED),
        ("- :construction: #85", State.IN_PROGRESS),
        ("- 🚧 #86", State.IN_PROGRESS),
        ("- ❌ #87", State.DROPPED),
        ("- #88 not done yet", State.NOT_DONE),
        ("- #89 undone", State.NOT_DONE),
        ("### Import (SHIPPED 2026-05-12) #90", State.DELIVERED),
        ("- draft-gate #91", State.NONE),
        ("- 🦄 #92", State.NONE),
    ],
)
def test_r10_marks_and_words_are_known_wherever_a_status_stands(row: str, state: State) -> None:
    item = only(row)
    assert item.claim.state is state
    assert len(item.links) == 1


def test_r10_a_date_in_a_status_is_kept() -> None:
    date = only("### Import (SHIPPED 2026-05-12) #90").claim.date
    assert date is not None
    assert (date.year, date.month, date.day) == (2026, 5, 12)


def test_r11_what_does_not_fix_an_issue_does_not_deliver_it() -> None:
    item = only("- [ ] Parser - #93 is a start. This does not fix #94.")
    roles = {str(link.reference): link.role for link in item.links}
    assert roles == {"#93": LinkRole.IMPLEMENTING, "#94": LinkRole.MENTION}
    assert not any(said.link and said.link.number == 94 for said in item.link_claims)
