"""An answer is settled where neither its repository's partition nor its host's can change it."""

from sqlalchemy import Connection, update

from events.facts.operations import Ticked
from events.facts.repository import GapObserved
from events.instant import SECOND
from events.record import Record
from events.sources.authored import author
from projections.store.schema import readers
from tests.builders import at, pull_request
from tests.lab import Lab, created

HOST = "github.com"


def gap(when: str) -> tuple[str, Record]:
    fact = GapObserved(start=at("03-02"), end=at("03-03"), reason="lost", harmless=False)
    return when, author(HOST, fact, time=at(when))


def tick(when: str, key: str = "github.com/1001") -> tuple[str, Record]:
    return when, author(key, Ticked(at=at(when)), time=at(when))


ARRIVALS = [created(), ("03-02", pull_request("a", 1, "opened", "03-02")), tick("04-02")]


def unread_host(lab: Lab, until: str) -> None:
    """Let the reader have stood at the end of the log for the last time at `until`."""
    with lab.model.engine.begin() as connection:
        _stand(connection, at(until))


def _stand(connection: Connection, at_end: int) -> None:
    connection.execute(update(readers).values(caught_up_at=at_end))


def test_a_gap_of_the_host_that_is_read_later_changes_no_settled_answer() -> None:
    lab = Lab(ARRIVALS)
    unread_host(lab, "04-01")
    asked = lab.report("2026-03-01", "2026-04-01", known_at="04-02")
    assert not asked.settled, "the host's partition may hold a gap that was not read yet"
    found = Lab([*ARRIVALS[:2], gap("04-01 12:00:00"), ARRIVALS[2]])
    later = found.report("2026-03-01", "2026-04-01", known_at="04-02")
    assert [doubt.kind for doubt in later.coverage] == ["gap", "unheard"]
    assert later.settled


def test_it_is_settled_once_the_host_was_read_beyond_it() -> None:
    lab = Lab(ARRIVALS)
    assert lab.report("2026-03-01", "2026-04-01", known_at="04-02").settled
    unread_host(lab, "04-01")
    with_host = Lab([*ARRIVALS, tick("04-03", HOST)])
    unread_host(with_host, "04-01")
    assert with_host.report("2026-03-01", "2026-04-01", known_at="04-02").settled


def test_a_gap_recorded_after_k_is_not_in_the_answer() -> None:
    before = Lab(ARRIVALS).report("2026-03-01", "2026-04-01", known_at="04-02")
    after = Lab([*ARRIVALS, gap("04-03")]).report("2026-03-01", "2026-04-01", known_at="04-02")
    assert before.settled
    assert after.settled
    assert after.coverage == before.coverage
    assert at("04-03") - at("04-02") > SECOND
