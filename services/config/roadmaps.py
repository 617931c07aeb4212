"""What `shipledger.toml` may say of the roadmaps of one repository. No I/O."""

import msgspec

from projections.roadmap_status.words.states import State


class RoadmapSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which issues are roadmaps, and what their words and marks mean.

    Several blocks add up: an issue that fits any of them is a roadmap, and all legends hold.
    """

    issues: tuple[int, ...] = ()
    label: str = ""
    title: str = ""
    """A part of the title, or a glob where it has a `*`."""
    legend: dict[str, str] = {}
    """Word or mark -> what it asserts; the document's own legend goes before it."""
    delivered_on: str = ""
    """The branch on which "delivered" without a branch is tested; else the default branch."""

    def __post_init__(self) -> None:
        """Raise ValueError, beginning with the name of the field, where something is wrong."""
        states = {state.value for state in State}
        for word, state in self.legend.items():
            if not word.strip() or state not in states:
                known = ", ".join(sorted(states))
                raise ValueError(f"legend: {word!r} = {state!r}: write one of {known}")
        if any(number < 1 for number in self.issues):
            raise ValueError("issues: numbers of issues are positive")
