"""Lists of files become records; what is known already is not recorded again."""

import pytest

from events.facts.files import FilesObserved
from events.log.memory import MemoryLog
from events.log.port import START
from events.translate import translate
from services.intake.github import FilesResult, GitHubClient, import_files
from services.intake.github.files import api_address
from tests.services.intake.github.stub import HEAD, Answer, Stub, files, pages

REPO = "github.com/1001"
NOW = 1_800_000_000_000_000


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog(lambda: NOW)


def run(client: GitHubClient, log: MemoryLog, *numbers: int) -> FilesResult:
    return import_files(
        client, numbers, log=log, repository=REPO, full_name="acme/widget", clock=lambda: NOW
    )


def facts(log: MemoryLog) -> list[FilesObserved]:
    entries = log.read(REPO, START)
    found = [fact for entry in entries for fact in translate(entry.record).facts]
    assert all(isinstance(fact, FilesObserved) for fact in found)
    return [fact for fact in found if isinstance(fact, FilesObserved)]


def test_a_list_is_recorded_with_both_names_of_a_rename(
    client: GitHubClient, stub: Stub, log: MemoryLog
) -> None:
    moved = {**files("new.py")[0], "status": "renamed", "previous_filename": "old.py"}
    stub.will(*pages(files("b.py"), [moved]))
    assert run(client, log, 7) == FilesResult(new=1, unchanged=0)
    assert facts(log) == [
        FilesObserved(number=7, at=NOW, paths=("b.py", "new.py", "old.py"), head=HEAD)
    ]


def test_the_same_list_is_recorded_once(client: GitHubClient, stub: Stub, log: MemoryLog) -> None:
    stub.will(*pages(files("a.py")))
    assert [run(client, log, 7).new, run(client, log, 7).new] == [1, 0]
    assert stub.asked[1].headers["if-none-match"] == '"0"'
    stub.will(Answer(status=304))
    assert run(client, log, 7) == FilesResult(new=0, unchanged=1)
    assert len(facts(log)) == 1


def test_an_etag_of_many_pages_is_not_trusted(
    client: GitHubClient, stub: Stub, log: MemoryLog
) -> None:
    """It says nothing about the pages after the first."""
    for _ in range(2):
        stub.will(*pages(files("a.py"), files("b.py")))
        run(client, log, 7)
    assert all("if-none-match" not in each.headers for each in stub.asked)


def test_a_list_that_changes_while_it_is_read_is_read_again(
    client: GitHubClient, stub: Stub, log: MemoryLog
) -> None:
    torn = pages(files("a.py"), files("b.py", head="b" * 40))
    stub.will(*torn, *pages(files("a.py", head="b" * 40), files("b.py", head="b" * 40)))
    run(client, log, 7)
    assert [(fact.head, fact.torn) for fact in facts(log)] == [("b" * 40, False)]


def test_github_lists_three_thousand_files_and_no_more(
    client: GitHubClient, stub: Stub, log: MemoryLog
) -> None:
    hundred = [files(*[f"{page}/{nth}.py" for nth in range(100)]) for page in range(30)]
    stub.will(*pages(*hundred))
    run(client, log, 7)
    (fact,) = facts(log)
    assert (len(fact.paths), fact.capped) == (3000, True)


def test_a_number_that_is_no_request_is_named_and_the_others_are_listed(
    client: GitHubClient, stub: Stub, log: MemoryLog
) -> None:
    stub.will(Answer(status=404), *pages(files("a.py")))
    assert run(client, log, 8, 7, 7) == FilesResult(new=1, unchanged=0, gone=(7,))
    assert [fact.number for fact in facts(log)] == [8]


def test_each_host_has_its_api() -> None:
    assert api_address("github.com") == "https://api.github.com"
    assert api_address("git.example.org") == "https://git.example.org/api/v3"
