"""What SQLite and PostgreSQL are told in their own words comes to the same."""

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from events.instant import INF
from projections.pull_requests.tables import PullRequestTables
from projections.store.dialects import among, insert_many
from tests.builders import REPO
from tests.engines import NewEngine

TABLES = PullRequestTables(1)


def month(number: int, kt: int = INF) -> dict[str, object]:
    """Return a row, its columns in another order than the table's."""
    return {
        "vt": INF,
        "vf": 1_790_000_000_123_456,
        "number": number,
        "kf": 1_790_000_000_000_000 + number,
        "kt": kt,
        "month": 24_318,
        "repo": REPO,
    }


def test_rows_are_read_back_as_they_were_inserted(new_engine: NewEngine) -> None:
    rows = [month(number) for number in range(700)] + [month(700, kt=1_790_000_000_999_999)]
    with new_engine().begin() as connection:
        insert_many(connection, TABLES.months, rows)
        query = select(TABLES.months).order_by(TABLES.months.c.number)
        assert [dict(row) for row in connection.execute(query).mappings()] == rows


def test_a_row_whose_key_is_taken_undoes_all(new_engine: NewEngine) -> None:
    engine = new_engine()
    with pytest.raises(IntegrityError), engine.begin() as connection:
        insert_many(connection, TABLES.months, [month(1), month(2), month(1)])
    with engine.connect() as connection:
        assert connection.execute(select(TABLES.months)).all() == []


@pytest.mark.parametrize("count", [0, 1, 700])
def test_texts_are_found_among_many_whatever_stands_in_them(
    new_engine: NewEngine, count: int
) -> None:
    odd = ['"', "\\", "'", "{a,b}", "NULL", "é\u2028", "", "%", "a,b"]
    digests = [*odd, *(f"d{n}" for n in range(1_000))]
    texts = TABLES.texts
    wanted = [*odd, *(f"d{n}" for n in range(300, 300 + count)), "absent"]
    with new_engine().begin() as connection:
        rows = [{"repo": REPO, "digest": digest, "text": "t"} for digest in digests]
        insert_many(connection, texts, rows)
        found = connection.scalars(
            select(texts.c.digest).where(
                texts.c.repo == REPO, among(connection, texts.c.digest, wanted)
            )
        )
        assert set(found) == set(wanted) - {"absent"}
