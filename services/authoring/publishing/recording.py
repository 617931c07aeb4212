"""What was published, as records: the very bytes, how the themes were made, and a tick.

The tick goes to each partition that the edition was read from, so that its K is settled there:
nothing recorded later can change what it said.
"""

from collections.abc import Callable, Iterable, Sequence

from events.facts.base import Fact
from events.facts.editions import EditionPublished, Language, ThemesAssigned
from events.facts.operations import Ticked
from events.identity import RepositoryKey, body_digest, host_of
from events.instant import Instant
from events.log.port import Clock, Log
from events.sources.authored import author
from services.answers.editions.assemble import told_themes
from services.answers.editions.edition import Edition
from services.answers.editions.forms import heading
from services.audit.edition_receipts import Rendering
from services.audit.receipts.receipt import Receipt, pairs


def publication(
    edition: Edition,
    rendering: Rendering,
    language: Language,
    text: str,
    *,
    place: str,
    at: Instant,
    receipt: Receipt,
) -> EditionPublished:
    """Return the statement that an edition was published with this text at a place."""
    report = edition.report
    return EditionPublished(
        start=report.period.start,
        end=report.period.end,
        zone=report.period.zone,
        at=at,
        title=heading(edition, language),
        text=text,
        digest=body_digest(text.encode()),
        place=place,
        language=language,
        shape=rendering.shape,
        form=rendering.form,
        author=edition.author,
        figures=_figures(edition),
        excluded={kind: report.exclusions.total(kind) for kind in report.exclusions.table},
        themes=told_themes(edition),
        releases=edition.releases,
        known_at=report.known_at,
        receipt=pairs(receipt),
    )


def _figures(edition: Edition) -> dict[str, int | None]:
    """Return the figures that an edition prints, by their names."""
    report = edition.report
    if edition.release is not None:
        return dict(edition.release.counts)
    filtered = report.exclusions.filtered
    return {**report.counts, **{f"filtered.{name}": value for name, value in filtered.items()}}


def record(
    log: Log,
    repo: RepositoryKey,
    published: Sequence[EditionPublished],
    assignments: Iterable[ThemesAssigned],
    clock: Clock,
    partition_of: Callable[[RepositoryKey], str] = str,
) -> tuple[str, ...]:
    """Append publications, with how their themes were made, and the ticks; return their ids."""
    now = clock()
    facts: list[Fact] = [*assignments, *published]
    records = [author(repo, fact, time=now) for fact in facts]
    log.append(records)
    keys = {partition_of(key): key for key in (host_of(repo), repo)}
    for key in keys.values():
        log.append([author(key, Ticked(at=now), time=now)])
    return tuple(appended.id for appended in records[len(records) - len(published) :])
