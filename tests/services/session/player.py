"""A player of the tests: calls the session service as somebody, and remembers the tokens of seats."""

import itertools
from typing import TYPE_CHECKING, Any

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import conditional_moves_pb2, einstein_pb2, orders_pb2, play_pb2, record_pb2, sessions_pb2, talk_pb2

if TYPE_CHECKING:
    from tests.services.session.table import Table

_request_ids = itertools.count(1)


def request_id() -> str:
    return f"request-{next(_request_ids):08}"


class Player:
    """A person: what they ask, in short words. Seats' tokens are kept by session."""

    def __init__(self, table: "Table", name: str) -> None:
        self.table = table
        self.caller = session_pb2.Caller(player_id=f"p-{name.lower()}", name=name)
        self.tokens: dict[tuple[str, int], str] = {}
        self.wiring = 0
        """The process that is asked first; one that does not own the shard sends them on, as the gateway is sent on."""

    async def ask(self, **call: Any) -> Any:
        """Carry out one call and return its response."""
        name, request = next(iter(call.items()))
        answer = await self.table.carry_out(self.table.processes[self.wiring], play_pb2.Call(**{name: request}), self.caller)
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

    async def join(self, session_id: str, seat: int = -1, seed_contribution: bytes = b"") -> int:
        request = play_pb2.JoinSessionRequest(
            session_id=session_id, seat=seat, seed_contribution=seed_contribution, request_id=request_id()
        )
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
            wished_seat=wished,
            request_id=request_id(),
        )
        response: play_pb2.WishSeatResponse = await self.ask(wish_seat=request)
        return response

    async def take_vacation(self, session_id: str, seat: int, days: int) -> play_pb2.TakeVacationResponse:
        token = self.token(session_id, seat)
        request = play_pb2.TakeVacationRequest(session_id=session_id, seat_token=token, days=days, request_id=request_id())
        response: play_pb2.TakeVacationResponse = await self.ask(take_vacation=request)
        return response

    async def prepare(self, session_id: str, seat: int, *lines: conditional_moves_pb2.ConditionalLine, **fields: Any) -> Any:
        """Set the conditional moves of a seat at the position now."""
        request = conditional_moves_pb2.SetConditionalMovesRequest(
            session_id=session_id,
            seat_token=fields.pop("seat_token", "") or self.token(session_id, seat),
            expected_version=fields.pop("expected_version", (await self.see(session_id)).version),
            lines=lines,
        )
        return await self.ask(set_conditional_moves=request)

    async def prepared(self, session_id: str, seat: int) -> list[list[str]]:
        """Return what is left of the conditional moves of a seat, in notation."""
        response = await self.conditional_moves(session_id, seat)
        return [[move.notation for move in line.moves] for line in response.lines]

    async def conditional_moves(self, session_id: str, seat: int) -> conditional_moves_pb2.GetConditionalMovesResponse:
        request = conditional_moves_pb2.GetConditionalMovesRequest(session_id=session_id, seat_token=self.token(session_id, seat))
        response: conditional_moves_pb2.GetConditionalMovesResponse = await self.ask(get_conditional_moves=request)
        return response

    async def order(self, session_id: str, seat: int, *given: orders_pb2.Order, **fields: Any) -> orders_pb2.SetOrdersResponse:
        """Set the orders of a seat."""
        request = orders_pb2.SetOrdersRequest(
            session_id=session_id,
            seat_token=self.token(session_id, seat),
            request_id=fields.pop("request_id", "") or request_id(),
            orders=given,
        )
        response: orders_pb2.SetOrdersResponse = await self.ask(set_orders=request)
        return response

    async def orders(self, session_id: str, seat: int) -> orders_pb2.GetOrdersResponse:
        request = orders_pb2.GetOrdersRequest(session_id=session_id, seat_token=self.token(session_id, seat))
        response: orders_pb2.GetOrdersResponse = await self.ask(get_orders=request)
        return response

    async def look_ahead(
        self, session_id: str, *moves: conditional_moves_pb2.ConditionalMove, seat: int | None = None, **fields: Any
    ) -> conditional_moves_pb2.LookAheadResponse:
        """Return the position after some actions, as a seat or a watcher asks for it."""
        request = conditional_moves_pb2.LookAheadRequest(
            session_id=session_id,
            seat_token="" if seat is None else self.token(session_id, seat),
            expected_version=fields.pop("expected_version", (await self.see(session_id)).version),
            moves=moves,
            **fields,
        )
        response: conditional_moves_pb2.LookAheadResponse = await self.ask(look_ahead=request)
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

    async def say(self, session_id: str, text: str = "", seat: int | None = None, **fields: Any) -> talk_pb2.TalkLine:
        """Say something, from a seat or as somebody who watches."""
        request = talk_pb2.SayRequest(
            session_id=session_id,
            seat_token="" if seat is None else self.token(session_id, seat),
            text=text,
            request_id=fields.pop("request_id", request_id()),
            **fields,
        )
        line: talk_pb2.TalkLine = (await self.ask(say=request)).line
        return line

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


def wish(who: str, seed_contribution: bytes = b"") -> play_pb2.SeatWish:
    match who:
        case "me":
            return play_pb2.SeatWish(me=True, seed_contribution=seed_contribution)
        case "open":
            return play_pb2.SeatWish(open=True)
        case level:
            return play_pb2.SeatWish(computer=record_pb2.Computer(level=level), seed_contribution=seed_contribution)


def einstein(update: sessions_pb2.Update) -> einstein_pb2.EinsteinPosition:
    view = einstein_pb2.EinsteinView()
    assert update.view.Unpack(view)
    return view.position
