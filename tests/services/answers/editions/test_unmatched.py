"""A draft names the decisions about themes whose name fits none."""

from events.facts.editions import EditionPublished, TellingDecided, ToldTheme
from tests.builders import at
from tests.services.answers.editions.desk import edition_of, with_facts
from tests.services.answers.editions.test_curation import arrivals, decided, model_with

MADE = edition_of(model_with()).of("delivered")[0].key


def looks(*facts: tuple[str, TellingDecided | EditionPublished]) -> list[tuple[str, str]]:
    model = with_facts(arrivals(), *facts).model
    return [(look.about, look.why) for look in edition_of(model).looks]


def published(name: str) -> tuple[str, EditionPublished]:
    return "07-30", EditionPublished(
        start=at("06-01"),
        end=at("07-01"),
        zone="UTC",
        at=at("07-30"),
        title="June",
        text="June.",
        digest="0" * 64,
        place="june.txt",
        figures={},
        themes=(ToldTheme(section="delivered", name=name, numbers=(2,)),),
    )


def test_a_rename_of_no_theme_is_named_for_another_look() -> None:
    wrong = decided("rename", "Loading", theme="Laoder")
    assert looks(wrong) == [
        ("rename of Laoder", "no theme of this edition, nor of one published, is called Laoder")
    ]
    assert looks(wrong, published("Laoder")) == []


def test_a_rename_of_what_was_made_moved_or_renamed_fits() -> None:
    assert (
        looks(
            decided("rename", "Loading", theme=MADE),
            decided("rename", "加载", theme="Loading", language="zh"),
        )
        == []
    )
    assert (
        looks(decided("theme", "Loader", numbers=(2,)), decided("rename", MADE, theme="Loader"))
        == []
    )


def test_a_move_into_a_theme_that_nothing_else_makes_is_named() -> None:
    moved = decided("theme", "Loadign", numbers=(2,))
    assert looks(moved) == [
        ("theme of #2", "Loadign holds only what was moved there; no theme was called so before")
    ]
    assert looks(moved, published("Loadign")) == []
    assert looks(decided("theme", MADE, numbers=(1,))) == []
    assert looks(decided("theme", "Loadign", numbers=(9,))) == []
