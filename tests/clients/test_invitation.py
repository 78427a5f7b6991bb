import pytest

from brettwerk.v1 import record_pb2, sessions_pb2
from brettwerk_client.invitation import as_challenge

State = sessions_pb2.Session
ADA = sessions_pb2.Seat(occupant=record_pb2.Occupant(person=record_pb2.Person(player_id="ada", name="Ada", bot=True)))
EASY = sessions_pb2.Seat(occupant=record_pb2.Occupant(computer=record_pb2.Computer(level="easy")))
KEPT = sessions_pb2.Seat(kept_for="bert")
OPEN = sessions_pb2.Seat()


def session(*seats: sessions_pb2.Seat, state: sessions_pb2.Session.State.ValueType = State.STATE_WAITING) -> sessions_pb2.Session:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=1000)
    return State(id="s", game="einstein", seats=seats, state=state, competitive=True, clock=clock, created_at_ms=5)


def test_an_invitation_looks_like_a_challenge_by_the_player_at_the_table() -> None:
    challenge = as_challenge(session(KEPT, EASY, ADA))
    assert challenge is not None
    assert (challenge.challenge_id, challenge.session_id, challenge.game, challenge.competitive) == ("", "s", "einstein", True)
    assert (challenge.challenger.player_id, challenge.challenger.name, challenge.challenger.bot) == ("ada", "Ada", True)
    assert (challenge.challenged.player_id, challenge.clock.time_ms, challenge.created_at_ms) == ("bert", 1000, 5)
    assert [computer.level for computer in challenge.computers] == ["easy"]
    assert not challenge.HasField("options")


@pytest.mark.parametrize(
    "table",
    [
        session(ADA, OPEN),
        session(ADA, KEPT, state=State.STATE_CLOSED),
        session(ADA, sessions_pb2.Seat(occupant=EASY.occupant, kept_for="bert"), state=State.STATE_RUNNING),
    ],
    ids=["nothing kept", "closed", "a computer plays meanwhile"],
)
def test_other_tables_invite_nobody(table: sessions_pb2.Session) -> None:
    assert as_challenge(table) is None
