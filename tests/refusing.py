"""A program that does not understand some records yet."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from events import translate
from events.errors import InvalidEvent
from events.facts.base import Fact
from events.record import Record


@contextmanager
def refusing(*record_ids: str) -> Iterator[None]:
    """Understand all but some records, whatever their source."""
    translators = cast(dict[str, object], translate.TRANSLATORS)
    before = dict(translate.TRANSLATORS)

    def refuses(record: Record) -> tuple[Fact, ...] | str:
        if record.id in record_ids:
            raise InvalidEvent("not understood yet")
        return before[record.source](record)

    with pytest.MonkeyPatch.context() as patch:
        for source in before:
            patch.setitem(translators, source, refuses)
        yield
