"""A turn at the board: moves are answered to a gRPC peer that plays by the rules. The board is a list of orders."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest
import redis
from google.protobuf.any_pb2 import Any as AnyMessage
from prometheus_client import REGISTRY

from brettwerk.v1 import errors_pb2
from brettwerk_games.players import registry
from brettwerk_games.players.interface import OutOfTime, Thought
from brettwerk_games.rules.einstein import GAME as EINSTEIN
from brettwerk_games.rules.emperado import GAME as EMPERADO
from services.ai import session_client
from services.ai.board.order import Finished, Taken
from services.ai.session_client import SessionClient
from services.ai.thought import turn, wanted_moves
from services.ai.thought.thinker import Thinker
from services.ai.thought.thought_cache import Thoughts
from services.ai.thought.turn import Turns
from tests.services.ai.listed import TRACE, Board, Odd, play_by
from tests.services.ai.session_peer import SessionPeer, refusal
from tests.services.ai.turning import board, broker, hears, peer, turns
from tests.services.ai.wanted import start_position, view_of

__all__ = ["board", "broker", "hears", "peer", "turns"]
pytestmark = pytest.mark.usefixtures("hears")


def test_a_move_is_fetched_thought_about_and_played(turns: Turns, board: Board, peer: SessionPeer):
    table = peer.table(EINSTEIN, "easy", version=41)
    order = board.put(table)
    assert not turns.take()
    request, metadata = peer.submission()
    assert (request.session_id, request.seat, request.version) == (table.id, 0, 41)
    assert 0 < request.thought.win_chance < 1
    assert metadata["traceparent"] == TRACE
    assert table.version == 42
    (finished,) = board.finished
    assert (finished.key, finished.version, finished.outcome) == (order.key, 41, "played")
    assert board.takes == [1, 0]


def test_quick_orders_of_one_take_are_fetched_together_and_answered_together(turns: Turns, board: Board, peer: SessionPeer):
    tables = [peer.table(EINSTEIN, "beginner") for _ in range(20)]
    for table in tables:
        board.put(table)
    turns.take()
    board.takes.clear()
    for table in tables:
        board.put(table)
    peer.finds.clear()
    peer.batches.clear()
    assert not turns.take()
    assert board.takes == [8, 8, 4, 0]
    assert [len(find.seats) for find in peer.finds] == [8, 8, 4]
    assert len(peer.batches) < 10
    assert all(table.version == 3 for table in tables)
    assert len(board.finished) == 40  # each is told once


def test_an_answer_does_not_wait_for_a_long_thought(
    turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch
):
    waits = threading.Event()

    def think(self: Odd, view: Any, deadline: float, seed: int) -> Thought:
        if peer.tables[slow.id].version == 7 and not peer.submissions.empty():
            waits.set()
        return Thought(self.game.actions(view)[0], 0.5, 1, 1)

    quick = peer.table(EINSTEIN, "easy")
    slow = peer.table(EINSTEIN, "depth", version=7)
    board.put(quick)
    board.put(slow)
    play_by(monkeypatch, think)
    turns.take()
    assert waits.is_set()
    assert [len(batch.actions) for batch in peer.batches] == [1, 1]


def test_a_whole_turn_of_many_actions_is_played_with_one_take(turns: Turns, board: Board, peer: SessionPeer):
    table = peer.table(EMPERADO, "easy", seats=3)
    played = 0
    while played < 4:  # the first turns place one army each
        mover, before = table.seat, table.version
        board.put(table)
        turns.take()
        assert table.seat != mover
        played = table.version - before
        assert board.takes[-2:] == [1, 0]
        assert (board.finished[-1].outcome, board.finished[-1].version) == ("played", table.version - 1)


def test_the_same_player_goes_on(turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch):
    players: list[int] = []

    class Same(registry.players()["emperado"]):  # type: ignore[misc]
        def think(self, view: Any, deadline: float, seed: int) -> Thought:
            players.append(id(self))
            thought: Thought = super().think(view, deadline, seed)
            return thought

    monkeypatch.setattr(registry, "players", lambda: {"emperado": Same})
    table = peer.table(EMPERADO, "easy", seats=2)
    while len(players) < 2 or len(players) == len(set(players)):
        players.clear()
        board.put(table)
        turns.take()
    assert len(set(players)) == 1
    assert board.takes[-2:] == [1, 0]


@pytest.mark.usefixtures("broker")
def test_a_worker_about_to_end_does_not_go_on_with_its_tables(board: Board, peer: SessionPeer, broker: "redis.Redis"):
    client = SessionClient(f"127.0.0.1:{peer.port}")
    turns = Turns(board, client, Thinker(Thoughts(broker)), broker, lambda: True)  # type: ignore[arg-type]
    for _ in range(5):
        board.put(peer.table(EMPERADO, "easy", seats=2))
    turns.take()
    assert [action.goes_on for batch in peer.batches for action in batch.actions] == [False] * 5


def test_only_the_newest_position_is_thought_about_and_nothing_that_is_not_wanted(turns: Turns, board: Board, peer: SessionPeer):
    moved_on, gone = peer.table(EINSTEIN, "easy"), peer.table(EINSTEIN, "easy")
    other_seat = peer.table(EINSTEIN, "easy")
    board.put(moved_on)
    board.put(gone)
    board.put(other_seat)
    moved_on.version = 9
    del peer.tables[gone.id]
    other_seat.position = EINSTEIN.apply(
        other_seat.position, 0, EINSTEIN.actions(EINSTEIN.view(other_seat.position, 0))[0], bytes(32)
    ).position
    turns.take()
    assert board.outcomes() == {moved_on.id: "played", gone.id: "gone", other_seat.id: "gone"}
    assert {one.version for one in board.finished} == {9, 1}
    assert peer.submissions.qsize() == 1


@pytest.mark.parametrize(
    ("reason", "outcome", "became"),
    [
        (errors_pb2.REASON_ILLEGAL, "odd", "failed"),
        (errors_pb2.REASON_MALFORMED, "odd", "failed"),
        (errors_pb2.REASON_INTERNAL, "odd", "failed"),
        (errors_pb2.REASON_NO_TOKEN, "gone", "late"),
        (errors_pb2.REASON_UNKNOWN, "gone", "late"),
        (errors_pb2.REASON_GAME_OVER, "gone", "late"),
        (errors_pb2.REASON_UNAVAILABLE, "played", "played"),
        (errors_pb2.REASON_NO_SUCH_METHOD, "played", "played"),
    ],
    ids=lambda one: one if isinstance(one, str) else errors_pb2.Reason.Name(one).removeprefix("REASON_"),
)
def test_each_refusal_has_its_outcome(turns: Turns, board: Board, peer: SessionPeer, reason: Any, outcome: str, became: str):
    table = peer.table(EINSTEIN, "depth")
    board.put(table)
    peer.refuses = [refusal(reason)]
    before = thought_seconds()
    turns.take()
    assert board.outcomes() == {table.id: outcome}
    assert [name for name, seconds in thought_seconds().items() if seconds > before[name]] == [became]


def thought_seconds() -> dict[str, float]:
    """Return how long this process has thought, by what became of it."""
    outcomes = ("played", "reviewed", "late", "failed")
    return {one: REGISTRY.get_sample_value("brettwerk_ai_thought_seconds_total", {"outcome": one}) or 0.0 for one in outcomes}


def test_an_answer_to_a_position_that_moved_on_is_late(
    turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch
):
    def think(self: Odd, view: Any, deadline: float, seed: int) -> Thought:
        table.version += 1
        return Thought(self.game.actions(view)[0], 0.5, 1, 1)

    play_by(monkeypatch, think)
    table = peer.table(EINSTEIN, "easy")
    board.put(table)
    turns.take()
    assert board.outcomes() == {table.id: "late"}


def test_a_session_service_that_is_away_for_a_moment_gets_the_answer_later(turns: Turns, board: Board, peer: SessionPeer):
    table = peer.table(EINSTEIN, "easy")
    board.put(table)
    peer.aborts = 1
    peer.refuses = [refusal(errors_pb2.REASON_UNAVAILABLE)] * 3
    turns.take()
    assert board.outcomes() == {table.id: "played"}


def test_a_session_service_that_stays_away_gets_its_orders_back(
    turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(session_client, "FIND_S", 0.3)
    monkeypatch.setattr(session_client, "SUBMIT_S", 0.3)
    unheard, unanswered = peer.table(EINSTEIN, "easy"), peer.table(EINSTEIN, "easy")
    board.put(unanswered)
    peer.refuses = [refusal(errors_pb2.REASON_UNAVAILABLE)] * 100
    turns.take()
    peer.close()
    board.put(unheard)
    turns.take()
    assert board.outcomes() == {unanswered.id: "failed", unheard.id: "failed"}


def raises(self: Odd, view: Any, deadline: float, seed: int) -> Thought:
    raise ZeroDivisionError


def never_returns(self: Odd, view: Any, deadline: float, seed: int) -> Thought:
    while True:
        pass


def answers_when_interrupted(self: Odd, view: Any, deadline: float, seed: int) -> Thought:
    try:
        return never_returns(self, view, deadline, seed)
    except OutOfTime:
        return Thought(self.game.actions(view)[0], 0.5, 1, 1)


@pytest.mark.parametrize(
    ("think", "outcome"),
    [(raises, "odd"), (never_returns, "odd"), (answers_when_interrupted, "played")],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_the_turn_goes_on_after_any_failure_of_a_player(
    turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch, think: Any, outcome: str
):
    monkeypatch.setattr("services.ai.thought.thinker.ALARM_S", 0.05)
    first, bad, last = peer.table(EMPERADO, "easy"), peer.table(EINSTEIN, "easy"), peer.table(EMPERADO, "easy")
    emperado = registry.players()["emperado"]
    play_by(monkeypatch, think)
    einstein = registry.players()["einstein"]
    monkeypatch.setattr(registry, "players", lambda: {"einstein": einstein, "emperado": emperado})
    for table in (first, bad, last):
        board.put(table, think_ms=50)
    turns.take()
    assert board.outcomes() == {first.id: "played", bad.id: outcome, last.id: "played"}


def test_orders_that_cannot_be_carried_out_here_are_odd(turns: Turns, board: Board, peer: SessionPeer):
    view = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.EinsteinView", value=b"\xff\xff")
    tables = [
        peer.table(EINSTEIN, "easy", view=view),
        peer.table(EINSTEIN, "easy", view=view_of(start_position(), 1)),
        peer.table(EINSTEIN, "easy", depth=13),
    ]
    for table in tables:
        board.put(table)
    tables[2].computer.level = "of another release"
    board.put_payload("a:0", "move", b"\xff")
    board.put_payload("c:0", "of another release", b"")
    turns.take()
    assert set(board.outcomes().values()) == {"odd"}
    assert len(board.finished) == 5


def test_a_broker_that_is_away_hears_later_what_is_finished(
    turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch
):
    table = peer.table(EINSTEIN, "easy")
    board.put(table)
    take = board.take

    def goes_away(pid: int, finished: Sequence[Finished], most: int) -> Taken:
        if finished:
            monkeypatch.setattr(board, "take", take)
            board.fails = 3
        return take(pid, finished, most)

    monkeypatch.setattr(board, "take", goes_away)
    turns.take()
    assert board.outcomes() == {table.id: "played"}


def test_outcomes_that_a_broker_did_not_hear_are_repeated_in_the_next_turn(
    turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(turn, "BROKER_S", 0.0)
    turns._finished = [Finished("a:0", 1, "played", 1, True)]
    board.fails = 5
    with pytest.raises(redis.ConnectionError):
        turns.take()
    board.fails = 0
    assert not turns.take()
    assert board.outcomes() == {"a": "played"}


def test_a_turn_ends_and_tells_whether_something_waits(
    turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(turn, "TURN_S", 0.0)
    assert not turns.take()
    board.put(peer.table(EINSTEIN, "easy"))
    assert turns.take()
    assert peer.submissions.empty()


def test_a_seat_is_gone_on_with_for_a_bounded_number_of_actions(
    turns: Turns, board: Board, peer: SessionPeer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(wanted_moves, "MAX_ACTIONS", 2)
    table = peer.table(EMPERADO, "easy", seats=2)
    while len(peer.batches) < 30:
        board.put(table)
        turns.take()
    assert len(peer.finds) < len(peer.batches) <= 2 * len(peer.finds)
