"""The sentences of release editions: head, routes, reasons. Pure."""

from collections.abc import Iterable

from events.facts.editions import Language
from projections.release_inclusion.history.verdicts import Verdict
from services.answers.editions.edition import Edition, ToldChange
from services.answers.editions.release_content import Doubtful, ReleaseContent
from services.answers.editions.releases.words import RELEASE_WORDS
from services.answers.editions.words import WORDS
from services.answers.releases.release_page import Row
from services.answers.releases.wording import day, short


def heading(edition: Edition, content: ReleaseContent, language: Language) -> str:
    """Write the title: project, what it is, the two releases."""
    words = RELEASE_WORDS[language]
    first, second = content.labels
    title = words.heading.format(
        project=edition.report.full_name.rpartition("/")[2],
        releases=words.between.format(first=first, second=second),
    )
    return title + (WORDS[language].final if edition.stage == "final" else "")


def releases_line(edition: Edition, content: ReleaseContent, language: Language) -> str:
    """Write the two releases with the days on which they became visible."""
    first, second = content.labels
    return RELEASE_WORDS[language].releases.format(
        first=first,
        first_day=day(content.first.at),
        second=second,
        second_day=day(content.second.at),
        source=edition.report.full_name,
    )


def count_line(content: ReleaseContent, language: Language) -> str:
    """Write how many requests the release brings, and how many it does not plainly."""
    counts = {name: f"{count:,}" for name, count in content.counts.items()}
    counts["undetermined"] = f"{undetermined(content):,}"
    rough = {"exact": "{}", "at_least": WORDS[language].at_least, "about": WORDS[language].about}
    counts["brought"] = rough[content.quality].format(counts["brought"])
    return RELEASE_WORDS[language].counts.format_map(counts)


def undetermined(content: ReleaseContent) -> int:
    """Return of how many requests it cannot be told whether the release brings them."""
    return content.counts["undetermined"] + content.counts["perhaps_before"]


def reconciliation_line(edition: Edition, language: Language) -> str:
    """Write where the brought requests went."""
    parts = edition.reconciliation
    return RELEASE_WORDS[language].reconciliation.format(
        merged=f"{len(parts.merged):,}",
        told=f"{len(parts.told):,}",
        twins=f"{len(parts.twins):,}",
        excluded=f"{sum(map(len, parts.excluded.values())):,}",
        not_told=f"{len(parts.not_told):,}",
    )


def relation_line(content: ReleaseContent, language: Language) -> str:
    """Write how the two stand to each other in the history."""
    relation, words = content.relation, RELEASE_WORDS[language]
    first, second = content.tags
    return words.relation[relation.kind].format(
        first=first,
        second=second,
        bases=_listed([words.commit.format(sha=short(sha)) for sha in relation.bases], language),
        only_first=f"{relation.only_first:,}",
        only_second=f"{relation.only_second:,}",
    )


def method_text(content: ReleaseContent, language: Language) -> str:
    """Write by what the content is decided."""
    first, second = content.tags
    return RELEASE_WORDS[language].method_text.format(first=first, second=second)


def remarks(content: ReleaseContent, number: int, language: Language) -> tuple[str, ...]:
    """Return what has to be said of how a brought request came in; empty where it just landed."""
    row, words = content.rows[number], RELEASE_WORDS[language]
    texts = []
    verdict = row.verdict
    if verdict is not None and verdict.how not in (None, "direct"):
        names = _requests(verdict.by, language)
        forms = words.routes if names else words.routes_alone
        texts.append(forms[verdict.how].format(names=names))
    if row.first not in (None, content.second.name):
        texts.append(words.first_shipped.format(tag=row.first))
    return tuple(texts)


def remarks_of(content: ReleaseContent, change: ToldChange, language: Language) -> list[str]:
    """Return the remarks on a change: `[cherry-picked as #4297]`, with the number where it is not
    the one under which the change is told.
    """
    words, lines = RELEASE_WORDS[language], []
    for number in (change.lead, *change.told.group.twins):
        texts = remarks(content, number, language) if number in content.rows else ()
        if texts:
            whose = "" if number == change.lead else f"#{number} "
            lines.append(f"[{whose}{words.separator.join(texts)}]")
    return lines


def mark(content: ReleaseContent, change: ToldChange, number: int, language: Language) -> str:
    """Write a number with its branch, its state, and which of the releases does not hold it."""
    member, words = change.members[number], WORDS[language]
    base, state = member.base or words.unknown, words.states[member.state]
    first, second = content.tags
    if number in content.inside:
        return f"[{base} #{number}, {state}]"
    forms = RELEASE_WORDS[language]
    form = forms.earlier if number in content.before else forms.elsewhere
    return form.format(base=base, number=number, state=state, first=first, second=second)


def told_as(content: ReleaseContent, change: ToldChange, language: Language) -> str:
    """Return what is said of a change that the first release has in another form; else empty."""
    if change.told.telling != "port":
        return WORDS[language].tellings.get(change.told.telling, "")
    names = _requests(change.told.earlier, language)
    return RELEASE_WORDS[language].port.format(first=content.first.name, names=names)


def reason(content: ReleaseContent, why: Doubtful, row: Row, language: Language) -> str:
    """Write why a request is not plainly delivered."""
    words, verdict = RELEASE_WORDS[language], row.verdict
    assert verdict is not None
    first, second = content.tags
    names = _requests(verdict.by, language) or _commits(verdict, language)
    form = words.reasons.get(verdict.reason, "")
    return words.why[why].format(
        first=first,
        second=second,
        by=words.by.format(names=names) if names else "",
        reason=form.format(names=names),
    )


def _requests(numbers: Iterable[int], language: Language) -> str:
    return _listed([f"#{number}" for number in numbers], language)


def _commits(verdict: Verdict, language: Language) -> str:
    words = RELEASE_WORDS[language]
    return _listed([words.commit.format(sha=short(sha)) for sha in verdict.evidence], language)


def _listed(names: Iterable[str], language: Language) -> str:
    return WORDS[language].separator.join(names)
