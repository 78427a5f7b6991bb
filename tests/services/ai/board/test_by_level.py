"""Series by game and level are bounded by what is installed."""

import pytest
from prometheus_client import REGISTRY

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import record_pb2
from brettwerk_games.rules.registry import games
from services.ai.board import by_level
from services.ai.board.order import Finished, Order, Urgency


def order(kind: str, payload: bytes, waited_ms: int = 300) -> Order:
    return Order("s:0", 1, kind, 100, 100, Urgency.PERSON, waited_ms, 1, payload, "", "")


def ended(game: str, level: str, outcome: str = "played") -> float:
    labels = {"game": game, "level": level, "outcome": outcome}
    return REGISTRY.get_sample_value("brettwerk_ai_level_attempts_total", labels) or 0.0


def want(game: str, level: str) -> bytes:
    return ai_pb2.Want(game=game, computer=record_pb2.Computer(level=level)).SerializeToString()


STRONGEST = next(level.id for level in reversed(games()["einstein"].facts.levels) if not level.max_depth)


@pytest.mark.parametrize(
    ("kind", "payload", "game", "level"),
    [
        ("move", want("einstein", "easy"), "einstein", "easy"),
        ("move", want("einstein", "made up"), "other", "other"),
        ("move", want("made up", "easy"), "other", "other"),
        ("move", b"\xff", "other", "other"),
        ("review", ai_pb2.ReviewRequest(game="einstein").SerializeToString(), "einstein", STRONGEST),
    ],
    ids=["a move", "no such level", "no such game", "nonsense", "a review of no level"],
)
def test_an_order_counts_for_its_game_and_level_if_they_are_installed(kind: str, payload: bytes, game: str, level: str) -> None:
    one, before = order(kind, payload), ended(game, level)
    by_level.count_finished([one], [Finished(one.key, 1, "played", 100, True)])
    assert ended(game, level) == before + 1


def test_how_long_an_order_waited_is_seen_by_its_level() -> None:
    labels = {"game": "einstein", "level": "easy"}
    before = REGISTRY.get_sample_value("brettwerk_ai_level_wait_seconds_sum", labels) or 0.0
    by_level.count_taken([order("move", want("einstein", "easy"), waited_ms=1500)])
    assert REGISTRY.get_sample_value("brettwerk_ai_level_wait_seconds_sum", labels) == pytest.approx(before + 1.5)
