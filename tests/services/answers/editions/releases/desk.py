"""Small histories with releases, and the editions that tell what one brings against another."""

from pathlib import Path
from typing import Any

import msgspec

from events.facts.editions import TellingDecided
from events.sources.authored import author
from projections.release_inclusion.view import HistoryCache
from services.answers.editions.asking import edition_question
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.edition import Edition
from services.answers.editions.release_content import ReleaseContent
from services.answers.questions.author import AUTHOR
from services.answers.questions.builder import QuestionRequest
from services.answers.questions.question import EditionQuestion, Stage
from services.config.repository import ReleaseSettings, RepositorySettings, ThemeSettings
from services.config.settings import Decided, Settings
from tests.builders import REPO, at
from tests.projections.release_inclusion.bench import Arrival, git
from tests.projections.release_inclusion.histories import Written
from tests.services.audit.receipts.desk import Desk


def two_lines() -> Written:
    """Return a history: `release-1.0` is cut from main after #2; #3 is picked to it as #4; main
    takes #2 back by #5, and #6, which it got after the cut, by #7.
    """
    history = Written()
    history.commit("a", subject="Add a (#1)", at=at("03-01"))
    history.commit("b", "a", subject="Add b (#2)", at=at("03-02"))
    history.commit("bump", "b", subject="Bump the version", at=at("03-04"))
    history.commit("c", "b", subject="Add c (#3)", at=at("03-05"))
    pick = "cp: `Add c (3)` into `release-1.0` (#4)"
    history.commit("p", "bump", subject=pick, at=at("03-06"))
    history.commit("u", "c", subject='Revert "Add b (#2)" (#5)', at=at("03-07"))
    history.commit("t", "u", subject="Try t (#6)", at=at("03-08"))
    history.commit("v", "t", subject='Revert "Try t (#6)" (#7)', at=at("03-09"))
    history.branches = {"main": "v", "release-1.0": "p"}
    history.tags = {"v1.0.0": "bump", "v1.0.1": "p", "v1.0.1rc1": "p", "v2.0.0": "v"}
    return history


def configured(**aliases: str) -> Settings:
    """Return settings in which a change alone is a theme."""
    one = RepositorySettings(
        name="acme/widget",
        id=1001,
        themes=ThemeSettings(smallest=1, cap=50),
        releases=ReleaseSettings(aliases=aliases),
    )
    return Settings(data=Path("unused"), decided=Decided(repositories=(one,)))


def desk_of(history: Written, *more: Arrival, **aliases: str) -> Desk:
    """Return a desk that read a history on 03-10, and then what else arrived."""
    desk = Desk()
    desk.configure("02-01", configured(**aliases))
    desk.receive(git(history, "03-10"))
    desk.receive(more)
    desk.catch_up("04-01")
    return desk


def question(desk: Desk, releases: str, **asked: Any) -> EditionQuestion:
    """Ask as the command line does."""
    request = QuestionRequest(repository="acme/widget", releases=releases, zone="UTC")
    with desk.model.snapshot() as snapshot:
        question = edition_question(
            desk.stores,
            snapshot,
            request,
            stage=asked.pop("stage", ""),
            author=asked.pop("author", AUTHOR),
        )
    report = msgspec.structs.replace(question.report, **asked)
    return msgspec.structs.replace(question, report=report)


def edition_of(desk: Desk, releases: str, *, stage: Stage = "", **asked: Any) -> Edition:
    """Return the edition of `FIRST..SECOND`."""
    made = question(desk, releases, stage=stage, **asked)
    with desk.model.snapshot() as snapshot:
        return assemble_edition(snapshot, made, HistoryCache())


def content_of(edition: Edition) -> ReleaseContent:
    """Return what the edition's release brings."""
    assert edition.release is not None
    return edition.release


def decided(kind: str, value: str, **fields: Any) -> Arrival:
    """Return a person's decision about editions, recorded on 03-12."""
    given: dict[str, Any] = {"kind": kind, "author": "lead", **fields}
    fact = TellingDecided(decided_at=at("03-12"), value=value, **given)
    return "03-12", author(REPO, fact, time=at("03-12"))
