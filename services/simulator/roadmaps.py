"""Roadmaps: issues whose Markdown is edited by hand, and trails what really happened."""

from dataclasses import dataclass, field, replace
from typing import Final

from services.simulator.issues import Issue
from services.simulator.people import MAINTAINERS
from services.simulator.pulls import Pull
from services.simulator.stage import DAY, Script
from services.simulator.team import Team
from services.simulator.truth import RoadmapItem, RoadmapVersion

KEEPER: Final = MAINTAINERS[2]
SECTIONS: Final = ("MoE", "Parallelism", "Performance", "Community wishes")
#: The section whose items have boxes and no status words.
BOXED: Final = SECTIONS[3]
DELIVERED: Final = "delivered on main"


@dataclass
class Item:
    """An item as the keeper has it in mind; `words` may be out of date or plainly wrong."""

    key: str
    section: str
    title: str
    pulls: list[Pull] = field(default_factory=list)
    words: str | None = None
    careless: bool = False

    @property
    def box(self) -> bool | None:
        """The box of an item in the boxed section; ticked once delivered anywhere."""
        if self.section != BOXED:
            return None
        return self.words is not None and self.words.startswith("delivered")

    @property
    def strike(self) -> str:
        """The tildes around an item that the keeper gave up before anybody worked on it."""
        serial = int(self.key.rpartition("-")[2])
        given_up = self.careless and not self.pulls and self.words == "planned" and not serial % 4
        return ("~" if serial % 8 else "~~") if given_up else ""

    def shown(self) -> RoadmapItem:
        """Return the item as the text shows it now."""
        return RoadmapItem(
            key=self.key,
            section=self.section,
            title=self.title,
            words=None if self.section == BOXED or self.strike else self.words,
            box=self.box,
            struck=bool(self.strike),
            links=tuple(pull.number for pull in self.pulls),
        )


def kept(team: Team) -> Script:
    """Keep a roadmap for a bit more than half the world's time, then its successor."""
    stage = team.stage
    half = stage.start + (stage.end - stage.start) * 11 // 20
    pause = min(6 * DAY, (stage.end - stage.start) // 12)
    yield min(3 * DAY, pause)
    items = [_new_item(team, section) for section in SECTIONS for _ in range(2)]
    first, book = _publish(team, "[ROADMAP][Q2] Widget roadmap", items, None)
    while stage.now < half:
        yield pause + stage.between(0, 12)
        _update(team, items)
        _edit(team, first, book, items)
    carried = [replace(item, pulls=list(item.pulls)) for item in items if not _delivered(item)]
    carried += [_new_item(team, section) for section in SECTIONS]
    second, next_book = _publish(team, "[ROADMAP][Q3] Widget roadmap", carried, first.number)
    yield 90
    first.comment(f"This roadmap is continued in #{second.number}.", KEEPER)
    first.close("completed", KEEPER)
    while True:
        yield pause + stage.between(0, 12)
        _update(team, carried)
        _edit(team, second, next_book, carried)


def _publish(
    team: Team, title: str, items: list[Item], before: int | None
) -> tuple[Issue, RoadmapVersion]:
    body = markdown(team, items, before)
    issue = Issue(team.stage, author=KEEPER, title=title, body=body, labels=["roadmap"])
    version = RoadmapVersion(
        number=issue.number,
        at=issue.book.opened.at,
        delivery=issue.book.opened.delivery,
        title=title,
        body=body,
        items=tuple(item.shown() for item in items),
        succeeds=before,
    )
    team.stage.ledger.roadmaps.append(version)
    return issue, version


def _edit(team: Team, issue: Issue, first: RoadmapVersion, items: list[Item]) -> None:
    body = markdown(team, items, first.succeeds)
    if body == issue.body:
        return
    delivery = issue.rewrite(body)
    team.stage.ledger.roadmaps.append(
        RoadmapVersion(
            number=issue.number,
            at=team.stage.now * 1_000_000,
            delivery=delivery,
            title=issue.title,
            body=body,
            items=tuple(item.shown() for item in items),
            succeeds=first.succeeds,
        )
    )


def _new_item(team: Team, section: str) -> Item:
    serial = team.stage.serial()
    title = f"{team.title()} (goal {serial})"
    return Item(f"item-{serial}", section, title, words="planned", careless=team.careless)


def _update(team: Team, items: list[Item]) -> None:
    rng = team.rng
    for pull in team.features:
        if rng.random() < 0.7:
            item = rng.choice(items)
            if len(item.pulls) < 4:
                item.pulls.append(pull)
    team.features.clear()
    for item in items:
        lag = rng.random()
        if lag < 0.15 and item.pulls:
            item.words = DELIVERED  # too early, or on the wrong branch
        elif lag > 0.35:
            item.words = words_for(item.pulls)
        if rng.random() < 0.05:
            item.title = f"{item.title}, reworded"
    if rng.random() < 0.4:
        items.append(_new_item(team, rng.choice(SECTIONS)))
    elif len(items) > 6 and rng.random() < 0.2:
        items.remove(rng.choice(items))


def words_for(pulls: list[Pull]) -> str:
    """Say truthfully how far these requests are at this moment."""
    if not pulls:
        return "planned"
    merged = {pull.base for pull in pulls if pull.is_merged}
    if any(pull.is_open for pull in pulls):
        return "foundation delivered, in progress" if merged else "in progress"
    if not merged:
        return "closed, unmerged"
    places = [branch for branch in ("main", "dev") if branch in merged]
    return f"delivered on {' and '.join(places)}" if places else "in progress"


def _delivered(item: Item) -> bool:
    return item.words is not None and item.words.startswith("delivered")


def markdown(team: Team, items: list[Item], before: int | None) -> str:
    """Write the roadmap as its keeper would."""
    lines = ["What we plan. Tentative and subject to change.", ""]
    if before is not None:
        lines += [f"For the roadmap before, see #{before}.", ""]
    for section in SECTIONS:
        lines += [f"## {section}", ""]
        for item in items:
            if item.section == section:
                lines += _item_lines(team, item)
        lines.append("")
    return "\n".join(lines)


def _item_lines(team: Team, item: Item) -> list[str]:
    box = {None: "", True: "[x] ", False: "[ ] "}[item.box]
    words = "" if item.section == BOXED or item.strike else f" — {item.words}"
    lines = [f"* {box}{item.strike}**{item.title}**{item.strike}{words}"]
    for pull in item.pulls:
        title = pull.title.replace("[", "\\[").replace("]", "\\]")
        # GitHub answers the address of an issue with the request that has its number.
        kind = "issues" if team.careless and pull.number % 5 == 0 else "pull"
        page = f"{team.stage.place.html}/{kind}/{pull.number}"
        linked = pull.number % 2
        lines.append(f"  * [{title} #{pull.number}]({page})" if linked else f"  * #{pull.number}")
    return lines
