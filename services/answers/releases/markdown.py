"""Answers about releases in Markdown, for people and for the pages made from it.

`base` is the path of the repository in the API; with it numbers and tags become links.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar
from urllib.parse import quote

from services.answers.releases.inclusion import Everywhere
from services.answers.releases.listing import ListedRelease, Listing
from services.answers.releases.release_page import SECTIONS, PlainCommit, ReleasePage, Row
from services.answers.releases.subjects import Subject, newest_first
from services.answers.releases.wording import (
    DATED_BY,
    VERDICTS,
    day,
    listed,
    ported,
    requests,
    route,
    short,
)
from services.answers.reports.render.markdown import escape
from services.answers.reports.wording import rfc3339, title

T = TypeVar("T")


def heading_of_page(page: ReleasePage) -> str:
    """Write the title of a release's page."""
    return f"{page.subject.label} — release of {page.asked.full_name}"


def heading_of_listing(found: Listing) -> str:
    """Write the title of the list of releases."""
    return f"Releases of {found.asked.full_name}"


def heading_of_request(answer: Everywhere) -> str:
    """Write the title of a request's page."""
    return f"#{answer.number} {title(answer.attributes)}"


def release_page(page: ReleasePage, base: str | None = None) -> str:
    """Write one release."""
    return "\n".join(_page(page, base)) + "\n"


def listing(found: Listing, base: str | None = None) -> str:
    """Write all releases as a table, the newest of each family first."""
    return "\n".join(_listing(found, base)) + "\n"


def everywhere(answer: Everywhere, base: str | None = None) -> str:
    """Write where one request is."""
    return "\n".join(_everywhere(answer, base)) + "\n"


def summary(page: ReleasePage) -> str:
    """Write the sentence with which a release's page begins."""
    count = {name: len(rows) for name, rows in page.lists.items()}
    against = f" against {page.against.name}" if page.against else ""
    more = [
        f"{count['removed']:,} removed" if count["removed"] else "",
        f"{count['reverted']:,} reverted before it" if count["reverted"] else "",
        f"{count['partly']:,} only partly in" if count["partly"] else "",
        f"{count['undetermined']:,} that cannot be told" if count["undetermined"] else "",
    ]
    rest = "".join(f", {words}" for words in more if words)
    shown = " that match" if page.shown.path or page.shown.label else ""
    return f"{page.subject.label} brings {count['new']:,} pull requests{shown}{against}{rest}."


def overview(answer: Everywhere) -> str:
    """Write the sentence with which a request's answer begins."""
    outcomes = [one.verdict.outcome for one in answer.releases]
    count, total = outcomes.count("included"), len(outcomes)
    firsts = dict.fromkeys(
        one.first for one in answer.releases if one.verdict.outcome == "included" and one.first
    )
    if count:
        first = f", first shipped in {', '.join(firsts)}" if firsts else ""
        return f"#{answer.number} is in {count} of {total} releases{first}."
    others = {
        "it is there but reverted": outcomes.count("reverted") + outcomes.count("removed"),
        "only a part of it is there": outcomes.count("partly"),
        "it cannot be told": outcomes.count("undetermined"),
    }
    rest = "".join(f"; in {many} {words}" for words, many in others.items() if many)
    return f"#{answer.number} is in none of {total} releases{rest}."


# --- one release -----------------------------------------------------------------------------


def _page(page: ReleasePage, base: str | None) -> Iterator[str]:
    yield from (f"# {escape(heading_of_page(page))}", "", escape(summary(page)), "")
    yield from _facts(page)
    for note in page.notes:
        yield f"- {escape(note)}"
    for name, words in SECTIONS.items():
        rows = page.lists[name]
        if rows or name == "new":
            yield from ("", f"## {words} ({len(rows):,})", "")
            yield from (_row(page, name, row, base) for row in rows)
    yield from _section("Carriers", page.carriers, lambda row: _carrier(row, base))
    yield from _section("Commits without a pull request", page.unattributed, _commit)
    yield from _section(
        f"In it and not on {page.asked.default_branch or 'the default branch'}",
        page.ports,
        lambda port: f"- {_number(port.number, base)} {escape(ported(port))}",
    )
    yield from _footer(page.asked.as_of, page.asked.known_at, page.asked.settled)


def _facts(page: ReleasePage) -> Iterator[str]:
    subject, release = page.subject, page.release
    kind = "annotated" if release.annotated else "lightweight"
    yield f"- Tag: {kind}, commit `{subject.commit}`, {_dated(subject)}."
    if release.release:
        final = "final" if release.release.final else "pre-release"
        family = escape(release.release.family)
        others = [name for name in release.aliases if name != subject.asked]
        known = f"; also called {', '.join(map(escape, others))}" if others else ""
        yield f"- {final.capitalize()} of the family {family}{known}."
    cut = subject.cut
    if cut and cut.point and cut.point != subject.commit:
        branch = escape(cut.branch) if cut.branch else "no branch that is known"
        when = f" of {day(page.cut_at)}" if page.cut_at is not None else ""
        yield f"- Branch: {branch}, cut at commit `{short(cut.point)}`{when}."
    elif cut and cut.branch:
        yield f"- Branch: {escape(cut.branch)}, on its own line."
    if page.shown.path or page.shown.label:
        path = f"path {page.shown.path}" if page.shown.path else ""
        label = f"label {page.shown.label}" if page.shown.label else ""
        yield f"- Shown is only: {escape(', '.join(filter(None, (path, label))))}."


