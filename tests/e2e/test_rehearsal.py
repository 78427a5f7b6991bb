"""The secret of a saved game foretells every roll of it, but none once a stranger is at the table."""

import pytest

from brettwerk.v1 import einstein_pb2, play_pb2, record_pb2, sessions_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.chance import step_seed
from brettwerk_games.rules.interface import Kind
from tests.e2e.stranger import Stranger, me, new_id, nobody
from tests.services.session.two_players import slowest

pytestmark = pytest.mark.e2e

SAVED = 3
FORETOLD = 6
EINSTEIN = registry.games()["einstein"]


def export(player: Stranger, session_id: str) -> record_pb2.Record:
    request = play_pb2.ExportSessionRequest(session_id=session_id)
    return player.stub.ExportSession(request, metadata=player.metadata, timeout=20).record


def bring(player: Stranger, record: record_pb2.Record, *seats: play_pb2.SeatWish) -> tuple[sessions_pb2.Session, dict[int, str]]:
    request = play_pb2.ImportSessionRequest(record=record, seats=seats, request_id=new_id())
    response = player.stub.ImportSession(request, metadata=player.metadata, timeout=20)
    return response.session, {grant.seat: grant.seat_token for grant in response.grants}


def roll(view: sessions_pb2.Update) -> int:
    shown = einstein_pb2.EinsteinView()
    assert view.view.Unpack(shown)
    return shown.position.roll


def play(
    session_id: str, seats: dict[int, tuple[Stranger, str]], plies: int, secret: bytes, origin: str
) -> list[tuple[int, int]]:
    """Play so many plies; return what was foretold and what was rolled with each."""
    found = []
    for _ in range(plies):
        watcher, token = next(iter(seats.values()))
        seat = watcher.look(session_id, token).to_act[0]
        player, token = seats[seat]
        update = player.look(session_id, token)
        view = EINSTEIN.codec.decode(Kind.VIEW, update.view.value)
        action = EINSTEIN.codec.decode(Kind.ACTION, update.actions[slowest(update)].action.value)
        seed = step_seed(secret, origin, update.session.plies + 1, (b"", b""))
        foretold = EINSTEIN.apply(view.position, seat, action, seed).position.roll
        player.act(update, token, slowest(update))
        found.append((foretold, roll(player.look(session_id, token))))
    return found


def slow(player: Stranger, session_id: str, tokens: dict[int, str]) -> None:
    for _ in range(SAVED):
        seat = player.look(session_id, tokens[0]).to_act[0]
        update = player.look(session_id, tokens[seat])
        player.act(update, tokens[seat], slowest(update))


def test_rolls_are_foretold_alone_and_not_before_a_stranger(deployment):
    anna, ben = Stranger(deployment.grpc_address, "Anna"), Stranger(deployment.grpc_address, "Ben")
    missed, rolled = 0, 0
    for _ in range(4):  # one roll in six would be foretold by luck, twenty-four of twenty-four never
        session, tokens = anna.create(me(), me())
        slow(anna, session.id, tokens)
        saved = export(anna, session.id)
        resigning = play_pb2.ResignRequest(session_id=session.id, seat_token=tokens[0], request_id=new_id())
        anna.stub.Resign(resigning, metadata=anna.metadata, timeout=20)
        secret = export(anna, session.id).secret
        alone, own = bring(anna, saved, me(), me())
        rehearsed = play(alone.id, {0: (anna, own[0]), 1: (anna, own[1])}, FORETOLD, secret, session.id)
        assert all(foretold == came for foretold, came in rehearsed)
        copy, own = bring(anna, saved, me(), nobody())
        seats = {0: (anna, own[0]), 1: (ben, ben.join(copy.id).seat_token)}
        played = play(copy.id, seats, FORETOLD, secret, session.id)
        rolled += len(played)
        missed += sum(foretold != came for foretold, came in played)
        own_seeds = {entry.acted.ply.seed for entry in export(ben, copy.id).entries if entry.HasField("acted")}
        assert not own_seeds & {step_seed(secret, session.id, ply, (b"", b"")) for ply in range(40)}
    assert rolled == 4 * FORETOLD
    assert missed >= rolled // 3
    for player in (anna, ben):
        player.close()
