"""The themes of a release are made once too, for its pair of tags and no other."""

from events.facts.editions import TellingDecided
from events.sources.authored import author
from services.answers.editions.edition import Edition
from services.authoring.grouping import grouping_records
from tests.builders import REPO, at
from tests.services.answers.editions.frozen import named, themes_by_number
from tests.services.answers.editions.releases.desk import desk_of, edition_of, two_lines
from tests.services.audit.receipts.desk import Desk

PAIR, OTHER = "v1.0.0..v2.0.0", "v1.0.0..v1.0.1"


def drafted(desk: Desk, when: str) -> Edition:
    edition = edition_of(desk, PAIR)
    records = grouping_records(REPO, edition, at(when))
    desk.receive([(when, record) for record in records])
    desk.catch_up(when)
    return edition


def test_a_later_draft_of_the_same_pair_keeps_to_the_first() -> None:
    desk = desk_of(two_lines())
    first = drafted(desk, "04-02")
    assert len(first.unrecorded) == 1
    assert first.unrecorded[0].releases == ("v1.0.0", "v2.0.0")
    second = drafted(desk, "04-03")
    assert (second.unrecorded, second.moves) == ((), ())
    assert [grouping.known_since for grouping in second.groupings] == [at("04-02")]
    assert themes_by_number(second) == themes_by_number(first)
    assert edition_of(desk, PAIR, known_at=at("04-01")).groupings[0].record is None


def test_another_pair_has_themes_of_its_own() -> None:
    desk = desk_of(two_lines())
    drafted(desk, "04-02")
    assert edition_of(desk, OTHER).groupings[0].record is None


def test_what_was_hidden_is_named() -> None:
    desk = desk_of(two_lines())
    first = drafted(desk, "04-02")
    (told, *_) = (change.lead for theme in first.themes for change in theme.changes)
    hide = TellingDecided(
        kind="hide", decided_at=at("04-03"), author="lead", value="yes", numbers=(told,)
    )
    desk.receive([("04-03", author(REPO, hide, time=at("04-03")))])
    desk.catch_up("04-04")
    theme = themes_by_number(first)["delivered", told]
    assert named(edition_of(desk, PAIR)) == {told: f"#{told} left {theme}: hidden: lead"}
