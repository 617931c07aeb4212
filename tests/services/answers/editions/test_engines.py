"""One log, one edition: on each engine, each time, in whatever portions it was read."""

from events.facts.editions import EditionPublished, ToldTheme
from events.instant import DAY
from events.sources.authored import author
from services.config.repository import ThemeSettings
from services.documents.forms import MEDIA_TYPES
from services.simulator import simulate
from tests.answers import edition_text
from tests.builders import REPO, at
from tests.engines import NewEngine
from tests.services.answers.editions.desk import edition_of
from tests.worlds import project, world_log


def test_an_edition_is_the_same_on_each_engine_to_the_byte(new_engine: NewEngine) -> None:
    world = simulate(17, pulls=60, days=92)
    log = world_log(world)
    before = EditionPublished(
        start=at("05-01"),
        end=at("06-01"),
        zone="UTC",
        at=at("06-01"),
        title="May",
        text="May",
        digest="d",
        place="may.txt",
        made_here=False,
        themes=(ToldTheme(section="delivered", name="Theme of May", numbers=(3, 5, 9)),),
    )
    log.append([author(REPO, before, time=at("06-01"))])
    texts = []
    for engine, portion in ((new_engine(), 7), (None, 500)):
        model = project(
            log, engine=engine, batch_records=portion, clock=lambda: world.truth.end + 365 * DAY
        )
        edition = edition_of(model, "2026-06-01", "2026-07-01", themes=ThemeSettings())
        texts.append({form: edition_text(edition, form, "zh", "inline") for form in MEDIA_TYPES})
    assert texts[0] == texts[1]
