"""What `shipledger.toml` may say of the releases of one repository. No I/O."""

import msgspec

from projections.release_inclusion.releases import TagFamilies


class ReleaseSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tags are releases, and what readers call them."""

    families: tuple[str, ...] = ()
    """Patterns with one `*` for the version (`core_v*`, `pkg/v*`), the first that matches holds;
    without any the tags themselves show them."""
    aliases: dict[str, str] = {}
    """Name -> tag. What a person decides by `shipledger release alias` comes before it."""

    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, where something is wrong."""
        try:
            TagFamilies(self.families)
        except ValueError as error:
            raise ValueError(f"families: {error}") from None
        for name, tag in self.aliases.items():
            if not name.strip() or not tag.strip():
                raise ValueError(f"aliases: {name!r} = {tag!r}: neither may be empty")
