"""Bad deliveries of one repository hold up that repository, and no other."""

from functools import partial

from events.instant import SECOND
from events.log.memory import MemoryLog
from events.record import Record
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from services.config.settings import ReadinessSettings
from services.stream.dead_letters import too_many_set_aside
from services.stream.health import Health, State
from services.stream.projector import Projector
from tests.builders import REPO, at, pull_request, webhook
from tests.worlds import SetClock, memory_engine

OTHER = "github.com/2002"
LIMIT = 2


class Desk:
    """A projector that is stepped by hand, over a log of two repositories."""

    def __init__(self) -> None:
        self.clock = SetClock(at("03-01"))
        self.log = MemoryLog(self.clock)
        self.engine = memory_engine()
        self.model = ReadModel(self.engine)
        self.held = partial(too_many_set_aside, self.engine, LIMIT)
        runner = Runner(self.engine, self.log, self.clock)
        self.projector = Projector(
            runner=runner, log=self.log, too_many_set_aside=lambda: self.held()
        )

    def arrive(self, *records: Record) -> None:
        self.clock.now += SECOND
        self.log.append(list(records))

    def step(self) -> None:
        self.clock.now += SECOND
        self.projector._round()

    def health(self) -> State:
        return Health(
            read_model=self.model,
            log=self.log,
            clock=self.clock,
            limits=ReadinessSettings(dead_letters=LIMIT, lag_seconds=60.0),
            fault=lambda: None,
        ).look()


def bad(count: int, repo: str = OTHER) -> list[Record]:
    return [webhook(f"bad {n} {repo}", "pull_request", b"{}", repo=repo) for n in range(count)]


def good(record_id: str, number: int, repo: str = REPO) -> Record:
    return pull_request(record_id, number, "opened", "03-01", repo=repo)


def position(desk: Desk, repo: str) -> tuple[int, int]:
    with desk.model.snapshot() as snapshot:
        mark = snapshot.watermark(repo)
    return mark.last_recorded, mark.caught_up_at


def held_desk() -> Desk:
    desk = Desk()
    desk.arrive(good("a", 1))
    desk.arrive(*bad(LIMIT + 1))
    desk.step()
    return desk


def test_the_others_go_on() -> None:
    desk = held_desk()
    before, other = position(desk, REPO), position(desk, OTHER)
    desk.arrive(good("b", 2))
    desk.arrive(good("c", 1, OTHER))
    desk.step()
    assert position(desk, REPO)[0] > before[0]
    assert position(desk, OTHER) == other, "what waits is not said to be read"
    assert position(desk, REPO)[1] > before[1]


def test_it_goes_on_where_it_stood_once_the_limit_is_raised() -> None:
    desk = held_desk()
    desk.arrive(good("c", 1, OTHER))
    desk.step()
    before = position(desk, OTHER)
    desk.held = partial(too_many_set_aside, desk.engine, 10)
    desk.step()
    after = position(desk, OTHER)
    assert after[0] > before[0]
    assert after[1] == position(desk, REPO)[1]


def test_below_the_limit_of_each_nothing_is_held() -> None:
    desk = Desk()
    desk.arrive(good("a", 1))
    desk.arrive(*bad(LIMIT), *bad(LIMIT, "github.com/3003"))
    desk.step()
    assert desk.held() == {}


def test_readiness_notes_it_and_stays_ready_for_the_others() -> None:
    desk = held_desk()
    desk.arrive(good("c", 1, OTHER))
    desk.clock.now += 600 * SECOND
    state = desk.health()
    assert state.ready, state.reasons
    (note,) = state.notes
    assert note.startswith(f"{OTHER} is paused: ")
    assert "has set 3 records aside (limit 2)" in note


def test_where_no_other_repository_is_known_it_is_not_ready() -> None:
    desk = Desk()
    desk.arrive(*bad(LIMIT + 1))
    desk.step()
    assert not desk.health().ready
