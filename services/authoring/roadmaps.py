"""What persons state about roadmaps, written to the log as records of their own."""

from pathlib import Path
from typing import Final

from events.errors import InvalidQuestion, NotFound
from events.facts.roadmap import DriftAcknowledged, RoadmapImported, RoadmapItemDecided
from events.instant import Instant
from events.sources.authored import author as author_record
from projections.repositories.queries import find
from projections.roadmap_status.context import ViewedItem
from projections.roadmap_status.drift.drift import Drift
from projections.roadmap_status.reading import LONGEST_TEXT
from projections.roadmap_status.status.status import StatusKind
from services.answers.questions.builder import QuestionRequest
from services.answers.roadmaps.asking import open_roadmaps, roadmap_question
from services.stream.stores import Stores

_ROLES: Final = ("implementing", "tracking", "mention")


def import_roadmap(
    stores: Stores,
    full_name: str,
    path: Path,
    *,
    number: int,
    at: Instant,
    title: str | None,
    author: str,
) -> RoadmapImported:
    """Record that a roadmap issue had the text of a file at a moment."""
    if number < 1:
        raise InvalidQuestion(f"{number} is no number of an issue")
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InvalidQuestion(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InvalidQuestion(f"{path} is not UTF-8 text") from error
    if "\0" in text:
        raise InvalidQuestion(f"{path} holds a NUL, which no issue can")
    if len(text) > LONGEST_TEXT:
        raise InvalidQuestion(f"{path} is longer than an issue can be ({LONGEST_TEXT:,})")
    with stores.read_model.snapshot() as snapshot:
        repo = find(snapshot, full_name).repo
    fact = RoadmapImported(number=number, at=at, body=text, title=title, author=author)
    stores.log.append([author_record(repo, fact, time=stores.clock())])
    return fact


def acknowledge(
    stores: Stores,
    full_name: str,
    digest: str,
    *,
    author: str,
    reason: str,
    expires_at: Instant | None,
    holds: bool = True,
) -> tuple[ViewedItem, DriftAcknowledged]:
    """Record that a drift is known; it is named by its digest, or a beginning of it."""
    if not reason.strip():
        raise InvalidQuestion("say why, with --reason")
    now = stores.clock()
    if expires_at is not None and expires_at <= now:
        raise InvalidQuestion("that moment is past: an acknowledgement would not hold at all")
    number, viewed, drift = _drift(stores, full_name, digest)
    fact = DriftAcknowledged(
        number=number,
        item=viewed.judged.id,
        digest=drift.digest,
        decided_at=now,
        author=author,
        reason=reason,
        expires_at=expires_at,
        holds=holds,
    )
    _append(stores, full_name, fact)
    return viewed, fact


def decide(
    stores: Stores,
    full_name: str,
    number: int,
    item: str,
    *,
    author: str,
    reason: str,
    link: str | None = None,
    role: str | None = None,
    status: str | None = None,
) -> RoadmapItemDecided:
    """Record what a link is to an item, or what the item's status is; neither takes it back."""
    if not reason.strip():
        raise InvalidQuestion("say why, with --reason")
    kinds = [kind.value for kind in StatusKind]
    if (role is not None and (link is None or role not in _ROLES)) or (link and status):
        raise InvalidQuestion(f"decide a link's role ({', '.join(_ROLES)}), or a status")
    if status is not None and status not in kinds:
        raise InvalidQuestion(f"there is no status {status!r}; there are: {', '.join(kinds)}")
    question = roadmap_question(stores.settings, QuestionRequest(repository=full_name))
    with stores.read_model.snapshot() as snapshot:
        context = open_roadmaps(snapshot, question, stores.histories, stores.editions).context
        viewed = context.view_of(number).item(item)
    names = [part.name for part in viewed.judged.parts]
    if link is not None and link not in names:
        raise InvalidQuestion(f"the item has no link {link}; it has {', '.join(names) or 'none'}")
    fact = RoadmapItemDecided(
        number=number,
        item=viewed.judged.id,
        decided_at=stores.clock(),
        author=author,
        reason=reason,
        link=link,
        role=role,  # type: ignore[arg-type]  # compared with the roles above
        status=status,
    )
    _append(stores, full_name, fact)
    return fact


def _drift(stores: Stores, full_name: str, digest: str) -> tuple[int, ViewedItem, Drift]:
    question = roadmap_question(stores.settings, QuestionRequest(repository=full_name))
    with stores.read_model.snapshot() as snapshot:
        context = open_roadmaps(snapshot, question, stores.histories, stores.editions).context
        fits = [
            (roadmap.number, viewed, drift)
            for roadmap in context.roadmaps
            for viewed in context.view_of(roadmap.number).items
            for drift in viewed.drift
            if digest and drift.digest.startswith(digest)
        ]
    if len({drift.digest for _, _, drift in fits}) != 1:
        raise NotFound(f"no drift {digest!r}; `shipledger roadmap {full_name} --drift` lists them")
    return fits[0]


def _append(stores: Stores, full_name: str, fact: DriftAcknowledged | RoadmapItemDecided) -> None:
    with stores.read_model.snapshot() as snapshot:
        repo = find(snapshot, full_name).repo
    stores.log.append([author_record(repo, fact, time=fact.decided_at)])
