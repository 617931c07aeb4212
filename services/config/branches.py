"""Which branches of a repository play which part."""

import msgspec

from projections.repositories.branch_roles import BranchRoles


class BranchSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which branches play which part, as globs; a part left out keeps its defaults."""

    main: tuple[str, ...] | None = None
    dev: tuple[str, ...] | None = None
    release: tuple[str, ...] | None = None

    def roles(self) -> BranchRoles:
        """Return the roles."""
        given = {name: value for name, value in msgspec.structs.asdict(self).items() if value}
        return msgspec.structs.replace(BranchRoles(), **given)

    @property
    def landing(self) -> tuple[str, ...]:
        """The branches into which requests are merged; empty where nothing is configured."""
        if not any(msgspec.structs.astuple(self)):
            return ()
        roles = self.roles()
        return (*roles.main, *roles.dev, *roles.release)
