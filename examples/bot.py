"""A bot that plays one game of EinStein würfelt nicht against the computer: examples/bot.py [HOST:PORT of the gRPC endpoint]."""

import random
import sys
import uuid

import grpc

from brettwerk.v1 import play_pb2 as play
from brettwerk.v1 import play_pb2_grpc, record_pb2


def main(address: str = "127.0.0.1:7800") -> None:
    """Play a game; print every action and how it ended."""
    with grpc.insecure_channel(address) as channel:
        server = play_pb2_grpc.PlayServiceStub(channel)
        player = server.CreatePlayer(play.CreatePlayerRequest(name="Example bot", request_id=uuid.uuid4().hex))
        token = (("authorization", f"Bearer {player.player_token}"),)
        seats = [play.SeatWish(me=True), play.SeatWish(computer=record_pb2.Computer(level="easy"))]
        wanted = play.CreateSessionRequest(game="einstein", seats=seats, request_id=uuid.uuid4().hex)
        created = server.CreateSession(wanted, metadata=token)
        session, seat = created.session.id, created.grants[0]
        for message in server.Watch(play.WatchRequest(session_id=session, seat_token=seat.seat_token), metadata=token):
            update = message.update if message.HasField("update") else message.resync.update
            if update.happening.notation:
                print(update.happening.ply, update.happening.notation)
            if update.session.HasField("outcome"):
                outcome = update.session.outcome
                ended = "won" if seat.seat in outcome.winners else "lost" if outcome.winners else "drawn"
                print(ended, outcome.rule)
                break
            if update.actions:
                choice = random.choice(update.actions)  # noqa: S311 - here a better bot would think
                act = play.ActRequest(session_id=session, seat_token=seat.seat_token, expected_version=update.version)
                act.action.CopyFrom(choice.action)
                act.request_id = uuid.uuid4().hex
                server.Act(act, metadata=token)


if __name__ == "__main__":
    main(*sys.argv[1:])
