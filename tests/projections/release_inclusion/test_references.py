"""Numbers of this repository, titles, and the cost of hostile messages."""

from projections.release_inclusion.messages.reading import read_mentions
from projections.release_inclusion.messages.references import Names, normal_title, numbers
from tests.projections.release_inclusion.message_cases import NAMES


def test_numbers_of_others_are_not_taken() -> None:
    text = (
        "other/widget#1 other#2 !3 GH-4 acme/widget#5 ACME#6 #7 x#8 https://a.b/acme/widget/pull/9"
    )
    assert numbers(text, NAMES) == (5, 6, 7, 9)
    assert numbers("acme/widget#5 #7", Names()) == (7,)


def test_titles_are_equal_however_they_are_numbered() -> None:
    spelled = (
        "Add the Parser",
        "add the parser (#1) (#2)",
        "g/p!12 - Add the `parser`",
        "Add the parser (!3)",
    )
    assert len({normal_title(title) for title in spelled}) == 1


def test_a_hostile_message_takes_no_long_time() -> None:
    for part in ("[a] ", "(a) ", "a: ", "cp: ", '"Revert ', "#1 and ", "(#1) ", "`a` into "):
        read_mentions("Revert " + part * 3000, "This reverts\n" * 3000, NAMES)
        read_mentions("cp: " + part * 3000, "", NAMES)
