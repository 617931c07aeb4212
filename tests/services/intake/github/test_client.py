"""Paging, limits, redirects and faults of the API, and the token that nobody may see."""

import logging

import pytest

from events.errors import ConfigurationError, InvalidQuestion, NotFound, TransientError
from services.intake.github import GitHubClient, GitHubFault
from services.intake.github.client import Pages
from tests.services.intake.github.stub import TOKEN, Answer, Stub, files, pages

PATH = "/repos/acme/widget/pulls/7/files"


def ask(client: GitHubClient, *, etag: str | None = None, most: int = 3000) -> Pages:
    return client.pages(PATH, etag=etag, most_items=most, most_bytes=1 << 20)


def test_all_pages_are_read_by_their_links(client: GitHubClient, stub: Stub) -> None:
    stub.will(*pages(files("a"), files("b", "c"), files("d")))
    found = ask(client)
    assert (len(found.pages), found.items, found.cut, found.etag) == (3, 4, False, '"0"')
    assert [each.path for each in stub.asked] == [f"{PATH}?per_page=100", "/page/1", "/page/2"]
    assert stub.asked[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert stub.asked[0].headers["x-github-api-version"]


def test_a_list_that_is_too_long_is_cut_and_says_so(client: GitHubClient, stub: Stub) -> None:
    stub.will(*pages(files("a", "b"), files("c"), files("d")))
    found = ask(client, most=2)
    assert (len(found.pages), found.cut) == (1, True)


FULL = files(*(f"f{n}" for n in range(100)))


def last_is(page: int) -> dict[str, str]:
    return {"Link": f'<{{url}}{PATH}?per_page=100&page={page}>; rel="last"'}


def test_a_full_page_that_names_no_next_one_is_not_taken_for_the_last(
    client: GitHubClient, stub: Stub
) -> None:
    stub.will(Answer(FULL), Answer(files("a")))
    found = ask(client)
    assert (len(found.pages), found.items, found.cut) == (2, 101, False)
    assert [asked.path for asked in stub.asked] == [
        f"{PATH}?per_page=100",
        f"{PATH}?per_page=100&page=2",
    ]
    stub.will(Answer(FULL), Answer([]))
    found = ask(client)
    assert (len(found.pages), found.items, found.cut) == (1, 100, False)


def test_a_server_that_knows_no_pages_gives_its_list_once(client: GitHubClient, stub: Stub) -> None:
    stub.will(Answer(FULL))
    assert (ask(client).items, ask(client).cut) == (100, False)


def test_a_list_that_ends_before_its_announced_end_is_cut(client: GitHubClient, stub: Stub) -> None:
    for page in (files("a"), FULL, files()):
        stub.will(Answer(page, headers=last_is(3)))
        assert ask(client).cut


def test_what_did_not_change_is_not_read(client: GitHubClient, stub: Stub) -> None:
    stub.will(Answer(status=304))
    assert ask(client, etag='"x"') == Pages(unchanged=True, etag='"x"')
    assert stub.asked[0].headers["if-none-match"] == '"x"'


@pytest.mark.parametrize(
    ("limited", "wait"),
    [
        (Answer(status=429, headers={"Retry-After": "7"}), 7.0),
        (Answer(status=403, headers={"Retry-After": "3"}), 3.0),
        (
            Answer(
                status=403,
                headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1030"},
            ),
            31.0,
        ),
        (Answer(status=429), 60.0),
        (Answer({"message": "You have exceeded a secondary rate limit."}, status=403), 60.0),
        (Answer(status=502), 1.0),
    ],
    ids=["429 with a time", "403 with a time", "used up", "429", "secondary", "away"],
)
def test_limits_are_obeyed(
    client: GitHubClient, stub: Stub, waits: list[float], limited: Answer, wait: float
) -> None:
    stub.will(limited, *pages(files("a")))
    assert ask(client).items == 1
    assert waits == [wait]


def test_waiting_ends_sometime(client: GitHubClient, stub: Stub, waits: list[float]) -> None:
    stub.will(Answer(status=503))
    with pytest.raises(TransientError, match=rf"^{stub.url}/.* \(status 503\)"):
        ask(client)
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_nobody_waits_for_hours(client: GitHubClient, stub: Stub, waits: list[float]) -> None:
    stub.will(Answer(status=429, headers={"Retry-After": "90000"}))
    with pytest.raises(TransientError, match="in 90000 s or later"):
        ask(client)
    assert waits == []


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (Answer(status=404), NotFound, "does not see it"),
        (Answer(status=410), NotFound, "status 410"),
        (Answer(status=401), InvalidQuestion, "not valid"),
        (Answer({"message": "Resource not accessible"}, status=403), InvalidQuestion, "read"),
        (Answer(status=418), GitHubFault, "status 418"),
        (Answer(b"<html>"), GitHubFault, "no JSON list"),
        (Answer({"files": []}), GitHubFault, "no JSON list"),
    ],
)
def test_every_other_answer_says_what_to_do(
    client: GitHubClient,
    stub: Stub,
    waits: list[float],
    answer: Answer,
    kind: type[Exception],
    says: str,
) -> None:
    stub.will(answer)
    with pytest.raises(kind, match=says):
        ask(client)
    assert waits == []


def test_a_moved_repository_is_followed_on_the_same_server(
    client: GitHubClient, stub: Stub
) -> None:
    stub.will(
        Answer(status=301, headers={"Location": "{url}/repositories/1/x"}), *pages(files("a"))
    )
    assert ask(client).items == 1
    assert stub.asked[1].path == "/repositories/1/x"


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=302, headers={"Location": "http://localhost:9/elsewhere"}),
        Answer(files("a"), headers={"Link": '<http://localhost:9/2>; rel="next"'}),
    ],
    ids=["redirect", "next page"],
)
def test_the_token_never_goes_to_another_server(
    client: GitHubClient, stub: Stub, answer: Answer
) -> None:
    stub.will(answer)
    with pytest.raises(GitHubFault, match="another server"):
        ask(client)
    assert len(stub.asked) == 1


def test_a_circle_of_redirects_ends(client: GitHubClient, stub: Stub) -> None:
    stub.will(Answer(status=301, headers={"Location": "{url}/again"}))
    with pytest.raises(GitHubFault, match="again and again"):
        ask(client)


@pytest.mark.parametrize(
    "token", ["", "two words", "line\nbreak", "café"], ids=["empty", "space", "line", "letter"]
)
def test_an_odd_token_is_refused_without_being_shown(token: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        GitHubClient("https://api.example", token)
    assert not token or token not in str(refused.value)


@pytest.mark.parametrize("url", ["http://api.example", "ftp://x", "https://me:word@api.example"])
def test_a_token_goes_only_over_a_safe_way(url: str) -> None:
    with pytest.raises(ConfigurationError):
        GitHubClient(url, TOKEN)


def test_the_token_is_in_no_log_and_no_error(
    client: GitHubClient,
    stub: Stub,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with caplog.at_level(logging.DEBUG):
        stub.will(Answer(status=502), Answer(status=401))
        with pytest.raises(InvalidQuestion) as refused:
            ask(client)
    shown = capfd.readouterr()
    for text in (str(refused.value), repr(refused.value), caplog.text, shown.out, shown.err):
        assert TOKEN not in text
    assert TOKEN not in repr(client)
