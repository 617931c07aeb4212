"""Answers about releases as documents.

`base` is the path of the repository in the API; with it numbers and tags lead to their pages.
"""

from collections.abc import Iterator, Set

from services.answers.releases.filters import SECTIONS
from services.answers.releases.lacking import lacking_section
from services.answers.releases.links import footer, number_link, tag_link
from services.answers.releases.listing import ListedRelease, Listing
from services.answers.releases.release_page import PlainCommit, ReleasePage, Row
from services.answers.releases.subjects import Subject, newest_first
from services.answers.releases.wording import (
    DATED_BY,
    SCHEMES,
    day,
    ported,
    requests,
    route,
    short,
)
from services.answers.reports.wording import title
from services.documents.model import (
    Block,
    Code,
    Column,
    Document,
    List,
    Paragraph,
    Section,
    Table,
    Text,
)

# --- one release -----------------------------------------------------------------------------


def page_document(page: ReleasePage, base: str | None = None) -> Document:
    """Write one release."""
    default = page.asked.default_branch or "the default branch"
    rows = (
        section
        for name, words in SECTIONS.items()
        if page.lists[name] or name == "new"
        for section in _sections_of(page, name, words, base)
    )
    return Document(
        title=f"{page.subject.label} — release of {page.asked.full_name}",
        blocks=(
            Paragraph(summary(page)),
            List((*_facts(page), *page.notes)),
            *rows,
            *_section("Carriers", [_carrier(row, base) for row in page.carriers]),
            *_section("Commits without a pull request", [_commit(c) for c in page.unattributed]),
            *_section(
                f"In it and not on {default}",
                [(number_link(port.number, base), f" {ported(port)}") for port in page.ports],
            ),
            *lacking_section(
                page.lacks,
                page.lacking_attributes,
                against=page.against.name if page.against else None,
                default=default,
                base=base,
            ),
            footer(page.asked),
        ),
    )


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
    matching = " that match" if page.shown.path or page.shown.label else ""
    brought = f"{count['new']:,} pull requests{matching}"
    if page.unattributed and not count["new"] and not matching:
        # zero would say that it brings nothing, and what these commits belong to is not known
        brought = f"{len(page.unattributed):,} commits, none of which names a pull request,"
    return f"{page.subject.label} brings {brought}{against}{rest}."


def _facts(page: ReleasePage) -> Iterator[Text]:
    subject, release = page.subject, page.release
    kind = "annotated" if release.annotated else "lightweight"
    yield f"Tag: {kind}, commit ", Code(subject.commit), f", {_dated(subject)}."
    if release.release:
        final = "Final" if release.release.final else "Pre-release"
        others = [name for name in release.aliases if name != subject.asked]
        known = f"; also called {', '.join(others)}" if others else ""
        yield f"{final} of the family {release.release.family}{known}."
    cut = subject.cut
    if cut and cut.point and cut.point != subject.commit:
        branch = cut.branch or "no branch that is known"
        when = f" of {day(page.cut_at)}" if page.cut_at is not None else ""
        yield f"Branch: {branch}, cut at commit ", Code(short(cut.point)), f"{when}."
    elif cut and cut.branch:
        yield f"Branch: {cut.branch}, on its own line."
    if page.shown.path or page.shown.label:
        path = f"path {page.shown.path}" if page.shown.path else ""
        label = f"label {page.shown.label}" if page.shown.label else ""
        yield f"Shown is only: {', '.join(filter(None, (path, label)))}."


def _dated(subject: Subject) -> str:
    doubt = f" ({DATED_BY[subject.evidence]})" if subject.evidence in DATED_BY else ""
    return f"dated {day(subject.at)}{doubt}"


def _sections_of(page: ReleasePage, name: str, words: str, base: str | None) -> Iterator[Section]:
    """Yield the section of a list; of a package, what touches its folder stands before the rest."""
    rows, folder = page.lists[name], page.folder
    plain = {commit.sha for commit in page.unattributed} if name == "new" else set()
    if folder is None:
        yield _rows(page, name, f"{words} ({_how_many(rows, plain)})", rows, base)
        return
    inside = tuple(row for row in rows if row.number in folder.numbers)
    outside = tuple(row for row in rows if row.number not in folder.numbers)
    how_many = _how_many(inside, plain & folder.commits)
    yield _rows(page, name, f"{words} in {folder.path} ({how_many})", inside, base)
    if outside:
        yield _rows(page, name, f"{words} elsewhere ({len(outside):,})", outside, base)


