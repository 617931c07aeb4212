"""Whose secret signed it: a repository's own secret speaks for that repository, and no other.

A body names its repository by id and by name, and who signs may combine them freely. The id decides
where a record belongs, so a secret that is configured by a name holds for one id only: the one
that the name is known to have, else the first one that comes with it.
"""

from collections.abc import Callable
from typing import TypeAlias

from events.identity import RepositoryKey
from events.sources.github_webhook import Routing
from services.intake.webhooks.answers import Refusal
from services.intake.webhooks.delivery import Headers, delivery_key
from services.intake.webhooks.signature import Secrets

KeyOf: TypeAlias = Callable[[str], RepositoryKey | None]
"""Says which key a repository has by its name, None where no id of it is known."""


def bad_signature() -> Refusal:
    """Return the refusal of a signature that no secret made which is valid here."""
    return Refusal(
        403,
        "bad_signature",
        "The signature does not fit the body: compare the secret at GitHub with ours, and "
        "see that nothing on the way changes the body.",
    )


class Belonging:
    """Checks that the secrets that fit are those of the repository that a body names."""

    def __init__(self, secrets: Secrets, key_of: KeyOf = lambda _: None) -> None:
        self._secrets = secrets
        self._key_of = key_of
        self._keys: dict[str, RepositoryKey] = {}

    def check(self, fitting: frozenset[bytes], headers: Headers, routing: Routing) -> None:
        """Raise Refusal where another repository's secret, or the general one, signed it."""
        key, name = delivery_key(routing, headers), (routing.full_name or "").lower()
        if not self._secrets.allow(fitting, (key, name)):
            raise bad_signature()
        if self._secrets.own(key) or not self._secrets.own(name):
            return
        if routing.repository_id is None:
            raise bad_signature()
        known = self._keys.get(name) or self._key_of(name) or key
        if known != key:
            raise Refusal(
                403,
                "other_repository",
                f"The secret of {name} holds for {known}, and this names {key}; where the "
                "repository was made anew, write its `id` beside its `name` in shipledger.toml.",
            )
        self._keys[name] = key
