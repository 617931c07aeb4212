"""The parts of GitHub's objects that several kinds of events share.

Only what is used is declared; every other key is skipped, so that payloads of any age, of GitHub
Enterprise Server and of compatible servers are read alike. A field that lacks, or is null, is not
shown and takes nothing else with it: required is only what a fact cannot be told without. A field
that holds what cannot be there (a number for a name) makes the payload one that nobody understands.
Nulls follow the published schema (octokit/openapi-webhooks): a deleted account is a null `user`.
"""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from events.sources.github_webhook.moment import Moment

#: Numbers and ids must fit into a column of 64 bits with sign.
Number: TypeAlias = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Sha: TypeAlias = Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]
FullName: TypeAlias = Annotated[str, Meta(pattern=r"^[^/\s]+/[^/\s]+\Z")]


class User(msgspec.Struct, frozen=True):
    """An account; `type` is `User`, `Bot`, `Organization` or `Mannequin`."""

    login: str | None = None
    type: str | None = None


class Label(msgspec.Struct, frozen=True):
    """A label, by the name it had when the payload was made."""

    name: str | UnsetType = UNSET


class Milestone(msgspec.Struct, frozen=True):
    """A milestone, by its title."""

    title: str | None = None


class Repository(msgspec.Struct, frozen=True):
    """The repository that an event belongs to. In pushes the times are seconds since 1970."""

    id: Number | None = None
    full_name: FullName | None = None
    default_branch: str | None = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
    pushed_at: Moment | None = None


class From(msgspec.Struct, frozen=True):
    """The value before an edit."""

    value: str | None = msgspec.field(default=None, name="from")


class TextChanges(msgspec.Struct, frozen=True):
    """What an edit did to the texts of an issue or a request; absent where it left them alone."""

    title: From = From()
    body: From | None = None

    @property
    def body_from(self) -> str | None:
        """The text before; empty where GitHub writes null for one that was never given."""
        return None if self.body is None else self.body.value or ""


def label_names(labels: tuple[Label | None, ...] | None) -> tuple[str, ...] | None:
    """Return the names, in the payload's order; None where not all of them are shown."""
    if labels is None:
        return None
    names = [label.name for label in labels if label is not None]
    known = tuple(name for name in names if name is not UNSET)
    return known if len(known) == len(names) else None


def label_name(label: Label | None) -> str | None:
    """Return the name of a label that may be absent."""
    return None if label is None or label.name is UNSET else label.name


def login(user: User | None) -> str | None:
    """Return the login; None for a deleted account."""
    return None if user is None else user.login


def is_bot(user: User | None) -> bool | None:
    """Tell whether an account is a program; None where the payload does not say what it is."""
    return None if user is None or user.type is None else user.type == "Bot"


def title_of(milestone: Milestone | None) -> str | None:
    """Return the title of a milestone that may be absent."""
    return None if milestone is None else milestone.title