def _how_many(rows: tuple[Row, ...], unnumbered: Set[str]) -> str:
    """Write how many requests there are, and not 0 where only commits without a number are new."""
    return "unknown" if unnumbered and not rows else f"{len(rows):,}"


def _rows(
    page: ReleasePage, name: str, heading: str, rows: tuple[Row, ...], base: str | None
) -> Section:
    lines: tuple[Block, ...] = ()
    if rows:
        lines = (List(tuple(_row(page, name, row, base) for row in rows)),)
    return Section(heading, lines)


def _row(page: ReleasePage, name: str, row: Row, base: str | None) -> Text:
    words = [row.because]
    if row.verdict and name == "new":
        words = [route(row.verdict)]
        if row.first and row.first != page.release.tag and page.release.release:
            words.append(f"first shipped in {row.first}")
        if row.twins:
            words.append(f"the change of {requests(row.twins)} too")
    attributes = row.attributes
    author = f", {attributes.who}" if attributes and attributes.who else ""
    remarks = "; ".join(filter(None, words))
    tail = f" — {remarks}" if remarks else ""
    return number_link(row.number, base), f" {title(attributes)}{author}{tail}"


def _carrier(row: Row, base: str | None) -> Text:
    brings = f" — brings {requests(row.brings)}" if row.brings else ""
    return number_link(row.number, base), f" {title(row.attributes)}{brings}"


def _commit(commit: PlainCommit) -> Text:
    return Code(short(commit.sha)), f" {commit.subject} — {day(commit.at)}"


def _section(words: str, lines: list[Text]) -> Iterator[Section]:
    if lines:
        yield Section(f"{words} ({len(lines):,})", (List(tuple(lines)),))


# --- lists -----------------------------------------------------------------------------------


def listing_document(listing: Listing, base: str | None = None) -> Document:
    """Write all releases as a table, the newest of each family first."""
    names = ("release", "date", "branch")
    columns = (
        *map(Column, names),
        *(Column("new", number=True), Column("removed", number=True)),
        *(Column("without a number", number=True), Column("also")),
    )
    ordered = newest_first(listing.releases, lambda release: release.subject)
    notes = (List(listing.notes),) if listing.notes else ()
    return Document(
        title=f"Releases of {listing.asked.full_name}",
        blocks=(
            *notes,
            Table(columns, tuple(_listed(release, base) for release in ordered)),
            *_families(listing),
            *_section(
                "Tags that are no version of a family",
                [_not_understood(release, base) for release in listing.not_understood],
            ),
            footer(listing.asked),
        ),
    )


def _families(listing: Listing) -> Iterator[Section]:
    if listing.families:
        names = ("family", "versions", "newest")
        columns = (*map(Column, names), Column("tags", number=True))
        rows = tuple(
            (
                family.pattern,
                SCHEMES[family.scheme] + (" (configured)" if family.configured else ""),
                family.newest,
                f"{family.tags:,}",
            )
            for family in listing.families
        )
        yield Section("How versions are read", (Table(columns, rows),))


def _not_understood(release: ListedRelease, base: str | None) -> Text:
    against = release.counts.against if release.counts else None
    told = (
        f"told against {against.tag}, the nearest tag among its ancestors"
        if against
        else "no tag is among its ancestors"
    )
    return tag_link(release.subject.name, base), f" — {told}"


def _listed(release: ListedRelease, base: str | None) -> tuple[Text, ...]:
    subject, counts = release.subject, release.counts
    doubt = " (assumed)" if subject.evidence == "assumed" else ""
    aliases = subject.release.aliases if subject.release else ()
    return (
        (tag_link(subject.name, base),),
        f"{day(subject.at)}{doubt}",
        (subject.cut.branch if subject.cut else None) or "",
        "unknown" if counts is None or counts.new_known is None else f"{counts.new:,}",
        f"{counts.removed:,}" if counts else "unknown",
        f"{counts.unattributed:,}" if counts else "unknown",
        ", ".join(aliases),
    )


# --- one request -----------------------------------------------------------------------------
