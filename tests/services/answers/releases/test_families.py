"""Families of tags in the answers: schemes, tags that are no version, packages of one commit."""

import json
from typing import Any

import msgspec
import pytest

from events.errors import NotFound
from projections.release_inclusion.versions import Scheme
from services.answers.releases.forms import everywhere_forms, listing_forms, page_forms
from services.answers.releases.release_page import ReleasePage
from services.answers.releases.wording import tags_of_commit
from services.documents.forms import render
from tests.builders import at
from tests.projections.release_inclusion.bench import git
from tests.projections.release_inclusion.histories import Written, line_of
from tests.services.answers.releases.desk import Desk


def _desk(**tags: str) -> Desk:
    return Desk(*git(line_of("A (#1)", "B (#2)", "C (#3)", **tags), "03-10"))


@pytest.fixture(scope="module")
def mixed() -> Desk:
    return _desk(
        **{
            "curl-8_9_0": "A (#1)",
            "curl-8_10_0": "B (#2)",
            "v1.0.0": "A (#1)",
            "v1.0.0-rcv0014": "C (#3)",
        }
    )


def test_the_list_tells_how_versions_are_read_and_what_is_none(mixed: Desk) -> None:
    forms = listing_forms(mixed.listing())
    text = render(forms, "txt")
    assert "curl-*  numbers with underscores  curl-8_10_0" in text
    odd = "v1.0.0-rcv0014 — told against curl-8_10_0, the nearest tag among its ancestors"
    assert odd in text
    answer = json.loads(render(forms, "json"))
    assert [(one["family"], one["scheme"], one["tags"]) for one in answer["families"]] == [
        ("curl-*", "underscored", 2),
        ("v*", "semantic", 1),
    ]
    assert answer["not_understood"] == [{"tag": "v1.0.0-rcv0014", "against": "curl-8_10_0"}]
    assert "numbers with underscores" in render(forms, "html")


def test_the_page_of_a_tag_that_is_no_version_says_what_it_is_told_against(mixed: Desk) -> None:
    page = mixed.release("v1.0.0-rcv0014")
    assert [row.number for row in page.lists["new"]] == [3]
    assert (
        "v1.0.0-rcv0014 is no version of a family: it is told against curl-8_10_0, the nearest tag "
        "among its ancestors."
    ) in page.notes
    named = mixed.release("v1.0.0-rcv0014", against="v1.0.0")
    assert not any("no version" in note for note in named.notes)


def test_the_page_of_the_first_tag_says_that_no_tag_is_among_its_ancestors() -> None:
    notes = _desk(before="A (#1)").release("before").notes
    assert any("no tag is among its ancestors" in note for note in notes)


def test_a_configured_scheme_holds_and_is_told() -> None:
    desk = _desk(**{"1.0-1": "A (#1)", "1.0": "B (#2)"})
    (shown,) = desk.listing().families
    (configured,) = desk.listing(schemes={"*": Scheme.SEMANTIC}).families
    assert (shown.scheme, shown.configured) == (Scheme.DASHED, False)
    assert (configured.scheme, configured.configured) == (Scheme.SEMANTIC, True)
    notes = desk.listing(schemes={"x-*": Scheme.MAVEN}).notes
    assert "A scheme is configured for x-*, and no tag is of that family." in notes


@pytest.fixture(scope="module")
def packages() -> Desk:
    """Two commits with a tag of the whole and tags of packages; only #2 touches `pdata/`."""
    history = Written()
    for number, path in ((1, "pdata/a.go"), (2, "pdata/b.go"), (3, "docs/c.md")):
        parents = (f"c{number - 1}",) if number > 1 else ()
        subject = f"Change {number} (#{number})"
        history.commit(f"c{number}", *parents, subject=subject, at=at(f"03-0{number}"))
        changed = msgspec.structs.replace(history.commits[-1], paths=(path,))
        history.commits[-1] = changed
    history.branches = {"main": "c3"}
    names = [f"{name}/v0.150.0" for name in ("cmd", "pdata", "a", "b", "cmd/builder")]
    history.tags = dict.fromkeys(("v0.150.0", *names), "c3")
    history.tags |= {name.replace("150", "149"): "c1" for name in history.tags}
    history.tags["pdata/v0.1.0-rcv0014"] = "c2"
    return Desk(*git(history, "03-10"))


def _folders(page: ReleasePage) -> list[str]:
    return [line for line in render(page_forms(page), "md").splitlines() if line[:6] == "## New"]


def test_a13_the_page_of_a_package_tells_first_what_touches_its_folder(packages: Desk) -> None:
    page = packages.release("pdata/v0.150.0")
    assert [row.number for row in page.lists["new"]] == [2, 3]
    assert _folders(page) == ["## New in pdata/ (1)", "## New elsewhere (1)"]
    answer: Any = json.loads(render(page_forms(page), "json"))
    assert answer["folder"] == {"path": "pdata/", "numbers": [2]}


def test_a13_a_prefix_that_is_no_folder_divides_nothing(packages: Desk) -> None:
    for tag in ("b/v0.150.0", "v0.150.0"):
        assert _folders(packages.release(tag)) == ["## New (2)"]


def test_a13_tags_of_one_commit_are_one_line(packages: Desk) -> None:
    lines = render(everywhere_forms(packages.everywhere(2)), "txt").splitlines()
    first = "#2 is in 7 of 13 releases, first shipped in v0.150.0 and 5 packages of that commit."
    assert lines[0] == first
    rows = [line.split("  ")[0] for line in lines if "packages of that commit  " in line]
    assert rows == [
        "v0.150.0 and 5 packages of that commit",
        "v0.149.0 and 5 packages of that commit",
    ]


@pytest.mark.parametrize(
    ("asked", "tags"),
    [
        ("pdata", ["pdata/v0.149.0", "pdata/v0.150.0", "pdata/v0.1.0-rcv0014"]),
        ("pdata/v*", ["pdata/v0.149.0", "pdata/v0.150.0", "pdata/v0.1.0-rcv0014"]),
        ("v*", ["v0.149.0", "v0.150.0"]),
        ("cmd", ["cmd/v0.149.0", "cmd/v0.150.0"]),
        ("cmd/builder", ["cmd/builder/v0.149.0", "cmd/builder/v0.150.0"]),
    ],
)
def test_a13_the_list_can_be_of_one_family(packages: Desk, asked: str, tags: list[str]) -> None:
    assert [one.subject.name for one in packages.listing(family=asked).releases] == tags


def test_a_family_that_is_not_there_is_answered_with_those_that_are(packages: Desk) -> None:
    with pytest.raises(NotFound, match=r"no family nothing of tags; there are v\*"):
        packages.listing(family="nothing")


@pytest.mark.parametrize(
    ("tags", "words"),
    [
        (["v1.0"], "v1.0"),
        (["v3.14.0", "v0.314.0"], "v3.14.0 and v0.314.0"),
        (["v1.0", "a/v1.0", "b/v1.0"], "v1.0, a/v1.0 and b/v1.0"),
        (
            ["v1.0", "v1.0rc1", "a/v1", "b/v1", "c/v1"],
            "v1.0, v1.0rc1 and 3 packages of that commit",
        ),
        (["v1", *(f"v1rc{n}" for n in range(5))], "v1 and 5 tags of that commit"),
    ],
)
def test_few_tags_of_a_commit_are_named_and_many_counted(tags: list[str], words: str) -> None:
    assert tags_of_commit(tags) == words
