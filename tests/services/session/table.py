"""What the tests of the session service play at: processes on one store, players, and a clock."""

import asyncio
import dataclasses
import itertools
import random
from typing import Any

import grpc
import redis.asyncio
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import ai_pb2, ai_pb2_grpc, einstein_pb2, play_pb2, record_pb2, session_pb2, sessions_pb2
from services.runtime.interceptor import CallInterceptor
from services.runtime.settings import Settings
from services.session.app.batches import find_positions
from services.session.app.house import House
from services.session.live.histories import Rebuilt
from tests.services.session.ai_peer import AiPeer
from tests.services.session.clock import Clock

_request_ids = itertools.count(1)


def request_id() -> str:
    return f"request-{next(_request_ids):08}"


@dataclasses.dataclass(frozen=True)
class Asked:
    """A move that was wanted of a computer player, and what its seat saw when the worker came for the position."""

    want: ai_pb2.Want
    view: AnyMessage | None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.want, name)


class Table:
    """One store, any number of session processes on it (`houses`), and players. `house` is the first."""

    def __init__(self, redis_url: str, rules_address: str, database_url: str, dice: str = "", **settings: Any) -> None:
        """`dice` names the throws: the same name, the same throws."""
        self.clock = Clock()
        self.ai = AiPeer()
        self.houses: list[House] = []
        self._redis_url = redis_url
        self._rules_address = rules_address
        self._database_url = database_url
        self._settings = settings
        self._draw = random.Random(dice).randbytes
        self._ai_server = grpc.aio.server(interceptors=[CallInterceptor("ai")])
        self._ai_address = ""

    @property
    def house(self) -> House:
        return self.houses[0]

    async def open(self, *, keeps: bool = False) -> None:
        """Start at an empty store, or at what it `keeps`."""
        if not keeps:
            client = redis.asyncio.Redis.from_url(self._redis_url)
            await client.flushdb()
            await client.aclose()
        ai_pb2_grpc.add_AiServiceServicer_to_server(self.ai, self._ai_server)
        self._ai_address = f"127.0.0.1:{self._ai_server.add_insecure_port('127.0.0.1:0')}"
        await self._ai_server.start()
        await self.another_house()

    async def close(self) -> None:
        for house in self.houses:
            await house.stop()
        await self._ai_server.stop(None)

    async def stop_ai(self) -> None:
        await self._ai_server.stop(None)

    async def another_house(self) -> House:
        house = House(
            Settings.model_validate(
                {
                    "secret_key": "a key of tests that has enough letters",
                    "redis_url": self._redis_url,
                    "rules_link_address": self._rules_address,
                    "ai_address": self._ai_address,
                    "database_url": self._database_url,
                    "heartbeat_s": 60,
                    **self._settings,
                }
            ),
            self.clock,
            self._draw,
        )
        await house.sweeper.sweep()
        await house.sweeper.swept()
        self.houses.append(house)
        return house

    async def restart(self) -> None:
        """Let the first process die and another one take its place."""
        await self.houses.pop(0).stop()
        await self.another_house()
        self.houses.insert(0, self.houses.pop())

    async def sweep(self) -> None:
        await self.house.sweeper.sweep()
        await self.house.sweeper.swept()

    async def until_asked(self) -> Asked:
        """Return the newest move that was wanted, and the view of its seat as a worker gets it."""
        await self.until_quiet()
        return await self.seen(self.ai.moves[-1])

    async def seen(self, want: ai_pb2.Want) -> Asked:
        """Return a wanted move with the view of its seat; without one when the move is not wanted any more."""
        found = await self.find(want)
        return Asked(want, found.wanted.view if found.WhichOneof("kind") == "wanted" else None)

    async def find(self, want: ai_pb2.Want, **changes: Any) -> session_pb2.FoundPosition:
        """Ask for the position of a wanted move as a worker does."""
        seat = session_pb2.SeatToMove(session_id=want.session_id, seat=want.seat, version=want.version, ticket=want.ticket)
        for name, value in changes.items():
            setattr(seat, name, value)
        response = await find_positions(session_pb2.FindPositionsRequest(seats=[seat]), self.house.computers)
        return response.positions[0]

    async def until_quiet(self) -> None:
        """Return when no process is noting what is wanted, or it cannot be noted now."""
        for house in self.houses:
            while house.noting._task is not None and not house.noting._pause_s:  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.001)

    async def until_all_is_noted(self) -> None:
        """Return when all that is wanted is noted, however often that has to be tried."""
        for house in self.houses:
            while house.noting._task is not None:  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.005)

    async def submission(self, asked: Asked | ai_pb2.Want, pick: int = 0) -> session_pb2.SubmitActionRequest:
        """Return the answer to a wanted move, with one of the legal actions."""
        if isinstance(asked, ai_pb2.Want):
            asked = await self.seen(asked)
        request = session_pb2.SubmitActionRequest(
            session_id=asked.session_id, seat=asked.seat, version=asked.version, ticket=asked.ticket
        )
        if asked.view is not None:
            legal = await self.house.rules.legal(asked.game, asked.view)
            request.action.CopyFrom(legal.actions[pick % len(legal.actions)].action)
        return request

    async def answer_for(self, asked: Asked | ai_pb2.Want, pick: int = 0) -> session_pb2.SubmitActionResponse:
        """Answer a wanted move with one of the legal actions."""
        return await self.house.computers.submit(await self.submission(asked, pick))

    async def computer_moves(self, pick: int = 0) -> None:
        response = await self.answer_for(await self.until_asked(), pick)
        assert response.played

    async def rebuilt(self, session_id: str) -> Rebuilt:
        """Return the session made of its log again."""
        state = (await self.house.shelf.newest(session_id)).state
        rebuilt = Rebuilt(session_id, state.secrets[0], self.house.rules, state.secrets[1])
        await rebuilt.extend(await self.house.histories.entries(session_id))
        return rebuilt

    async def pass_s(self, seconds: float) -> None:
        """Let time go by, with somebody sweeping, as it should be."""
        left = seconds
        while left > 0:
            self.clock.pass_s(min(left, 4))
            left -= 4
            await self.sweep()

    def player(self, name: str) -> "Player":
        return Player(self, name)


