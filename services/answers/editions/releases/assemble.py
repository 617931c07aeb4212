"""From queries to the edition of one release, at one (T, K)."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from events.errors import InvalidQuestion
from events.instant import INF, Instant
from projections.curation.queries import Assignments, decisions
from projections.period_ledger.change_groups.queries import ChangeGroups, change_groups
from projections.period_ledger.change_groups.similarity import Limits
from projections.period_ledger.excluding import OUTCOMES, Exclusions, Outcome, classify
from projections.period_ledger.exclusions import EXCLUDED, decided_classes
from projections.release_inclusion.relation import relation
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.store.snapshot import Snapshot
from services.answers.editions.assigning import Assigned, Assigning
from services.answers.editions.choices import Choices, choices, stale_translations
from services.answers.editions.edition import Edition
from services.answers.editions.moves import grouped_fields, outgrown
from services.answers.editions.priors import Lessons
from services.answers.editions.release_content import ReleaseContent, release_content
from services.answers.editions.releases.telling import tell_release
from services.answers.editions.releases.unseen import with_unseen
from services.answers.editions.summing import divided, overview, reasons
from services.answers.editions.telling import Telling
from services.answers.editions.theming import requests_of, themed
from services.answers.editions.words import LANGUAGES
from services.answers.questions.question import EditionQuestion, Stage
from services.answers.releases.context import ReleaseContext, ResolvedQuestion
from services.answers.releases.release_page import release_page
from services.answers.releases.subjects import resolve
from services.answers.reports.assemble import Report


def release_edition(
    snapshot: Snapshot,
    report: Report,
    question: EditionQuestion,
    releases: tuple[str, str],
    histories: HistoryCache,
) -> Edition:
    """Return the edition about what the second release brings against the first.

    `report` is about the time between them: it gives K, and what the answer says of itself. Raise
    InvalidQuestion where the second one lies behind the first, or `final` is not proven.
    """
    context = ground_of(snapshot, report, question, histories)
    content = content_of(context, *releases)
    edition_choices = choices(
        decisions(snapshot, report.repo, report.known_at),
        report.period,
        content.tags,
    )
    groups = _groups(context, content, question, edition_choices)
    numbers = [number for group in groups.grouping.groups for number in group.numbers]
    content = _with_places(content, context.view, numbers)
    report = _of_release(context, report, question, content, groups, edition_choices)
    classes = report.exclusions.classes
    telling = tell_release(content, groups, report.requests, classes, edition_choices)
    as_of = context.asked.as_of
    assignment = _assigned(snapshot, report, question, telling, as_of, content.tags)
    delivered = themed("delivered", telling.of("delivered"), assignment.themes, edition_choices)
    return Edition(
        report=report,
        stage=_stage(question.stage, content),
        label=question.label,
        author=question.author,
        overview={
            language: overview(delivered.themes, edition_choices, language)
            for language in LANGUAGES
        },
        themes=delivered.themes,
        left_over={"delivered": delivered.left_over},
        not_told=reasons(telling.not_told, delivered.left_over, content.rows.keys()),
        uncertain=telling.uncertain,
        reconciliation=divided(content.rows.keys(), classes, delivered.themes),
        **grouped_fields({"delivered": assignment}, telling, edition_choices),
        looks=(
            *edition_choices.rivals(),
            *telling.looks,
            *outgrown("delivered", assignment),
            *delivered.looks,
        ),
        stale=tuple(stale_translations(edition_choices)),
        release=content,
    )


def content_of(context: ReleaseContext, first: str, second: str) -> ReleaseContent:
    """Return what a release brings against another; raise InvalidQuestion where it is behind it."""
    first_subject, second_subject = resolve(context, first), resolve(context, second)
    page = release_page(context, second, against=first)
    related = relation(context.view.history, first_subject.commit, second_subject.commit)
    if related.kind == "descendant":
        raise InvalidQuestion(
            f"{second_subject.label} lies behind {first_subject.label}, which holds all of it; "
            f"write --releases {second}..{first}"
        )
    return release_content(first_subject, second_subject, related, page)


def ground_of(
    snapshot: Snapshot, report: Report, question: EditionQuestion, histories: HistoryCache
) -> ReleaseContext:
    """Look at the releases at the report's K. T is K unless it was asked for."""
    asked = question.report
    as_of = min(report.known_at, INF if asked.as_of is None else asked.as_of)
    release_view = view(
        snapshot,
        report.repo,
        as_of,
        report.known_at,
        roles=asked.roles,
        families=asked.families,
        cache=histories,
        aliases=asked.aliases,
        schemes=asked.schemes,
    )
    return ReleaseContext(
        asked=ResolvedQuestion(
            repo=report.repo,
            full_name=report.full_name,
            default_branch=report.default_branch,
            as_of=as_of,
            known_at=report.known_at,
            settled=report.settled,
            dated=asked.as_of is not None,
        ),
        snapshot=snapshot,
        view=release_view,
        roles=asked.roles,
    )


