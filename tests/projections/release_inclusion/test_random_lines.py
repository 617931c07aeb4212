"""Random single lines of landings, reverts and reapplies: the verdict equals the contents."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from tests.projections.release_inclusion.histories import Written, sha_of

ACTIONS = ("land", "revert by title", "revert by SHA", "revert the last", "reapply")


@dataclass
class Contents:
    """A line of commits beside what its tree really holds."""

    written: Written = field(default_factory=Written)
    subjects: list[str] = field(default_factory=list)
    changes: list[tuple[int, bool]] = field(default_factory=list)
    """For each commit the change that it touches, and whether that is in the tree after it."""
    present: dict[int, bool] = field(default_factory=dict)
    latest: dict[int, int] = field(default_factory=dict)
    """For each change the place of the last commit that put it in or took it out."""

    def commit(self, change: int, there: bool, subject: str, message: str = "") -> None:
        """Add a commit that brings a change, or takes it out."""
        name = str(len(self.subjects))
        parent = [str(len(self.subjects) - 1)] if self.subjects else []
        self.written.commit(name, *parent, subject=subject, message=message)
        self.written.tags[name] = name
        self.latest[change] = len(self.subjects)
        self.subjects.append(subject)
        self.present[change] = there

    def act(self, action: str, pick: int) -> None:
        """Do what a person can do at this point; nothing where there is nothing to do it to."""
        number = len(self.subjects) + 1
        if action == "land" or not self.present:
            self.commit(number, True, f"Add part {number} (#{number})")
            return
        change = sorted(self.present)[pick % len(self.present)]
        place, there = self.latest[change], self.present[change]
        if action == "revert the last":
            message = f"This reverts commit {sha_of(str(place))}."
            self.commit(change, not there, f'Revert "{self.subjects[place]}"', message)
        elif action == "reapply" and not there:
            self.commit(change, True, f'Reapply "Add part {change} (#{change})" (#{number})')
        elif action == "revert by title" and there:
            self.commit(change, False, f'Revert "Add part {change} (#{change})" (#{number})')
        elif action == "revert by SHA" and there:
            message = f"This reverts commit {sha_of(str(change - 1))}."
            self.commit(change, False, f'Revert "Add part {change} (#{change})"', message)


@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 20)), min_size=1, max_size=14))
def test_on_a_single_line_the_verdict_is_what_the_tree_holds(steps: list[tuple[str, int]]) -> None:
    world = Contents()
    truth: list[dict[int, bool]] = []
    for action, pick in steps:
        world.act(action, pick)
        truth += [dict(world.present)] * (len(world.subjects) - len(truth))
    world.written.branches["main"] = str(len(world.subjects) - 1)
    asked = world.written.read()
    for tag, present in enumerate(truth):
        for change, there in present.items():
            expected = "included" if there else "reverted"
            assert asked.verdict(change, str(tag)).outcome == expected, world.subjects
