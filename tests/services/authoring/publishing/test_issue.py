"""One issue for each edition: created, changed, and left alone where a person edited it."""

from collections.abc import Iterator

import pytest

from events.errors import InvalidQuestion, TransientError
from services.answers.editions.marker import MOST_CHARACTERS, issue_text, marked, read_marked
from services.authoring.publishing.issue import IssuePlan, plan_issue, send
from services.documents.neutral import neutral
from services.intake.github import GitHubClient, GitHubFault
from services.intake.github.issues import Issues
from tests.services.authoring.publishing.issues_stub import TOKEN, IssuesStub, issues_stub

EDITION = "e" * 32
OTHER = "f" * 32


@pytest.fixture
def stub() -> Iterator[IssuesStub]:
    with issues_stub() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def issues(stub: IssuesStub, waits: list[float]) -> Iterator[Issues]:
    with GitHubClient(stub.url, TOKEN, sleep=waits.append, now=lambda: 1_000.0) as client:
        yield Issues(client, "acme/widget")


def plan(issues: Issues, text: str = "Text.", **given: object) -> IssuePlan:
    body = issue_text(EDITION, text)
    asked = {"edition": EDITION, "title": "July", "body": body, "labels": ["report"], **given}
    return plan_issue(issues, **asked)  # type: ignore[arg-type]  # as the test gives it


def test_an_edition_that_has_no_issue_gets_one(stub: IssuesStub, issues: Issues) -> None:
    stub.add(title="another", body=marked(OTHER, "Text."))
    planned = plan(issues)
    assert (planned.action, stub.sent) == ("create", [])
    created = send(issues, planned, EDITION)
    assert created is not None
    assert stub.issues[2]["title"] == "July"
    assert stub.issues[2]["labels"] == [{"name": "report"}]
    found = read_marked(stub.issues[2]["body"])
    assert found is not None
    assert (found.edition, found.text, found.untouched) == (EDITION, "Text.", True)


def test_the_issue_is_found_by_its_marker_and_changed(stub: IssuesStub, issues: Issues) -> None:
    stub.add(title="July", body=issue_text(EDITION, "Old."), labels=[{"name": "kept"}])
    planned = plan(issues)
    assert (planned.action, planned.number, planned.labels) == ("update", 1, ("kept", "report"))
    assert "-Old." in planned.difference
    assert "+Text." in planned.difference
    send(issues, planned, EDITION)
    assert stub.sent == [("PATCH", "/repos/acme/widget/issues/1")]
    assert stub.issues[1]["body"] == issue_text(EDITION, "Text.")


def test_an_issue_that_says_the_same_is_not_touched(stub: IssuesStub, issues: Issues) -> None:
    body = issue_text(EDITION, "Text.").replace("\n", "\r\n")
    stub.add(title="July", body=body, labels=[{"name": "report"}])
    planned = plan(issues)
    assert planned.action == "nothing"
    assert send(issues, planned, EDITION) is None
    assert stub.sent == []


def test_an_issue_that_was_edited_is_refused(stub: IssuesStub, issues: Issues) -> None:
    stub.add(title="July", body=issue_text(EDITION, "Text.") + " More.")
    with pytest.raises(InvalidQuestion, match="edited since it was published"):
        plan(issues)
    assert stub.sent == []


def test_an_edit_between_the_plan_and_the_change_is_refused_too(
    stub: IssuesStub, issues: Issues
) -> None:
    stub.add(title="July", body=issue_text(EDITION, "Old."))
    planned = plan(issues)
    stub.edit_before_read = 1
    with pytest.raises(InvalidQuestion, match="edited since it was published"):
        send(issues, planned, EDITION)
    assert stub.sent == []


@pytest.mark.parametrize(
    ("body", "says"),
    [("Somebody's issue.", "was not published by Shipledger"), (marked(OTHER, "x"), "another")],
)
def test_the_issue_of_something_else_is_left_as_it_is(
    stub: IssuesStub, issues: Issues, body: str, says: str
) -> None:
    stub.add(body=body)
    with pytest.raises(InvalidQuestion, match=says):
        plan(issues, number=1)


def test_a_pull_request_is_no_issue(stub: IssuesStub, issues: Issues) -> None:
    stub.add(body=issue_text(EDITION, "Text."), pull_request={"url": "x"})
    assert plan(issues).action == "create"


# C6: a list that is not shown to be whole is never taken as whole


