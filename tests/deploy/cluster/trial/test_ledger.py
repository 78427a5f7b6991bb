"""An action that was acknowledged and is not in the record is lost."""

from brettwerk.v1 import record_pb2
from deploy.cluster.trial.ledger import Acknowledged, Ledger, lost


def acknowledged(
    version: int, seat: int = 0, action: str = "type.example/a", session: str = "s", at_s: float = 1.0
) -> Acknowledged:
    written = record_pb2.Entry()
    written.acted.ply.action.type_url = action
    return Acknowledged(session, version, seat, written.acted.ply.action.SerializeToString(), 0.1, at_s)


def record(*plies: tuple[int, int, str]) -> record_pb2.Record:
    made = record_pb2.Record()
    made.entries.add(version=1)
    for version, seat, action in plies:
        entry = made.entries.add(version=version)
        entry.acted.ply.actor_seat = seat
        entry.acted.ply.action.type_url = action
    return made


def test_actions_in_the_record_are_not_lost() -> None:
    assert lost([acknowledged(2), acknowledged(4)], {"s": record((2, 0, "type.example/a"), (4, 0, "type.example/a"))}) == []


def test_an_action_is_lost_when_another_one_stands_in_its_place() -> None:
    kept = {"s": record((2, 0, "type.example/b"), (3, 1, "type.example/a"), (4, 1, "type.example/a"))}
    missing = [acknowledged(2), acknowledged(3), acknowledged(4, seat=1), acknowledged(5)]
    assert lost(missing, kept) == [missing[0], missing[1], missing[3]]


def test_an_action_is_lost_with_its_session() -> None:
    one = acknowledged(2, session="gone")
    assert lost([one], {"s": record((2, 0, "type.example/a"))}) == [one]


def test_an_action_that_was_acknowledged_twice_has_to_be_there_twice() -> None:
    one = acknowledged(2)
    assert lost([one, one], {"s": record((2, 0, "type.example/a"))}) == [one]


def test_a_ledger_tells_what_came_since() -> None:
    ledger = Ledger()
    for at_s in (1.0, 2.0, 3.0):
        ledger.acted(acknowledged(int(at_s), at_s=at_s))
    assert [one.version for one in ledger.since(2.0)] == [2, 3]
    ledger.answered(0.5)
    (answer,) = ledger.answers_since(0.0)
    assert answer.waited_s == 0.5
    assert ledger.answers_since(answer.at_s + 1) == []
