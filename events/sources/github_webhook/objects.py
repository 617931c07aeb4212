"""The parts of GitHub's objects that several kinds of events share.

Only what is used is declared, and only what is needed is required; every other key is skipped, so
that payloads of any age, of GitHub Enterprise Server and of compatible servers are read alike.
Nulls follow the published schema (octokit/openapi-webhooks): a deleted account is a null `user`.
"""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from events.sources.github_webhook.moment import Moment

#: Numbers and ids must fit into a column of 64 bits with sign.
Number: TypeAlias = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Sha: TypeAlias = Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]
FullName: TypeAlias = Annotated[str, Meta(pattern=r"^[^/\s]+/[^/\s]+\Z")]


class User(msgspec.Struct, frozen=True):
    """An account; `type` is `User`, `Bot`, `Organization` or `Mannequin`."""

    login: str
    type: str | None = None


class Label(msgspec.Struct, frozen=True):
    """A label, by the name it had when the payload was made."""

    name: str


class Milestone(msgspec.Struct, frozen=True):
    """A milestone, by its title."""

    title: str


class Repository(msgspec.Struct, frozen=True):
    """The repository that an event belongs to. In pushes the times are seconds since 1970."""

    id: Number
    full_name: FullName
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


def label_names(labels: tuple[Label | None, ...]) -> tuple[str, ...]:
    """Return the names, in the payload's order."""
    return tuple(label.name for label in labels if label is not None)


def login(user: User | None) -> str | None:
    """Return the login; None for a deleted account."""
    return None if user is None else user.login
