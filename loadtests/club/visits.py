"""A visit of a member: they read their news, sit down where a seat is kept, play their turns, and answer what is asked."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import grpc

from brettwerk.v1 import news_pb2, play_pb2, rest_hours_pb2, sessions_pb2, substitutes_pb2
from loadtests.club.clock import Clock
from loadtests.club.judge import HOUR_MS, Item
from loadtests.club.people import Person
from loadtests.club.server import Server

OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
RUNNING = sessions_pb2.Session.STATE_RUNNING
_ACTIONS = 80
"""After so many actions in one turn somebody resigns."""
_LAST_TURN = {"einstein": 4, "emperado": 5}
"""In which turn somebody resigns: games are long."""
_NUDGED_MS = 30 * HOUR_MS
_RACES = (
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.ABORTED,
)
"""Refusals that somebody meets whose table has changed since they looked."""


class Visits:
    """The visits, and what they come to."""

    def __init__(self, server: Server, clock: Clock, dice: random.Random) -> None:
        self._server, self._clock, self._dice = server, clock, dice
        self.actions = 0
        self.visits = 0
        self.nudges = 0
        self.substituted = 0
        self.refusals: dict[str, int] = {}

    async def visit(self, person: Person) -> None:
        """Let somebody look at their games, and plan their next visit."""
        self.visits += 1
        offered = await self.read_feed(person)
        listing = play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE, unfinished=True, page_size=100)
        found = await self._server.ask(person, "ListSessions", listing)
        there = set()
        for session, turn in zip(found.sessions, found.turns, strict=True):
            there.add(session.id)
            try:
                await self._see_to(person, session, turn)
            except grpc.aio.AioRpcError as error:
                if error.code() not in _RACES:
                    raise
                reason = (error.details() or "")[:60]
                self.refusals[reason] = self.refusals.get(reason, 0) + 1
        for session_id in [one for one in person.tokens if one not in there]:
            del person.tokens[session_id]
            if session_id not in person.left:
                person.ended.add(session_id)
        if offered and person.wants_seats:
            await self._ask_for_a_seat(person)
        person.plan(self._clock.now_ms(), self._dice)

    async def read_feed(self, person: Person) -> bool:
        """Read the news since the last visit; return whether a seat is offered."""
        is_offered = False
        while True:
            try:
                async for message in self._server.stream(
                    person, "WatchPlayer", news_pb2.WatchPlayerRequest(after_version=person.head)
                ):
                    kind = message.WhichOneof("kind")
                    news = message.resync.news if kind == "resync" else [message.news] if kind == "news" else []
                    for one in news:
                        item = _item(one)
                        is_offered |= item.kind == "seat_offered" and one.version > person.head
                        person.feed[one.version] = item
                    if kind == "heartbeat":
                        break
                person.head = max(person.feed, default=0)
                return is_offered
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.3)

    async def _see_to(self, person: Person, session: sessions_pb2.Session, turn: sessions_pb2.TurnState) -> None:
        own = turn.own
        token, is_mine = person.tokens.get(session.id), bool({*turn.to_act} & {*own.held})
        if token is None and (own.kept or own.held):
            seat = own.kept[0] if own.kept else own.held[0]
            token, is_mine = await self.sit_down(person, session.id, seat), True  # perhaps the game begins with them
        if token is None:
            return
        waiting = [number for number, seat in enumerate(session.seats) if {*seat.offer.waiting} & {*own.held}]
        for seat in waiting:
            answer = substitutes_pb2.AnswerSubstituteRequest(session_id=session.id, seat_token=token, seat=seat, accept=True)
            await self._server.ask(person, "AnswerSubstitute", answer)
            person.seen[session.id].append(self._clock.now_ms())
        if is_mine:
            await self._play(person, session, token)
        now_ms = self._clock.now_ms()
        if not is_mine and session.state == RUNNING and 0 < turn.at_ms < now_ms - _NUDGED_MS and self._dice.random() < 0.2:
            nudge = play_pb2.NudgeRequest(session_id=session.id, seat_token=token)
            await self._server.ask(person, "Nudge", nudge)
            self.nudges += 1
        if (days := person.leaves_soon(now_ms)) and person.number % 2:
            away = play_pb2.TakeVacationRequest(session_id=session.id, seat_token=token, days=days)
            await self._server.ask(person, "TakeVacation", away)
            person.seen[session.id].append(self._clock.now_ms())

    async def sit_down(self, person: Person, session_id: str, seat: int) -> str:
        """Take a seat; return its token."""
        joined = await self._server.ask(person, "JoinSession", play_pb2.JoinSessionRequest(session_id=session_id, seat=seat))
        token: str = joined.grant.seat_token
        person.tokens[session_id] = token
        person.seen[session_id].append(self._clock.now_ms())
        if person.has_rest_hours:
            hours = rest_hours_pb2.RestHours(time_zone=person.zone, night_from=22 * 60, night_until=7 * 60)
            request = rest_hours_pb2.SetRestHoursRequest(session_id=session_id, seat_token=token, hours=hours)
            try:
                await self._server.ask(person, "SetRestHours", request)
            except grpc.aio.AioRpcError as error:
                if error.code() not in _RACES:
                    raise
        return token

    async def _play(self, person: Person, session: sessions_pb2.Session, token: str) -> None:
        """Play until it is somebody else's turn."""
        seeing = play_pb2.GetSessionRequest(session_id=session.id, seat_token=token)
        had_turn = False
        for number in range(_ACTIONS):
            update = (await self._server.ask(person, "GetSession", seeing)).update
            if not update.actions:
                break
            if not had_turn:
                had_turn = True
                person.acted.append((session.id, person.last_act[session.id], self._clock.now_ms()))
                person.turns[session.id] += 1
            if person.turns[session.id] > _LAST_TURN.get(session.game, 4) or number == _ACTIONS - 1:
                await self.resign(person, session.id, token)
                break
            action = self._chosen(session.game, update)
            request = play_pb2.ActRequest(
                session_id=session.id, seat_token=token, expected_version=update.version, action=action.action
            )
            await self._server.ask(person, "Act", request)
            self.actions += 1
        if had_turn:
            person.last_act[session.id] = self._clock.now_ms()
            person.seen[session.id].append(self._clock.now_ms())

    def _chosen(self, game: str, update: sessions_pb2.Update) -> Any:
        """Return an action: by lot, and in EMPERADO rather the last ones, which end what somebody is at."""
        if game == "emperado" and self._dice.random() < 0.7:
            return update.actions[-1]
        return self._dice.choice(update.actions)

    async def resign(self, person: Person, session_id: str, token: str) -> None:
        """Give a game up."""
        await self._server.ask(person, "Resign", play_pb2.ResignRequest(session_id=session_id, seat_token=token))
        self.actions += 1

    async def _ask_for_a_seat(self, person: Person) -> None:
        found = await self._server.ask(person, "ListOpenSeats", substitutes_pb2.ListOpenSeatsRequest(game="emperado"))
        for session in found.sessions:
            for seat, one in enumerate(session.seats):
                if not one.HasField("offer") or one.offer.HasField("asker") or session.id in person.asked:
                    continue
                person.asked.add(session.id)
                asking = substitutes_pb2.AskForSeatRequest(session_id=session.id, seat=seat)
                try:
                    await self._server.ask(person, "AskForSeat", asking)
                    self.substituted += 1
                except grpc.aio.AioRpcError as error:
                    if error.code() not in _RACES:
                        raise
                return

    async def evening(self, first: Person, second: Person) -> None:
        """Let two people play a game of EinStein to its end, both of them there."""
        seats = [play_pb2.SeatWish(me=True), play_pb2.SeatWish(open=True)]
        made = await self._server.ask(first, "CreateSession", play_pb2.CreateSessionRequest(game="einstein", seats=seats))
        session_id = made.session.id
        joined = await self._server.ask(second, "JoinSession", play_pb2.JoinSessionRequest(session_id=session_id, seat=-1))
        held = {made.grants[0].seat: (first, made.grants[0].seat_token), joined.grant.seat: (second, joined.grant.seat_token)}
        watches = [
            asyncio.ensure_future(_last(self._server.stream(person, "Watch", _watch(session_id, token))))
            for person, token in held.values()
        ]
        for _ in range(_ACTIONS):
            update = (await self._server.ask(None, "GetSession", play_pb2.GetSessionRequest(session_id=session_id))).update
            if update.session.state in OVER:
                break
            if not update.to_act:
                await asyncio.sleep(0.01)
                continue
            person, token = held[update.to_act[0]]
            own = play_pb2.GetSessionRequest(session_id=session_id, seat_token=token)
            update = (await self._server.ask(person, "GetSession", own)).update
            action = self._dice.choice(update.actions).action
            request = play_pb2.ActRequest(session_id=session_id, seat_token=token, expected_version=update.version, action=action)
            await self._server.ask(person, "Act", request)
            self.actions += 1
        for person, _ in held.values():
            person.seen[session_id].append(self._clock.now_ms())
        for watch in watches:
            watch.cancel()
        await asyncio.gather(*watches, return_exceptions=True)


def _watch(session_id: str, token: str) -> play_pb2.WatchRequest:
    return play_pb2.WatchRequest(session_id=session_id, seat_token=token)


async def _last(messages: AsyncIterator[Any]) -> Any:
    """Return the last message of a watch, once it ends."""
    last = None
    async for message in messages:
        last = message
    return last


def _item(news: news_pb2.News) -> Item:
    kind = news_pb2.News.Kind.Name(news.kind).removeprefix("KIND_").lower()
    subject = news.session_id or news.challenge_id or news.tournament_id or "account"
    return Item(
        news.version, kind, subject, news.at_ms, news.until_ms if kind in ("your_turn", "nudged", "substitute_asked") else 0
    )