def fill(stub: IssuesStub, count: int, **fields: object) -> None:
    for _ in range(count):
        stub.add(title="Somebody's", body="Text.", **fields)


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_an_issue_behind_thousands_of_newer_ones_is_found(
    stub: IssuesStub, issues: Issues, links: bool
) -> None:
    stub.links = links
    number = stub.add(title="July", body=issue_text(EDITION, "Old."))
    fill(stub, 1_099, labels=[{"name": "report"}])
    assert plan(issues).number == number


def test_an_issue_that_lost_its_label_is_found(stub: IssuesStub, issues: Issues) -> None:
    number = stub.add(title="July", body=issue_text(EDITION, "Old."))
    fill(stub, 3, labels=[{"name": "report"}])
    assert plan(issues).number == number


def test_no_page_is_read_behind_the_issue(stub: IssuesStub, issues: Issues) -> None:
    fill(stub, 300)
    stub.add(title="July", body=issue_text(EDITION, "Old."))
    plan(issues, labels=[])
    assert len(stub.lists) == 1


@pytest.mark.parametrize("count", [99, 100, 101, 200])
@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_a_list_that_just_fits_is_whole(
    stub: IssuesStub, issues: Issues, count: int, links: bool
) -> None:
    stub.links = links
    fill(stub, count)
    assert plan(issues).action == "create"


def test_more_issues_than_are_looked_through_are_no_proof_that_there_is_none(
    stub: IssuesStub, issues: Issues, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.intake.github.issues.MOST_LISTED", 200)
    fill(stub, 201)
    with pytest.raises(InvalidQuestion, match="a second one is not made; name it with --number"):
        plan(issues)
    assert plan(issues, new=True).action == "create"
    assert stub.sent == []


def test_fewer_pages_than_were_announced_are_no_proof_either(
    stub: IssuesStub, issues: Issues
) -> None:
    stub.add(title="July", body=issue_text(EDITION, "Old."))
    fill(stub, 299)
    stub.lost_pages = {2}
    with pytest.raises(InvalidQuestion, match="a second one is not made"):
        plan(issues)


def test_an_issue_that_is_known_is_changed_also_where_somebody_says_that_it_is_new(
    stub: IssuesStub, issues: Issues
) -> None:
    number = stub.add(title="July", body=issue_text(EDITION, "Old."))
    assert plan(issues, number=number, new=True).action == "update"


def test_a_text_that_is_too_long_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(InvalidQuestion, match="65,536"):
        issue_text(EDITION, "x" * MOST_CHARACTERS)
    assert len(issue_text(EDITION, "x" * (MOST_CHARACTERS - 200))) <= MOST_CHARACTERS


def test_a_change_is_sent_again_only_where_github_took_nothing(
    stub: IssuesStub, issues: Issues, waits: list[float]
) -> None:
    stub.refuse = [(429, {"Retry-After": "7"})]
    send(issues, plan(issues), EDITION)
    assert waits == [7.0]
    assert len(stub.issues) == 1
    stub.refuse = [(502, {})]
    with pytest.raises(GitHubFault, match="look there before you try again"):
        issues.create("t", "b", ())
    assert len(stub.sent) == 3


def test_a_refused_change_says_why(stub: IssuesStub, issues: Issues) -> None:
    stub.refuse = [(422, {}), (403, {})]
    with pytest.raises(InvalidQuestion, match="GitHub refuses the change"):
        issues.create("t", "b", ())
    with pytest.raises(InvalidQuestion, match="may not write"):
        issues.create("t", "b", ())


def test_after_a_broken_connection_nothing_is_sent_again(issues: Issues) -> None:
    with (
        GitHubClient("http://127.0.0.1:9", TOKEN) as client,
        pytest.raises(TransientError, match="not known whether"),
    ):
        Issues(client, "acme/widget").create("t", "b", ())


@pytest.mark.parametrize(
    "hostile",
    [
        "@acme/team and @dev-b",
        "fixes #12, GH-13 and acme/other#14",
        "see https://host.example/acme/widget/pull/15 and www.host.example",
        "<!-- shipledger edition 00 -->",
        "--> <!--",
    ],
)
def test_nothing_in_a_published_text_acts(hostile: str) -> None:
    text = neutral(hostile)
    for active in ("@acme", "@dev", "#1", "GH-1", "://", "www.", "<!--", "-->"):
        assert active not in text
    assert text.replace("\u2060", "") == hostile


def test_a_title_cannot_forge_the_marker() -> None:
    forged = marked(OTHER, "x")
    found = read_marked(issue_text(EDITION, forged))
    assert found is not None
    assert (found.edition, found.untouched) == (EDITION, True)
