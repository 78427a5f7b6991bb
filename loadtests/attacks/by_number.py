"""Attacks by sending the same thing very often."""

import itertools
import random
import uuid
from collections.abc import Sequence

import grpc

from brettwerk.v1 import play_pb2
from loadtests.attacks.target import ADDRESS, Target


async def hints(target: Target) -> None:
    """Ask for one hint after the other, of every level."""
    who = await target.guest()
    game = await target.stub.GetGame(play_pb2.GetGameRequest(game="einstein", language="en"), metadata=who)
    levels = itertools.cycle([level.id for level in game.game.levels if not level.max_depth])
    made = await target.table(who)
    token = await target.to_act(who, made)

    async def one() -> None:
        asked = play_pb2.GetHintRequest(session_id=made.session.id, seat_token=token, level=next(levels))
        await target.answer(target.stub.GetHint(asked, metadata=who, timeout=30), "hints")

    await target.flood(one)


async def tables(target: Target) -> None:
    """Create tables as one guest after the other, from one address."""
    await _create_tables(target, [0])


async def tables_from_many(target: Target) -> None:
    """Create tables as one guest after the other, from a hundred addresses in turn."""
    await _create_tables(target, range(1, 101))


async def claimed_addresses(target: Target) -> None:
    """Claim another address with each call, in front of the hop of a proxy that states ports."""
    claimed, request = itertools.count(), play_pb2.ListGamesRequest()

    async def one() -> None:
        number = next(claimed)
        hops = f"6.6.{number // 256 % 256}.{number % 256}, {ADDRESS}:4711"
        await target.answer(target.stub.ListGames(request, metadata=(("x-forwarded-for", hops),), timeout=30))

    await target.flood(one)


async def _create_tables(target: Target, addresses: Sequence[int]) -> None:
    numbers = itertools.cycle(addresses)

    async def one() -> None:
        number = next(numbers)
        request = play_pb2.CreatePlayerRequest(name="Guest", request_id=uuid.uuid4().hex)
        call = target.stub.CreatePlayer(request, metadata=target.metadata(number=number), timeout=30)
        made = await target.answer(call, "guests")
        if made is None:
            return
        who = target.metadata(made.player_token, number)
        for game, seats in (("einstein", 2), ("wec", 2), ("emperado", 6)) * 3:
            asked = play_pb2.CreateSessionRequest(
                game=game, seats=[play_pb2.SeatWish(me=True)] * seats, public=True, request_id=uuid.uuid4().hex
            )
            await target.answer(target.stub.CreateSession(asked, metadata=who, timeout=30), "tables")

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
    """Read a long game from changing versions on, and save it, again and again."""
    who = await target.guest()
    session, token = target.long_game
    head = await target.head(who)

    async def one() -> None:
        first = random.randrange(1, head)
        updates = play_pb2.ListUpdatesRequest(session_id=session, seat_token=token, from_version=first, page_size=100)
        await target.answer(target.stub.ListUpdates(updates, metadata=who, timeout=30), "pages")
        saved = play_pb2.ExportSessionRequest(session_id=session, seat_token=token)
        await target.answer(target.stub.ExportSession(saved, metadata=who, timeout=30), "saves")

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
