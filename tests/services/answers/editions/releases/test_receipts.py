"""The edition of a release is made again from its receipt, whatever happened since."""

from typing import Literal

import msgspec
import pytest

from projections.release_inclusion.view import HistoryCache
from services.answers.editions.asking import with_themes
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.marker import edition_id
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.period import period
from services.audit.edition_receipts import Rendering, edition_receipt, makers_for, rendered
from services.audit.receipts.verifying import verify
from tests.builders import REPO
from tests.projections.release_inclusion.bench import alias, fetched, read_refs
from tests.services.answers.editions.releases.desk import desk_of, question, two_lines
from tests.services.audit.receipts.test_verify import thousand_more


@pytest.mark.parametrize("form", ["md", "html", "json", "csv"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_is_the_same_to_the_byte_after_the_alias_and_the_tag_moved(
    form: str, language: Literal["en", "zh"]
) -> None:
    desk = desk_of(two_lines(), alias("26.03", "v1.0.1", "03-11"))
    asked = question(desk, "v1.0.0..26.03")
    rendering = Rendering(
        form=form,
        shape="inline",
        stage="",
        label="",
        author="Ada",
        releases=asked.releases or msgspec.UNSET,
    )
    asked = msgspec.structs.replace(asked, author="Ada")
    with desk.model.snapshot() as snapshot:
        edition = assemble_edition(snapshot, asked, HistoryCache())
        text = rendered(edition, rendering, language)
        receipt = edition_receipt(desk.stores, snapshot, edition, asked, rendering, language)
    moved = fetched("refs/tags/v1.0.0", "b", "04-02", before="bump", since="04-01")
    desk.receive([alias("26.03", "v2.0.0", "04-02"), ("04-02", read_refs([moved], "04-02"))])
    desk.receive(thousand_more())
    desk.catch_up("08-07")
    with desk.model.snapshot() as snapshot:
        now = assemble_edition(snapshot, question(desk, "v1.0.0..26.03"), HistoryCache())
        assert rendered(now, rendering, language) != text, "nothing changed that would show"
        verdict = verify(
            desk.stores, snapshot, receipt, makers=makers_for(desk.stores, snapshot, receipt)
        )
    assert verdict.outcome == "same", verdict.says


def test_the_receipt_of_a_period_is_written_as_before() -> None:
    desk = desk_of(two_lines())
    march = period("2026-03-01", "2026-04-01", "UTC")
    asked = with_themes(
        desk.settings,
        QuestionBuilder(desk.settings).report(QuestionRequest(repository="acme/widget"), march),
    )
    rendering = Rendering(form="md", shape="seed", stage="", label="", author="Ada")
    with desk.model.snapshot() as snapshot:
        edition = assemble_edition(snapshot, asked, HistoryCache())
        receipt = edition_receipt(desk.stores, snapshot, edition, asked, rendering, "en")
    assert receipt.question.form == (
        'edition {"form":"md","shape":"seed","stage":"","label":"","author":"Ada","issue":false}'
    )


def test_each_pair_of_releases_and_each_period_is_an_issue_of_its_own() -> None:
    march = period("2026-03-01", "2026-04-01", "UTC")
    names = {
        edition_id(REPO, march, language, releases)
        for language in ("en", "zh")
        for releases in (None, ("v1.0.0", "v1.0.1"), ("v1.0.0", "v2.0.0"))
    }
    assert len(names) == 6
