"""Reading section by section gives what reading the whole text gives."""

from pathlib import Path

import pytest

from projections.roadmap_status.items.item import Roadmap
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.items.piecewise import read_piecewise
from projections.roadmap_status.reading import Reader
from services.simulator import simulate

READER = Reader.of("acme/widget")
Q3 = (Path(__file__).parent / "q3.md").read_text()
TEXTS = [
    "",
    "no heading",
    "* one #1\n* two",
    "# T\n\nintro #7\n\n## A\n\n* **x** — done\n  * #1\n\n### B\n\n* y\n\n## C — delivered\n",
    "## A #5\n\ntext\n## B\n* z — done #3\n  more\n\n## Legend\n\n✅ shipped · 🚧 = working\n",
    '## A\n\n* ✅ a\n\n## Status convention\n\n"delivered" means merged\n',
    "# Done #4\n\n## A\n* b\n",
    "# T\n## A\n```\n## B\n```\n* b\n",
    "## A\n* b [x]\n\n[x]: https://github.com/acme/widget/pull/5\n## C\n* d [x]\n",
    "## A\n\n- [ ] b\n- [y] c #8\n\n## Credits\n\n* thanks #9\n",
    "* before\n\n## A\n> quoted\n## B\n* c\n",
    "## A\n\n| item | status |\n|---|---|\n| x | done |\n\n## B\n* c\n",
    Q3,
]


def whole(text: str) -> Roadmap:
    return read_roadmap(text, READER)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_sections_read_alone_are_the_whole(text: str) -> None:
    assert read_piecewise(text, whole) == whole(text)


def test_editions_of_a_world_are_read_alike() -> None:
    for version in simulate(5, pulls=20, days=60).truth.roadmaps:
        assert read_piecewise(version.body, whole) == whole(version.body)


def test_what_editions_share_is_read_once() -> None:
    read: list[str] = []
    kept: dict[str, Roadmap] = {}

    def reading(text: str) -> Roadmap:
        if text not in kept:
            read.append(text)
            kept[text] = whole(text)
        return kept[text]

    read_piecewise("## A\n* a\n## B\n* b\n## C\n* c\n", reading)
    done = len(read)
    read_piecewise("## A\n* a\n## B\n* b, done\n## C\n* c\n", reading)
    assert len(read) == done + 1
