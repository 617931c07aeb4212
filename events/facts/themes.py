"""Facts about how the requests of a period were grouped for telling."""

from typing import Literal

import msgspec

from events.facts.base import Fact
from events.instant import Instant


class AssignedTheme(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One theme, its requests, and how it was made: by a rule, as last month's, or by clustering.

    `terms` are the words that set a cluster apart.
    """

    name: str
    numbers: tuple[int, ...]
    how: Literal["rule", "prior", "cluster"]
    terms: tuple[str, ...] = ()


class ThemesAssigned(Fact, frozen=True, kw_only=True):
    """The requests of the period [start, end) were given these themes, in this order.

    `inputs` is the digest of all that the assignment rests on; asked again with the same inputs,
    the recorded assignment is the answer.
    """

    start: Instant
    end: Instant
    inputs: str
    themes: tuple[AssignedTheme, ...]
    left_over: tuple[int, ...] = ()
