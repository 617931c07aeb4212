"""Where an edition tells one request."""

from services.answers.editions.placing import Place, as_sentence, place_of
from tests.services.answers.editions.desk import edition_of
from tests.services.answers.editions.test_curation import decided, model_with


def test_a_request_is_told_under_its_theme() -> None:
    edition = edition_of(model_with())
    place = place_of(edition, 2)
    assert place == Place(
        number=2, section="delivered", theme=edition.of("delivered")[0].names["en"], lead=2
    )
    assert as_sentence(place).startswith("The edition tells #2 as delivered under “")


def test_a_hidden_request_is_not_told_and_says_why() -> None:
    edition = edition_of(model_with(decided("hide", "", numbers=(2,))))
    place = place_of(edition, 2)
    assert (place.section, place.why) == (None, edition.not_told[2])
    assert as_sentence(place) == f"The edition does not tell #2: {edition.not_told[2]}."


def test_a_number_of_another_period_is_in_no_edition() -> None:
    assert as_sentence(place_of(edition_of(model_with()), 99)) == "The edition does not tell #99."
