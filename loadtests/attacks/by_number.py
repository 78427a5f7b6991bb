"""Attacks by sending the same thing very often."""

import random
import uuid

import grpc

from brettwerk.v1 import play_pb2
from loadtests.attacks.target import Target


async def hints(target: Target) -> None:
    """Ask for one hint after the other."""
    who = await target.guest()
    made = await target.table(who)
    asked = play_pb2.GetHintRequest(session_id=made.session.id, seat_token=made.grants[0].seat_token, level="easy")
    await target.flood(lambda: target.answer(target.stub.GetHint(asked, metadata=who, timeout=30)))


async def tables(target: Target) -> None:
    """Create tables as one guest after the other."""

    async def one() -> None:
        request = play_pb2.CreatePlayerRequest(name="Guest", request_id=uuid.uuid4().hex)
        made = await target.answer(target.stub.CreatePlayer(request, metadata=target.metadata(), timeout=30))
        if made is None:
            return
        who = target.metadata(made.player_token)
        for game, seats in (("einstein", 2), ("wec", 2), ("emperado", 6)):
            asked = play_pb2.CreateSessionRequest(
                game=game, seats=[play_pb2.SeatWish(me=True)] * seats, public=True, request_id=uuid.uuid4().hex
            )
            await target.answer(target.stub.CreateSession(asked, metadata=who, timeout=30))

    await target.flood(one)


async def proposals(target: Target) -> None:
    """Propose, withdraw and propose again."""
    who = await target.guest()
    made = await target.table(who)

    async def one() -> None:
        asked = play_pb2.ProposeRequest(
            session_id=made.session.id, seat_token=made.grants[0].seat_token, request_id=uuid.uuid4().hex
        )
        asked.proposal.pause = random.random() < 0.5
        await target.answer(target.stub.Propose(asked, metadata=who, timeout=30))

    await target.flood(one)


async def histories(target: Target) -> None:
    """Read and save a game with many plies again and again."""
    who = await target.guest()
    session, token = await target.played(who, "emperado", 60)

    async def one() -> None:
        updates = play_pb2.ListUpdatesRequest(session_id=session, seat_token=token, from_version=1, page_size=1000)
        await target.answer(target.stub.ListUpdates(updates, metadata=who, timeout=30))
        saved = play_pb2.ExportSessionRequest(session_id=session, seat_token=token)
        await target.answer(target.stub.ExportSession(saved, metadata=who, timeout=30))

    await target.flood(one)


async def lists(target: Target) -> None:
    """Look at a session and through the lobby without a pause."""
    who = await target.guest()
    made = await target.table(who)

    async def one() -> None:
        await target.answer(target.stub.GetSession(play_pb2.GetSessionRequest(session_id=made.session.id), metadata=who))
        await target.answer(target.stub.ListSessions(play_pb2.ListSessionsRequest(page_size=1000), metadata=who))

    await target.flood(one)


async def request_ids(target: Target) -> None:
    """Use one request id for everything."""
    who = await target.guest()
    made = await target.table(who)

    async def one() -> None:
        asked = play_pb2.ProposeRequest(
            session_id=made.session.id, seat_token=made.grants[0].seat_token, request_id="the same one"
        )
        asked.proposal.undo_to_plies = random.randrange(9)
        await target.answer(target.stub.Propose(asked, metadata=who, timeout=30))

    await target.flood(one)


async def bad_tokens(target: Target) -> None:
    """Guess tokens."""

    async def one() -> None:
        token = "bwp1." + uuid.uuid4().hex * 4
        await target.answer(target.stub.ListGames(play_pb2.ListGamesRequest(), metadata=target.metadata(token)))

    await target.flood(one)


async def forks(target: Target) -> None:
    """Play on from one's own game, and ask for its rematch, without end."""
    who = await target.guest()
    session, token = await target.played(who, "einstein", 3)

    async def one() -> None:
        fork = play_pb2.ForkSessionRequest(session_id=session, seat_token=token, at_version=4, request_id=uuid.uuid4().hex)
        await target.answer(target.stub.ForkSession(fork, metadata=who, timeout=30))
        rematch = play_pb2.RematchRequest(session_id=session, seat_token=token, request_id=uuid.uuid4().hex)
        await target.answer(target.stub.Rematch(rematch, metadata=who, timeout=30))

    await target.flood(one)


async def resets(target: Target) -> None:
    """Open HTTP/2 streams and reset them at once."""
    who = await target.guest()

    async def one() -> None:
        calls = [target.stub.ListGames(play_pb2.ListGamesRequest(), metadata=who) for _ in range(50)]
        for call in calls:
            call.cancel()
        for call in calls:
            code = await call.code()
            target.tally["reset" if code is grpc.StatusCode.CANCELLED else code.name] += 1

    await target.flood(one, 4)
