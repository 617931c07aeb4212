"""Commits that put back what others had brought: what they carry by it."""

from collections.abc import Iterable

from projections.release_inclusion.history.carriers import Carrier, CarrierRole, Carriers, Method
from projections.release_inclusion.messages.mention import Mention, Role


def carry_again(
    carriers: Carriers, sha: str, commits: Iterable[str], role: CarrierRole, method: Method
) -> None:
    """Let a commit carry what these commits do, but for its own request: their part of it."""
    own = carriers.own(sha)
    again = [carrier for commit in commits for carrier in content_at(carriers, commit)]
    for number in {carrier.number for carrier in again} - {own}:
        known = (carrier for carrier in again if carrier.number == number)
        copies = {copy for carrier in known for copy in carrier.copies or (carrier.sha,)}
        carriers.add(
            Carrier(
                sha=sha,
                number=number,
                landing=sha,
                role=role,
                method=method,
                via=own,
                copies=tuple(sorted(copies)),
            )
        )


def content_at(carriers: Carriers, sha: str) -> list[Carrier]:
    """Return what a commit carries; what it only brings counts where there is nothing else."""
    bringing = (CarrierRole.SYNC, CarrierRole.PROMOTION)
    at = carriers.at(sha)
    return [carrier for carrier in at if carrier.role not in bringing] or [*at]


def undone_title(mentions: Iterable[Mention]) -> str | None:
    """Return the subject of the revert that a commit undoes, where it says what it restores."""
    restored = (m.title for m in mentions if m.role is Role.RESTORE and m.title)
    title = next(restored, None)
    return None if title is None else f'Revert "{title}"'
