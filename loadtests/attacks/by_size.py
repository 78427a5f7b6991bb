"""Attacks by what is large, deep or long."""

import asyncio
import itertools
import json
import random
import uuid

import httpx
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import play_pb2, record_pb2, wec_pb2
from loadtests.attacks.boards import check_of, full_board, mutations, packed, royal_board
from loadtests.attacks.target import ADDRESS, Target, empty_plies, encoded

LARGE = 6_400_000


async def check_record(target: Target) -> None:
    """Ask for the check of a record of three million empty plies, again and again."""
    data, who = encoded(play_pb2.CheckRecordRequest(record=empty_plies(LARGE))), await target.guest()
    method = target.raw("CheckRecord")
    await target.flood(lambda: target.answer(method(data, metadata=who, timeout=30)), 4)


async def import_session(target: Target) -> None:
    """Import the same."""
    request = play_pb2.ImportSessionRequest(record=empty_plies(LARGE), request_id=uuid.uuid4().hex)
    data, who = encoded(request), await target.guest()
    method = target.raw("ImportSession")
    await target.flood(lambda: target.answer(method(data, metadata=who, timeout=30)), 4)


async def propose_load(target: Target) -> None:
    """Propose to load the same at twenty tables, each of a guest and an address of its own."""
    proposal = encoded(play_pb2.ProposeRequest(proposal=record_pb2.Proposal(load=empty_plies(LARGE))))
    prepared = []
    for number in range(1, 21):
        who = await target.guest(number)
        made = await target.table(who)
        request = play_pb2.ProposeRequest(session_id=made.session.id, seat_token=made.grants[0].seat_token)
        prepared.append((who, encoded(request) + proposal))
    method, turns = target.raw("Propose"), itertools.count()

    async def one() -> None:
        who, data = prepared[next(turns) % len(prepared)]
        await target.answer(method(data, metadata=who, timeout=30))

    await target.flood(one, 8)


async def just_allowed(target: Target) -> None:
    """Ask for checks of records that stay just within the bounds, each as a new guest."""
    data, method = encoded(play_pb2.CheckRecordRequest(record=empty_plies(480_000))), target.raw("CheckRecord")

    async def one() -> None:
        who = await target.guest()
        await target.answer(method(data, metadata=who, timeout=30))

    await target.flood(one, 8)


async def small_and_dense(target: Target) -> None:
    """Send requests just small enough to be read in the event loop, full of empty messages."""
    data, method = encoded(play_pb2.CheckRecordRequest(record=empty_plies(30_000))), target.raw("CheckRecord")
    who = await target.guest()
    await target.flood(lambda: target.answer(method(data, metadata=who, timeout=30)))


async def depth(target: Target) -> None:
    """Nest records in proposals in records, and an Any in an Any."""
    proposal = record_pb2.Proposal(load=record_pb2.Record(format=1))
    for _ in range(20):
        entry = record_pb2.Entry(proposed=record_pb2.Proposed(proposal=proposal))
        proposal = record_pb2.Proposal(load=record_pb2.Record(entries=[entry]))
    deep = encoded(play_pb2.ProposeRequest(proposal=proposal))
    value = AnyMessage()
    for _ in range(2000):
        outer = AnyMessage()
        outer.Pack(value)
        value = outer
    start = encoded(play_pb2.CheckStartRequest(game="wec", seats=2, start_position=value))
    who = await target.guest()
    propose, check = target.raw("Propose"), target.raw("CheckStart")

    async def one() -> None:
        await target.answer(propose(deep, metadata=who, timeout=30))
        await target.answer(check(start, metadata=who, timeout=30))

    await target.flood(one)


async def json_bodies(target: Target) -> None:
    """Send JSON that is huge, and JSON that is deep."""
    huge = json.dumps({"record": {"entries": [{"loaded": {"line": [{}] * 90_000}}] * 10}}).encode()
    deep = b'{"record":' * 20_000 + b"1" + b"}" * 20_000
    async with httpx.AsyncClient(timeout=60, trust_env=False) as client:

        async def one() -> None:
            await target.post(client, "CheckRecord", huge)
            await target.post(client, "CheckRecord", deep)

        await target.flood(one, 4)


