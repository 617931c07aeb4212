"""Which theme a request is nearest to, and which is near to none."""

import pytest

from projections.period_ledger.themes import ThemeRequest
from services.answers.themes.nearness import Nearness
from tests.services.answers.themes.test_themes import AREAS, month


def themes() -> dict[str, list[ThemeRequest]]:
    requests = month()
    return {area: requests[3 * nth : 3 * nth + 3] for nth, area in enumerate(AREAS)}


@pytest.mark.parametrize(
    ("title", "path", "theme"),
    [
        ("Speed up the MoE router", "", "router"),
        ("Load shards", "src/checkpoint/part_9.py", "checkpoint"),
        ("Anything", "src/rollout/part_7.py", "rollout"),
        ("Anything", "", None),
        ("…", "docs/index.md", None),
        ("", "", None),
    ],
)
def test_by_words_and_by_folders(title: str, path: str, theme: str | None) -> None:
    request = ThemeRequest(number=99, title=title, paths=(path,) if path else ())
    near = Nearness(themes()).nearest(request)
    assert (near and near.theme) == theme


def test_the_nearest_of_the_theme_is_named_and_the_first_of_equals() -> None:
    near = Nearness(themes()).nearest(ThemeRequest(number=99, title="RL rollout recovery"))
    assert near is not None
    assert near.number == 8
    twins = {"a": [ThemeRequest(number=n, title="Sharded load") for n in (5, 4)]}
    near = Nearness(twins).nearest(ThemeRequest(number=9, title="Sharded load"))
    assert near is not None
    assert near.number == 4


def test_without_themes_nothing_is_near() -> None:
    assert Nearness({}).nearest(ThemeRequest(number=1, title="Anything")) is None
    assert Nearness({"empty": []}).nearest(ThemeRequest(number=1, title="Anything")) is None


def test_the_order_of_a_theme_does_not_matter() -> None:
    asked = ThemeRequest(number=99, title="Checkpoint the router", paths=("src/router/x.py",))
    near = Nearness(themes()).nearest(asked)
    turned = {name: part[::-1] for name, part in reversed(themes().items())}
    assert Nearness(turned).nearest(asked) == near


def test_most_come_back_to_their_theme() -> None:
    every = themes()
    for theme, part in every.items():
        for request in part:
            without = {name: [r for r in rs if r is not request] for name, rs in every.items()}
            near = Nearness(without).nearest(request)
            assert near is not None
            assert near.theme == theme
