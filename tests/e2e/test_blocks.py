"""Two players of whom one has blocked the other: whatever would seat, invite or write is refused, to either of them."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from brettwerk.v1 import accounts_pb2, errors_pb2, opponents_pb2, play_pb2, record_pb2, tournaments_pb2
from brettwerk_client import Client, Refused, Seat, computer, me, nobody
from deploy.local.deployment import Deployment

pytestmark = pytest.mark.e2e
_FOLLOWED_MS = 2_000


@dataclass(frozen=True)
class Pair:
    """A caller, and the player whom the call concerns; one has blocked the other once `block` was called."""

    caller: Client
    other: Client
    block: Callable[[], None]


def player_id(client: Client) -> str:
    assert client.token and client.player is not None
    client.call(client.service.StartLink, accounts_pb2.StartLinkRequest())  # a guest whom nobody knows is not challenged
    return client.player.id


def set_blocked(blocker: Client, other: Client, *, blocked: bool = True) -> None:
    request = opponents_pb2.BlockPlayerRequest(player_id=player_id(other), blocked=blocked)
    blocker.call(blocker.service.BlockPlayer, request)


def both_at_a_table(pair: Pair, game: str = "einstein", *more: play_pb2.SeatWish) -> tuple[Seat, Seat]:
    """Return the seats of both at a running table."""
    there = pair.other.create_session(game, [me(), nobody(), *more]).seat
    return pair.caller.join_session(there.session_id), there


def challenge(pair: Pair) -> opponents_pb2.Challenge:
    request = opponents_pb2.ChallengePlayerRequest(player_id=player_id(pair.other), game="einstein")
    return pair.caller.call(pair.caller.service.ChallengePlayer, request).challenge


def challenges(pair: Pair) -> None:
    pair.block()
    challenge(pair)


def accepts_a_challenge_from_before(pair: Pair) -> None:
    made = challenge(Pair(pair.other, pair.caller, pair.block))
    pair.block()
    pair.caller.accept_challenge(made.challenge_id)


def wants_a_rematch(pair: Pair) -> None:
    here, there = both_at_a_table(pair)
    there.resign()
    pair.block()
    request = play_pb2.RematchRequest(session_id=here.session_id, seat_token=here.token)
    pair.caller.call(pair.caller.service.Rematch, request)


def comes_to_a_rematch_from_before(pair: Pair) -> None:
    here, there = both_at_a_table(pair)
    here.resign()
    request = play_pb2.RematchRequest(session_id=there.session_id, seat_token=there.token)
    again = pair.other.call(pair.other.service.Rematch, request).session
    pair.block()
    pair.caller.join_session(again.id)


def joins(pair: Pair) -> None:
    table = pair.other.create_session("einstein", [me(), nobody()], public=True)
    pair.block()
    pair.caller.join_session(table.session.id)


def takes_a_seat(pair: Pair) -> None:
    table = pair.other.create_session("einstein", [me(), nobody()])
    pair.block()
    request = play_pb2.SetSeatRequest(session_id=table.session.id, seat=1, wish=me())
    pair.caller.call(pair.caller.service.SetSeat, request)


def goes_on_with_a_shared_save(pair: Pair) -> None:
    here, there = both_at_a_table(pair, "wec")
    save = play_pb2.SaveSessionRequest(session_id=here.session_id, seat_token=here.token)
    saved = pair.caller.call(pair.caller.service.SaveSession, save).saved
    here.leave()
    there.leave()
    pair.block()
    pair.caller.call(pair.caller.service.ImportSession, play_pb2.ImportSessionRequest(save_id=saved.id))


def speaks_at_the_table(pair: Pair) -> None:
    here, _ = both_at_a_table(pair)
    pair.block()
    here.say("Hello?")


def speaks_to_those_who_play(pair: Pair) -> None:
    table = pair.other.create_session("einstein", [me(), computer("easy")])
    pair.block()
    pair.caller.spectator(table.session.id).say("Hello?")


def speaks_in_private(pair: Pair) -> None:
    here, there = both_at_a_table(pair, "emperado", computer("easy"))
    pair.block()
    here.say("Peace?", to_seat=there.number)


def joins_a_tournament(pair: Pair) -> None:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000)
    request = tournaments_pb2.CreateTournamentRequest(
        name="Bots", game="einstein", clock=clock, kind=tournaments_pb2.Tournament.KIND_SWISS
    )
    made = pair.other.call(pair.other.service.CreateTournament, request).tournament
    pair.block()
    joined = tournaments_pb2.JoinTournamentRequest(tournament_id=made.tournament_id)
    pair.caller.call(pair.caller.service.JoinTournament, joined)


BLOCKED, PROPOSAL, TOURNAMENT = errors_pb2.REASON_BLOCKED, errors_pb2.REASON_PROPOSAL, errors_pb2.REASON_TOURNAMENT
REFUSED: dict[Callable[[Pair], None], errors_pb2.Reason.ValueType] = {
    challenges: PROPOSAL,
    accepts_a_challenge_from_before: PROPOSAL,
    wants_a_rematch: BLOCKED,
    comes_to_a_rematch_from_before: BLOCKED,
    joins: BLOCKED,
    takes_a_seat: BLOCKED,
    goes_on_with_a_shared_save: BLOCKED,
    speaks_at_the_table: BLOCKED,
    speaks_to_those_who_play: BLOCKED,
    speaks_in_private: BLOCKED,
    joins_a_tournament: TOURNAMENT,
}


@pytest.mark.parametrize("is_blocker", [True, False], ids=["blocker", "blocked"])
@pytest.mark.parametrize("attempt", list(REFUSED), ids=lambda each: each.__name__)
def test_neither_of_two_reaches_the_other(deployment: Deployment, attempt: Callable[[Pair], None], is_blocker: bool) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada, Client(deployment.grpc_address, name="Bert") as bert:
        one, other = (ada, bert) if is_blocker else (bert, ada)
        with pytest.raises(Refused) as refused:
            attempt(Pair(one, other, lambda: set_blocked(ada, bert)))
        assert refused.value.reason == REFUSED[attempt]
        assert refused.value.reason == BLOCKED or "blocked" in refused.value.refusal.details.values()
        set_blocked(ada, bert, blocked=False)
        attempt(Pair(one, other, lambda: None))


def test_a_pool_pairs_neither_with_the_other(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada, Client(deployment.grpc_address, name="Bert") as bert:
        set_blocked(ada, bert)
        seeks = [one.call(one.service.StartSeek, opponents_pb2.StartSeekRequest(game="plateau")).seek for one in (ada, bert)]
        for one, seek in zip((ada, bert), seeks, strict=True):
            follow = opponents_pb2.FollowSeekRequest(seek_id=seek.seek_id, wait_ms=_FOLLOWED_MS)
            assert one.call(one.service.FollowSeek, follow).seek.state == opponents_pb2.Seek.STATE_WAITING
            one.call(one.service.StopSeek, opponents_pb2.StopSeekRequest(seek_id=seek.seek_id))


def test_at_a_table_of_three_only_the_blocker_does_not_hear_the_blocked_one(deployment: Deployment) -> None:
    with (
        Client(deployment.grpc_address, name="Ada") as ada,
        Client(deployment.grpc_address, name="Bert") as bert,
        Client(deployment.grpc_address, name="Cleo") as cleo,
    ):
        adas = ada.create_session("emperado", [me(), nobody(), nobody()]).seat
        berts, cleos = (one.join_session(adas.session_id) for one in (bert, cleo))
        set_blocked(ada, bert)
        berts.say("from Bert")
        adas.say("from Ada")
        cleos.say("from Cleo")

        def heard(seat: Seat) -> list[str]:
            lines = []
            for line in seat.talk():
                lines.append(line.text)
                if line.text == "from Cleo":
                    break
            return lines

        assert heard(adas) == ["from Ada", "from Cleo"]
        assert heard(berts) == ["from Bert", "from Cleo"]
        assert heard(cleos) == ["from Bert", "from Ada", "from Cleo"]


def test_a_seat_that_is_ones_own_stays_so(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada, Client(deployment.grpc_address, name="Bert") as bert:
        here, there = both_at_a_table(Pair(ada, bert, lambda: None))
        set_blocked(ada, bert)
        for one, seat in ((ada, here), (bert, there)):
            handed = play_pb2.SetSeatRequest(
                session_id=seat.session_id, seat_token=seat.token, seat=seat.number, wish=computer("easy")
            )
            one.call(one.service.SetSeat, handed)
            assert one.join_session(seat.session_id).number == seat.number