async def editor_boards(target: Target) -> None:
    """Have boards of Weaponized Chess checked and begin games on them that are valid and as full as they may be."""
    who, dice = await target.guest(), random.Random(1)
    boards = itertools.cycle((mutations(full_board(), dice), mutations(royal_board(), dice)))

    async def one() -> None:
        board = next(next(boards))
        await target.answer(target.stub.CheckStart(check_of(board), metadata=who, timeout=30), "checked")
        table = play_pb2.CreateSessionRequest(game="wec", start_position=packed(board), request_id=uuid.uuid4().hex)
        table.seats.extend([play_pb2.SeatWish(me=True)] * 2)
        await target.answer(target.stub.CreateSession(table, metadata=who, timeout=30), "begun")

    await target.flood(one)


async def editor_rubbish(target: Target) -> None:
    """Have boards of Weaponized Chess checked with as many pieces and lines as fit into a request, all of them empty."""
    who, method = await target.guest(), target.raw("CheckStart")
    piece, line = wec_pb2.WecPiece(), wec_pb2.WecLine()
    boards = [
        wec_pb2.WecPosition(pieces=[piece] * 600, history=[line] * 2000),
        wec_pb2.WecPosition(pieces=[piece] * 100_000),
    ]
    requests = [encoded(check_of(board)) for board in boards]

    async def one() -> None:
        for data in requests:
            await target.answer(method(data, metadata=who, timeout=30))

    await target.flood(one)


async def long_names(target: Target) -> None:
    """Call oneself, one's table and one's notation by names that are long or odd."""
    odd = ["x" * 100_000, "\u202e" * 9, "e\u0301" * 9000, "\U0001f3b2" * 10, "\ufdfa" * 5000]
    who = await target.guest()

    async def one() -> None:
        for name in odd:
            asked = play_pb2.CreatePlayerRequest(name=name, request_id=uuid.uuid4().hex)
            await target.answer(target.stub.CreatePlayer(asked, metadata=target.metadata(), timeout=30))
            table = play_pb2.CreateSessionRequest(game="einstein", title=name, request_id=uuid.uuid4().hex)
            await target.answer(target.stub.CreateSession(table, metadata=who, timeout=30))

    await target.flood(one)


async def notation(target: Target) -> None:
    """Have texts read as actions that a careless reader would not get to the end of."""
    texts = ["a" * 200, "(" * 200, "1" * 200, "a1-" * 66, " " * 200, "x+" * 100, "-" * 200]
    who = await target.guest()
    tables = [await target.table(who, game) for game in ("einstein", "emperado", "plateau", "wec")]

    async def one() -> None:
        for made in tables:
            for text in texts:
                token = made.grants[0].seat_token
                asked = play_pb2.ReadNotationRequest(session_id=made.session.id, seat_token=token, notation=text)
                await target.answer(target.stub.ReadNotation(asked, metadata=who, timeout=30))

    await target.flood(one, 8)


async def slow_uploads(target: Target) -> None:
    """Announce large bodies, a hundred at once, and send them drop by drop."""
    host, _, port = target.web_address.rpartition(":")

    async def one() -> None:
        _, writer = await asyncio.open_connection(host, int(port))
        head = f"POST /v1/CheckRecord HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {ADDRESS}\r\n"
        writer.write((head + f"content-type: application/json\r\ncontent-length: {LARGE}\r\n\r\n").encode())
        try:
            while target.is_on:
                writer.write(b" " * 4096)
                await writer.drain()
                await asyncio.sleep(0.05)
            target.tally["open to the end"] += 1
        except OSError:
            target.tally["cut"] += 1
        finally:
            writer.close()

    await asyncio.gather(*(one() for _ in range(100)))
