"""Facts about editions: how requests were grouped and told for them, and what was published."""

from typing import Final, Literal, TypeAlias

import msgspec

from events.facts.base import Fact
from events.instant import Instant

Section: TypeAlias = Literal["delivered", "in_progress"]
Language: TypeAlias = Literal["en", "zh"]
TellingKind: TypeAlias = Literal[
    "theme", "rename", "twins", "exclusion", "overview", "summary", "bullet", "hide"
]

#: What the author's name begins with where a language model wrote the text, and the name follows.
MODEL: Final = "model:"


class DecisionContext(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person had before them who decided: the section, and all numbers it was about."""

    section: Section | None = None
    numbers: tuple[int, ...] = ()


class TellingDecided(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A person decided how editions tell something. None as `value` takes the decision back.

    What a decision is about, and what its value says, by kind:

    * `theme`: a request, and the theme that it and its change group belong to;
    * `rename`: a theme, and its new name; to the name of another theme merges the two;
    * `twins`: two requests, and `yes` or `no`: do they land one change?
    * `exclusion`: a request, and its class (`ci-only` …), or `kept`;
    * `overview`: nothing, and a text; `summary`: a theme in a section, and its sentence;
    * `bullet`: a request, and the text with which its change group is told;
    * `hide`: a request, and `yes`: its change group is not told.
    """

    kind: TellingKind
    decided_at: Instant
    author: str
    value: str | None
    numbers: tuple[int, ...] = ()
    """The requests it is about; a change group is meant by any of its numbers."""
    theme: str = ""
    section: Section | None = None
    language: Language | None = None
    """Of texts; None for all that has no language."""
    start: Instant | None = None
    """With `end`: it holds for editions within this range alone."""
    end: Instant | None = None
    days: tuple[str, str] | None = None
    """The range's first and last local day (`2026-07-01`, `2026-07-31`), where it is of whole days:
    it holds for editions within these days, in whatever zone they are asked for."""
    releases: tuple[str, str] | None = None
    """It holds for the edition about what the second of these tags brings against the first."""
    saw: DecisionContext = DecisionContext()
    replaces: tuple[str, ...] = ()
    """The records of the decisions that it replaces, as far as its author knew them."""
    reason: str = ""


class ToldTheme(msgspec.Struct, frozen=True, kw_only=True):
    """One theme of an edition, with every number that it prints."""

    section: Section
    name: str
    numbers: tuple[int, ...]


class EditionPublished(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """An edition about [start, end) was published with these very bytes.

    `figures` and `excluded` are those that it prints; of an edition from before Shipledger they
    were read from its text, and `made_here` is False. `known_at` and `receipt` say what it was
    made from.
    """

    start: Instant
    end: Instant
    zone: str
    at: Instant
    title: str
    text: str
    digest: str
    """SHA-256 of the text in UTF-8."""
    place: str
    """Where: `owner/name#12`, or the name of a file."""
    language: Language = "en"
    shape: str = "seed"
    form: str = "md"
    author: str = ""
    made_here: bool = True
    figures: dict[str, int | None] = msgspec.field(default_factory=dict)
    excluded: dict[str, int | None] = msgspec.field(default_factory=dict)
    themes: tuple[ToldTheme, ...] = ()
    releases: tuple[str, str] | None = None
    """It tells what the second of these tags brings against the first; start and end are when
    they became visible."""
    known_at: Instant | None = None
    receipt: dict[str, str] = msgspec.field(default_factory=dict)


class AssignedTheme(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One theme, its requests, and how it was made: by a rule, as last month's, or by clustering.

    `terms` are the words that set a cluster apart.
    """

    name: str
    numbers: tuple[int, ...]
    how: Literal["rule", "prior", "cluster"]
    terms: tuple[str, ...] = ()


class PlacedChange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A change that was given its theme after the themes had been made, and why.

    `was` is the theme that it had before; None: it is new. `theme` None: it fits none.
    """

    number: int
    theme: str | None
    why: str
    was: str | None = None


class ThemesAssigned(Fact, frozen=True, kw_only=True):
    """The requests of the period [start, end) were given these themes, in this order.

    `inputs` is the digest of all that the assignment rests on; asked again with the same inputs,
    the recorded assignment is the answer. With a `section` it also is the base of later drafts of
    that section: what is in it keeps its theme. It names every number of each change, and keeps
    those that have left since, so that they find their place again.
    """

    start: Instant
    end: Instant
    inputs: str
    themes: tuple[AssignedTheme, ...]
    left_over: tuple[int, ...] = ()
    section: Section | None = None
    """None in records from before assignments were kept by section."""
    releases: tuple[str, str] | None = None
    """It is about what the second of these tags brings against the first, and about no period."""
    ruled: tuple[int, ...] = ()
    """The requests that a rule took."""
    placed: tuple[PlacedChange, ...] = ()
    """What was placed since the themes were made, in that order."""
    replaces: str = ""
    """The record of the assignment in whose place this one stands; empty for a first one."""