def _groups(
    context: ReleaseContext,
    content: ReleaseContent,
    question: EditionQuestion,
    edition_choices: Choices,
) -> ChangeGroups:
    """Group the brought requests with each other, and with those that texts and commits name."""
    asked, carriers = context.asked, context.view.history.carriers
    own_carriers = [carrier for number in content.rows for carrier in carriers.of(number)]
    beside = {carrier.via for carrier in own_carriers if carrier.via is not None}
    beside.update(
        number
        for decision in edition_choices.twins
        for number in (decision.number, decision.origin)
    )
    groups = change_groups(
        context.snapshot,
        asked.repo,
        content.rows.keys() | beside,
        asked.as_of,
        asked.known_at,
        roles=question.report.roles.with_default(asked.default_branch),
        carriers=own_carriers,
        decisions=edition_choices.twins,
        # what else was merged lately has no part in a release
        limits=Limits(window=0),
    )
    return with_unseen(groups, context, content.rows)


def _with_places(
    content: ReleaseContent, release_view: ReleaseView, numbers: Iterable[int]
) -> ReleaseContent:
    reach = release_view.history.reach
    first, second = (reach.bit(subject.commit) for subject in (content.first, content.second))
    present = {number: release_view.matrix.of(number).present for number in numbers}
    return msgspec.structs.replace(
        content,
        before=frozenset(number for number, tips in present.items() if tips & first),
        inside=frozenset(number for number, tips in present.items() if tips & second),
    )


def _of_release(
    context: ReleaseContext,
    report: Report,
    question: EditionQuestion,
    content: ReleaseContent,
    groups: ChangeGroups,
    edition_choices: Choices,
) -> Report:
    """Put the release's requests and their classes in the place of those of the time between."""
    asked, numbers = context.asked, content.rows.keys()
    outcomes: dict[int, Outcome] = {
        number: _outcome(groups.members[number].state) for number in numbers
    }
    rules = question.report.rules
    requests = classify(
        *(context.snapshot, asked.repo, outcomes, asked.as_of, asked.known_at, rules),
        active=numbers,
        decided=decided_classes(edition_choices.held),
    )
    counted = Counter(
        (classified.verdict.kind, classified.outcome) for classified in requests.values()
    )
    listed = {row.number for rows in content.doubtful.values() for row in rows}
    everyone = listed.union(numbers, *(group.numbers for group in groups.grouping.groups))
    return msgspec.structs.replace(
        report,
        as_of=asked.as_of,
        requests=dict(context.attributes(everyone)),
        exclusions=Exclusions(
            rules=rules,
            digest=rules.digest,
            requests=requests,
            table={
                kind: {outcome: counted[kind, outcome] for outcome in OUTCOMES} for kind in EXCLUDED
            },
            filtered={},
            bounds={},
            quality="exact" if content.quality == "exact" else "at_least",
        ),
    )


def _outcome(state: str) -> Outcome:
    return "merged" if state == "merged" else "open" if state == "open" else "closed"


def _assigned(
    snapshot: Snapshot,
    report: Report,
    question: EditionQuestion,
    telling: Telling,
    as_of: Instant,
    tags: tuple[str, str],
) -> Assigned:
    """Group the changes into themes: as recorded, or anew after the last release's names."""
    assigning = Assigning(
        start=report.period.start,
        end=report.period.end,
        settings=question.themes,
        assignments=Assignments(snapshot, report.repo, report.known_at),
        lessons=Lessons(snapshot=snapshot, report=report, as_of=as_of, of_releases=True),
        releases=tags,
        anew=question.regroup,
    )
    return assigning.section("delivered", requests_of(report, telling.of("delivered")))


def _stage(stage: Stage, content: ReleaseContent) -> Stage:
    missing = list(content.unproven()) if stage == "final" else []
    if missing:
        raise InvalidQuestion(f"this edition cannot be called Final: {'; '.join(missing)}")
    return "final" if stage == "final" else ""