class Player:
    """A person: what he asks, in short words. Seats' tokens are kept by session."""

    def __init__(self, table: Table, name: str) -> None:
        self.table = table
        self.caller = session_pb2.Caller(player_id=f"p-{name.lower()}", name=name)
        self.tokens: dict[tuple[str, int], str] = {}
        self.house = 0

    async def ask(self, **call: Any) -> Any:
        """Carry out one call and return its response."""
        name, request = next(iter(call.items()))
        house = self.table.houses[self.house]
        answer = await house.calls.carry_out(play_pb2.Call(**{name: request}), self.caller)
        response = getattr(answer, name)
        for grant in (*getattr(response, "grants", ()), getattr(response, "grant", None)):
            if grant is not None and grant.seat_token:
                session_id = response.session.id
                self.tokens[session_id, grant.seat] = grant.seat_token
        return response

    def token(self, session_id: str, seat: int | None = None) -> str:
        if seat is not None:
            return self.tokens[session_id, seat]
        return next(token for (known, _), token in reversed(self.tokens.items()) if known == session_id)

    async def create(self, *seats: str, **fields: Any) -> sessions_pb2.Session:
        """Create a session. Seats are me, open or the level of a computer player."""
        request = play_pb2.CreateSessionRequest(
            game=fields.pop("game", "einstein"), seats=[wish(s) for s in seats], request_id=request_id(), **fields
        )
        session: sessions_pb2.Session = (await self.ask(create_session=request)).session
        return session

    async def join(self, session_id: str, seat: int = -1, share: bytes = b"") -> int:
        request = play_pb2.JoinSessionRequest(session_id=session_id, seat=seat, share=share, request_id=request_id())
        response = await self.ask(join_session=request)
        number: int = response.grant.seat
        return number

    async def see(self, session_id: str, seat: int | None = None) -> sessions_pb2.Update:
        token = self.token(session_id, seat) if seat is not None else ""
        request = play_pb2.GetSessionRequest(session_id=session_id, seat_token=token)
        update: sessions_pb2.Update = (await self.ask(get_session=request)).update
        return update

    async def act_request(self, session_id: str, seat: int, pick: int = 0, **fields: Any) -> play_pb2.ActRequest:
        update = await self.see(session_id, seat)
        if "notation" not in fields and "action" not in fields:
            fields["action"] = update.actions[pick % len(update.actions)].action
        return play_pb2.ActRequest(
            session_id=session_id,
            seat_token=fields.pop("seat_token", self.token(session_id, seat)),
            expected_version=fields.pop("expected_version", update.version),
            request_id=fields.pop("request_id", request_id()),
            **fields,
        )

    async def act(self, session_id: str, seat: int, pick: int = 0, **fields: Any) -> play_pb2.ActResponse:
        """Play one of the legal actions."""
        response: play_pb2.ActResponse = await self.ask(act=await self.act_request(session_id, seat, pick, **fields))
        return response

    async def propose(self, session_id: str, seat: int, **what: Any) -> play_pb2.ProposeResponse:
        request = play_pb2.ProposeRequest(
            session_id=session_id,
            seat_token=self.token(session_id, seat),
            proposal=record_pb2.Proposal(**what),
            request_id=request_id(),
        )
        response: play_pb2.ProposeResponse = await self.ask(propose=request)
        return response

    async def reply(self, session_id: str, seat: int, number: int, accept: bool) -> play_pb2.AnswerProposalResponse:
        request = play_pb2.AnswerProposalRequest(
            session_id=session_id,
            seat_token=self.token(session_id, seat),
            proposal_id=number,
            accept=accept,
            request_id=request_id(),
        )
        response: play_pb2.AnswerProposalResponse = await self.ask(answer_proposal=request)
        return response

    async def wish_seat(self, session_id: str, seat: int, wished: int | None) -> play_pb2.WishSeatResponse:
        request = play_pb2.WishSeatRequest(
            session_id=session_id,
            seat_token=self.token(session_id, seat),
            wished=0 if wished is None else wished + 1,
            request_id=request_id(),
        )
        response: play_pb2.WishSeatResponse = await self.ask(wish_seat=request)
        return response

    async def begin(self, session_id: str, seat: int, **fields: Any) -> play_pb2.BeginGameResponse:
        """Say "begin"; the token is kept for the seat that it is good for then."""
        version = (await self.see(session_id)).version
        request = play_pb2.BeginGameRequest(
            session_id=session_id,
            seat_token=self.token(session_id, seat),
            expected_version=fields.pop("expected_version", version),
            request_id=fields.pop("request_id", request_id()),
        )
        response: play_pb2.BeginGameResponse = await self.ask(begin_game=request)
        await self.find_seats(session_id)
        return response

    async def find_seats(self, session_id: str) -> list[int]:
        """Learn for which seats the tokens of a session are good now, and return them."""
        tokens = [self.tokens.pop(key) for key in list(self.tokens) if key[0] == session_id]
        for token in tokens:
            request = play_pb2.GetSessionRequest(session_id=session_id, seat_token=token)
            own = (await self.ask(get_session=request)).update.own_seat
            self.tokens[session_id, own - 1] = token
        return sorted(seat for known, seat in self.tokens if known == session_id)

    async def undo(self, session_id: str, seat: int, to_plies: int) -> play_pb2.UndoResponse:
        update = await self.see(session_id, seat)
        request = play_pb2.UndoRequest(
            session_id=session_id,
            seat_token=self.token(session_id, seat),
            expected_version=update.version,
            to_plies=to_plies,
            request_id=request_id(),
        )
        response: play_pb2.UndoResponse = await self.ask(undo=request)
        return response

    async def resign(self, session_id: str, seat: int) -> play_pb2.ResignResponse:
        request = play_pb2.ResignRequest(session_id=session_id, seat_token=self.token(session_id, seat), request_id=request_id())
        response: play_pb2.ResignResponse = await self.ask(resign=request)
        return response

    async def set_seat(self, session_id: str, seat: int, who: str, by: int | None = None) -> play_pb2.SetSeatResponse:
        request = play_pb2.SetSeatRequest(
            session_id=session_id,
            seat_token="" if by is None else self.token(session_id, by),
            seat=seat,
            wish=wish(who),
            request_id=request_id(),
        )
        response: play_pb2.SetSeatResponse = await self.ask(set_seat=request)
        return response

    async def export(self, session_id: str) -> record_pb2.Record:
        response = await self.ask(export_session=play_pb2.ExportSessionRequest(session_id=session_id))
        record: record_pb2.Record = response.record
        return record


def wish(who: str, share: bytes = b"") -> play_pb2.SeatWish:
    match who:
        case "me":
            return play_pb2.SeatWish(me=True, share=share)
        case "open":
            return play_pb2.SeatWish(open=True)
        case level:
            return play_pb2.SeatWish(computer=record_pb2.Computer(level=level), share=share)


def einstein(update: sessions_pb2.Update) -> einstein_pb2.EinsteinPosition:
    view = einstein_pb2.EinsteinView()
    assert update.view.Unpack(view)
    return view.position