def _dated(subject: Subject) -> str:
    doubt = f" ({DATED_BY[subject.evidence]})" if subject.evidence in DATED_BY else ""
    return f"dated {day(subject.at)}{doubt}"


def _row(page: ReleasePage, name: str, row: Row, base: str | None) -> str:
    said = []
    if row.verdict and name == "new":
        said.append(route(row.verdict))
        if row.first and row.first != page.release.tag and page.release.release:
            said.append(f"first shipped in {escape(row.first)}")
    else:
        said.append(escape(row.because))
    shown = row.attributes
    author = f", {escape(shown.author)}" if shown and shown.author else ""
    words = "; ".join(filter(None, said))
    tail = f" — {words}" if words else ""
    return f"- {_number(row.number, base)} {escape(title(shown))}{author}{tail}"


def _carrier(row: Row, base: str | None) -> str:
    brings = f" — brings {requests(row.brings)}" if row.brings else ""
    return f"- {_number(row.number, base)} {escape(title(row.attributes))}{brings}"


def _commit(one: PlainCommit) -> str:
    return f"- `{short(one.sha)}` {escape(' '.join(one.subject.split()))} — {day(one.at)}"


def _section(words: str, found: Sequence[T], line: Callable[[T], str]) -> Iterator[str]:
    if found:
        yield from ("", f"## {words} ({len(found):,})", "")
        yield from map(line, found)


# --- lists -----------------------------------------------------------------------------------


def _listing(found: Listing, base: str | None) -> Iterator[str]:
    yield from (f"# {escape(heading_of_listing(found))}", "")
    yield from (f"- {escape(note)}" for note in found.notes)
    yield from (
        "",
        "| release | date | branch | new | removed | also |",
        "|---|:---|:---|---:|---:|:---|",
    )
    yield from (_listed(one, base) for one in newest_first(found.releases, lambda one: one.subject))
    yield from _footer(found.asked.as_of, found.asked.known_at, found.asked.settled)


def _listed(one: ListedRelease, base: str | None) -> str:
    subject, counts = one.subject, one.counts
    doubt = " (assumed)" if subject.evidence == "assumed" else ""
    branch = subject.cut.branch if subject.cut else None
    figures = (f"{counts.new:,}", f"{counts.removed:,}") if counts else ("unknown", "unknown")
    aliases = subject.release.aliases if subject.release else ()
    cells = (
        _tag(subject.name, base),
        f"{day(subject.at)}{doubt}",
        escape(branch or ""),
        *figures,
        escape(", ".join(aliases)),
    )
    return f"| {' | '.join(cells)} |"


def _everywhere(answer: Everywhere, base: str | None) -> Iterator[str]:
    yield from (f"# {escape(heading_of_request(answer))}", "", escape(overview(answer)), "")
    yield from (f"- {escape(line)}" for line in standing(answer))
    yield from ("", "| release | verdict | why |", "|---|:---|:---|")
    for one in newest_first(answer.releases, lambda one: one.subject):
        verdict, because = VERDICTS[one.verdict.outcome], escape(one.because)
        yield f"| {_tag(one.subject.name, base)} | {verdict} | {because} |"
    yield from _footer(answer.asked.as_of, answer.asked.known_at, answer.asked.settled)


def standing(answer: Everywhere) -> Iterator[str]:
    """Yield where a request stands apart from releases: its port state, its branches."""
    if answer.port is not None:
        yield f"Port: {ported(answer.port)}."
    branches: dict[str, list[str]] = {}
    for one in answer.branches:
        if one.verdict.outcome != "not_included":
            words = f"{VERDICTS[one.verdict.outcome]}, {one.because}"
            branches.setdefault(words, []).append(one.subject.name)
    for words, names in branches.items():
        yield f"On {listed(names)}: {words}."
    brings: tuple[int, ...] = next((one.brings for one in answer.releases), ())
    if brings:
        yield f"#{answer.number} carries {requests(brings)}."


def _footer(as_of: int, known_at: int, settled: bool) -> Iterator[str]:
    yield from ("", "---", "")
    yield f"As of {rfc3339(as_of)}, known at {rfc3339(known_at)}{' (settled)' if settled else ''}."


def _number(number: int, base: str | None) -> str:
    return f"[#{number}]({base}/pulls/{number}/releases?format=html)" if base else f"#{number}"


def _tag(tag: str, base: str | None) -> str:
    return f"[{escape(tag)}]({base}/releases/{quote(tag)}?format=html)" if base else escape(tag)
