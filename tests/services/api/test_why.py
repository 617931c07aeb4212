"""Why a request is told, over HTTP."""

import pytest

from services.simulator import World
from tests.services.api.test_questions import Api


@pytest.fixture(scope="module")
def api(small_world: World) -> Api:
    return Api(small_world)


def test_why_is_asked_for_a_period_by_name(api: Api) -> None:
    number = api.world.truth.pulls[0].number
    path = f"/v1/repositories/acme/widget/pulls/{number}/why"
    answer = api.client().get(path, params={"period": "2026-05", "tz": "Asia/Shanghai"})
    assert answer.status_code == 200
    assert answer.json()["number"] == number
    assert answer.json()["counts"]["opened"]
    assert answer.json()["reason"]


@pytest.mark.parametrize(
    ("number", "period", "status"), [(1, "May", 400), (999_999, "2026-05", 404)]
)
def test_a_wrong_question_says_how_to_ask(api: Api, number: int, period: str, status: int) -> None:
    path = f"/v1/repositories/acme/widget/pulls/{number}/why"
    answer = api.client().get(path, params={"period": period})
    assert answer.status_code == status
    assert answer.json()["message"]
