"""Commit messages and roadmap texts, fuzzed: four times the text takes about four times as long.

Strings are drawn from what such texts are made of: templates and words of theirs, signs, and
mixtures that a seed makes. `make test-slow` draws more.
"""

from random import Random
from typing import Final

import pytest

from events.sources.commit_message import landing
from projections.period_ledger.change_groups.port_words import own_words, read_text
from projections.period_ledger.change_groups.similarity import change_title
from projections.release_inclusion.messages.reading import LONGEST_SUBJECT, read_mentions
from projections.release_inclusion.messages.references import Names, normal_title, numbers
from projections.roadmap_status.editions.identity import match
from projections.roadmap_status.items.item import Roadmap
from services.answers.text.titles import clean_title
from tests.linear.cpu import LIMIT, Reading, growth
from tests.linear.pumps import ALPHABET, Pump
from tests.projections.roadmap_status.reading_roadmaps import roadmap

NAMES: Final = Names.of("acme/widget")
#: What the templates of commits are made of.
COMMIT_WORDS: Final = (
    *(
        "This reverts commit ",
        "Reverts #1, ",
        "revert ",
        "Reapply ",
        "restore #2 after ",
        "0123abc",
    ),
    *("(cherry picked from commit ", "commit 0123456789012345678901234567890123456789 upstream."),
    *(
        "cp: ",
        "[x] ",
        "(a) ",
        "fix(a)!: ",
        "#12, ",
        "acme/widget#3 and ",
        "Merge pull request #1 from ",
    ),
    *(
        "https://github.com/acme/widget/pull/1 ",
        "Backport of ",
        "we've cherry picked ",
        '"',
        "\u201c",
    ),
    *(
        "(#12)",
        "into `main`",
        "port of ",
        "dev PR: ",
        "> ",
        "```\n",
        "<!--",
        "a/b!1 - ",
        "\r\n",
        "\t\n",
    ),
)
ROADMAP_WORDS: Final = (
    *(
        "- [ ] ",
        "- [x] ",
        "[ ",
        "【x】",
        "\n- ",
        "\n  - ",
        "## ",
        "\n\n",
        "#12 ",
        "(#1, ",
        "~~a~~ ",
        "~a~",
    ),
    *(
        "merged in ",
        "not yet ",
        "planned for ",
        "in v0.15 ",
        "on main and dev ",
        "已于 main ",
        "未完成 ",
        "`a`",
    ),
    *(
        '"done" means ',
        "**a** ",
        "| a ",
        "|-",
        "<details>",
        "<!--",
        "✅",
        "previous ",
        "closed ",
        "see ",
    ),
    *(
        "Oct 9 ",
        "part (1/2) ",
        "@dev-a ",
        "— ",
        "：",
        "https://github.com/a/b/issues/1 ",
        "[a](",
        "![",
        "* ",
    ),
)
_FAST: Final = 12
_ALL: Final = 400


def drawn(words: tuple[str, ...], most: int, seed: int = 11) -> list[Pump]:
    """Return each word and sign by itself, then mixtures of some."""
    single = [Pump("", word, end) for word in (*words, *ALPHABET) for end in ("", "x\n")]
    random = Random(seed)
    mixed = [
        Pump(
            random.choice(words),
            "".join(random.choices((*words, *ALPHABET), k=random.randint(2, 5))),
            random.choice((*words, "")),
        )
        for _ in range(most)
    ]
    return [*mixed, *random.sample(single, len(single))][: most * 2]


def slow_ones(reading: Reading, pumps: list[Pump], size: int) -> list[tuple[Pump, float]]:
    factors = ((pump, growth(reading, pump.text, size)) for pump in pumps)
    return [(pump, factor) for pump, factor in factors if factor is not None and factor > LIMIT]


def message(text: str) -> None:
    """Read a text as a commit's message, below a subject that makes all templates be tried."""
    landing("Reapply this (#12)", text, parents=2)
    read_mentions("Revert and cherry-pick this", text, NAMES)


def subject(text: str) -> None:
    """Read a text as a title: of a commit, of a request."""
    landing(text, "", parents=2)
    read_mentions(f"revert {text}", "", NAMES)
    for read in (normal_title, change_title, clean_title):
        read(text)
    numbers(text, NAMES)


def words_of_request(text: str) -> None:
    list(read_text(own_words(text), NAMES))


READINGS: Final = {"message": message, "subject": subject, "request": words_of_request}


@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS.keys())
def test_a_commits_text_takes_linear_time(reading: Reading) -> None:
    assert slow_ones(reading, drawn(COMMIT_WORDS, _FAST), 5_000) == []


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS.keys())
def test_any_text_of_a_commit_takes_linear_time(reading: Reading) -> None:
    assert slow_ones(reading, drawn(COMMIT_WORDS, _ALL), 20_000) == []


def test_a_roadmaps_text_takes_linear_time() -> None:
    assert slow_ones(roadmap, drawn(ROADMAP_WORDS, _FAST), 1_000) == []


@pytest.mark.slow
def test_any_text_of_a_roadmap_takes_linear_time() -> None:
    assert slow_ones(roadmap, drawn(ROADMAP_WORDS, _ALL), 4_000) == []


def test_many_items_that_read_the_same_are_identified_in_linear_time() -> None:
    read: dict[str, Roadmap] = {}

    def identified(text: str) -> object:
        if text not in read:  # reading is not what is measured
            read[text] = roadmap(text)
        return match("r", (), read[text].items)

    assert slow_ones(identified, [Pump("", "- [ ] the same\n", "")], 15_000) == []


@pytest.mark.parametrize("sign", ["\n", " ", "\t", "\r\n", "\u00a0", "\n ", "0", "#", "("])
def test_a_message_of_one_sign_takes_linear_time(sign: str) -> None:
    """20,000 empty lines once took 35 seconds."""
    assert slow_ones(message, [Pump("a", sign, "a")], 20_000) == []


@pytest.mark.parametrize("part", [" (#12)", "(#12)", "[dev] ", "fix: ", "a/b!1 - ", "(a) "])
def test_a_title_of_many_parts_takes_linear_time(part: str) -> None:
    """Parts are taken off one after the other, each time from the whole of the rest."""
    assert slow_ones(subject, [Pump("Fix it", part, "")], 4_000) == []


def test_what_is_said_after_many_empty_lines_is_still_read() -> None:
    sha = "0123456789" * 4
    text = "\n" * 20_000 + f"This reverts commit {sha}.\n"
    assert [mention.sha for mention in read_mentions("Revert it", text, NAMES)] == [sha]
    text = "\n" * 20_000 + f"   (cherry picked from commit {sha})"
    assert [mention.sha for mention in read_mentions("Fix it", text, NAMES)] == [sha]


def test_a_subject_is_read_to_its_thousandth_character() -> None:
    assert read_mentions("x" * LONGEST_SUBJECT + " cherry-pick #12", "", NAMES) == ()
