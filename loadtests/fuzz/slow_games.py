"""Requests that mean something in slow games: vacations, rest hours, reminders, claims, conditional moves, orders, looking ahead.

Also of substitutes and arbiters.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import arbiters_pb2, orders_pb2, play_pb2, record_pb2, rest_hours_pb2, substitutes_pb2
from brettwerk.v1 import conditional_moves_pb2 as pb
from loadtests.fuzz.material import Material, Person, Table
from loadtests.fuzz.seats import Seats


class SlowGames:
    """Makes them."""

    def __init__(self, rng: random.Random, material: Material, seats: Seats) -> None:
        """Take the random numbers that decide everything, what the players have, and their seats."""
        self._rng = rng
        self._material = material
        self._seats = seats
        self.sensible: Mapping[str, Callable[[Person], Message | None]] = {
            "take_vacation": self._vacation,
            "nudge": lambda person: seats.held(person, play_pb2.NudgeRequest),
            "claim_time": lambda person: seats.held(person, play_pb2.ClaimTimeRequest),
            "list_open_seats": lambda _person: substitutes_pb2.ListOpenSeatsRequest(),
            "ask_for_seat": self._ask_for_seat,
            "answer_substitute": self._answer_substitute,
            "rule_as_arbiter": self._rule,
            "set_rest_hours": self._rest,
            "get_rest_hours": lambda person: seats.held(person, rest_hours_pb2.GetRestHoursRequest),
            "set_conditional_moves": self._set,
            "get_conditional_moves": lambda person: seats.held(person, pb.GetConditionalMovesRequest),
            "look_ahead": self._look_ahead,
            "set_orders": self._order,
            "get_orders": lambda person: seats.held(person, orders_pb2.GetOrdersRequest),
        }

    def _vacation(self, person: Person) -> Message | None:
        request: Any = self._seats.held(person, play_pb2.TakeVacationRequest)
        if request is not None:
            request.days = self._rng.randrange(4)
        return request  # type: ignore[no-any-return]

    def _ask_for_seat(self, _person: Person) -> Message | None:
        tables = [
            table for table in self._material.tables.values() if any(seat.HasField("offer") for seat in table.session.seats)
        ]
        table = self._rng.choice(tables or list(self._material.tables.values()) or [None])
        if table is None:
            return None
        withdraw, seat = self._rng.random() < 0.2, self._rng.randrange(max(1, len(table.session.seats)))
        return substitutes_pb2.AskForSeatRequest(session_id=table.session.id, seat=seat, withdraw=withdraw)

    def _answer_substitute(self, person: Person) -> Message | None:
        request: Any = self._seats.held(person, substitutes_pb2.AnswerSubstituteRequest)
        if request is not None:
            request.seat = self._rng.randrange(3)
            request.accept = self._rng.random() < 0.7
        return request  # type: ignore[no-any-return]

    def _rule(self, _person: Person) -> Message | None:
        rng, tables = self._rng, [table for table in self._material.tables.values() if table.session.arbiters]
        if not tables:
            return None
        seat = rng.randrange(3)
        ruling = rng.choice(
            (
                record_pb2.Ruling(pause=rng.random() < 0.5),
                record_pb2.Ruling(given_time=record_pb2.GivenTime(seat=seat, time_ms=rng.choice((1_000, 60_000)))),
                record_pb2.Ruling(forfeited_seat=seat),
                record_pb2.Ruling(draw=True),
            )
        )
        ruling.reason = "Fuzz"
        return arbiters_pb2.RuleAsArbiterRequest(session_id=rng.choice(tables).session.id, ruling=ruling)

    def _rest(self, person: Person) -> Message | None:
        request: Any = self._seats.held(person, rest_hours_pb2.SetRestHoursRequest)
        if request is not None:
            request.hours.time_zone = self._rng.choice(("Europe/Berlin", "Pacific/Auckland", "Nowhere"))
            request.hours.night_until = self._rng.randrange(1440)
            request.hours.weekends = self._rng.random() < 0.5
        return request  # type: ignore[no-any-return]

    def _set(self, person: Person) -> Message | None:
        held = self._seats.table(person)
        if held is None:
            return None
        table, seat, token = held
        other = (1 + seat) % max(1, len(table.session.seats))
        return pb.SetConditionalMovesRequest(
            session_id=table.session.id,
            seat_token=token,
            expected_version=table.session.version,
            lines=[pb.ConditionalLine(moves=self._moves(table, other, seat))] * self._rng.randrange(3),
        )

    def _order(self, person: Person) -> Message | None:
        request: Any = self._seats.held(person, orders_pb2.SetOrdersRequest)
        if request is None:
            return None
        for _ in range(self._rng.randrange(4)):
            order = request.orders.add(id=self._rng.choice((0, 0, 1, 2)), max_turns=self._rng.randrange(5))
            if self._rng.random() < 0.5:
                order.planned.actions.add(notation=self._rng.choice(("end", "Fertig", "?")))
            else:
                order.of_game.kind = self._rng.choice(("end_turn", "place", "pick", "march", "fire"))
                order.of_game.values.add(key=self._rng.choice(("countries", "source", "near")), numbers=[self._rng.randrange(70)])
        return request  # type: ignore[no-any-return]

    def _look_ahead(self, person: Person) -> Message | None:
        held = self._seats.table(person)
        if held is None:
            return None
        table, seat, token = held
        acting = [number for number, update in table.updates.items() if update.actions]
        return pb.LookAheadRequest(
            session_id=table.session.id,
            seat_token=token if self._rng.random() < 0.7 else "",
            expected_version=table.session.version,
            moves=self._moves(table, *(acting or [seat])[: self._rng.randrange(3)]),
            page_size=self._rng.choice((0, 0, 7, 1000)),
        )

    def _moves(self, table: Table, *seats: int) -> list[pb.ConditionalMove]:
        """Return an action for each of some seats; what is known of those that are to act is legal for the first of them."""
        known = [choice.action for update in table.updates.values() for choice in update.actions] or [AnyMessage()]
        return [pb.ConditionalMove(seat=max(0, seat), action=self._rng.choice(known)) for seat in seats]
