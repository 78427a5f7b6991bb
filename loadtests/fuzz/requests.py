"""Requests: sensible ones, which keep games going, and what is made of them."""

import random
from collections.abc import Callable
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from loadtests.fuzz.material import Material, Person
from loadtests.fuzz.mutations import Mutator
from loadtests.fuzz.seats import OVER, Seats
from loadtests.fuzz.slow_games import SlowGames

SENSIBLE, MUTATED = 0.35, 0.75
"""Up to the first number of all requests are sensible, up to the second changed, the rest made from the contract alone."""
_STATES = sessions_pb2.Session
_SHORT_TO_SAY = {"resign": 0.3, "leave_session": 0.4, "close_session": 0.5, "get_hint": 0.1, "rematch": 1.0}


class Requests:
    """Makes the requests of all players."""

    def __init__(self, rng: random.Random, material: Material) -> None:
        """Take the random numbers that decide everything, and what the players have."""
        self._rng = rng
        self._material = material
        self._seats = Seats(rng, material)
        self.mutator = Mutator(rng)
        self._sensible: dict[str, Callable[[Person], Message | None]] = {
            "create_session": self._create,
            "get_session": self._get,
            "join_session": self._join,
            "act": self._act,
            "undo": self._undo,
            "resign": lambda person: self._seats.held(person, play_pb2.ResignRequest),
            "leave_session": lambda person: self._seats.held(person, play_pb2.LeaveSessionRequest),
            "begin_game": self._begin,
            "wish_seat": self._wish,
            **SlowGames(rng, material, self._seats).sensible,
            "propose": self._propose,
            "answer_proposal": self._reply,
            "set_seat": self._set_seat,
            "close_session": lambda person: self._seats.held(person, play_pb2.CloseSessionRequest),
            "rematch": lambda person: self._seats.held(person, play_pb2.RematchRequest, over=True),
            "export_session": lambda person: self._seats.held(person, play_pb2.ExportSessionRequest, over=None),
            "import_session": self._import,
            "fork_session": self._fork,
            "verify_session": lambda person: self._seats.held(person, play_pb2.VerifySessionRequest, over=True),
            "check_record": lambda _person: play_pb2.CheckRecordRequest(record=self._record()),
            "read_text": self._read_text,
            "check_start": self._check_start,
            "describe_view": self._describe,
            "list_updates": self._list_updates,
            "list_actions": lambda person: self._seats.held(person, play_pb2.ListActionsRequest),
            "read_notation": self._read,
            "get_hint": self._hint,
            "list_sessions": lambda _person: play_pb2.ListSessionsRequest(),
        }
        weights = {"act": 12.0, "get_session": 8.0, "join_session": 3.0, "create_session": 3.0, "propose": 3.0, **_SHORT_TO_SAY}
        self._weights = [weights.get(name, 1.5) for name in self._sensible]

    def next(self, person: Person) -> Message:
        """Return a request of a player."""
        self._share_out()
        draw = self._rng.random()
        if draw >= MUTATED:
            fields = play_pb2.Call.DESCRIPTOR.oneofs_by_name["request"].fields
            return self._identified(self.mutator.generate(self._rng.choice(fields).message_type))
        request = None
        while request is None:
            request = self._sensible[self._rng.choices(list(self._sensible), self._weights)[0]](person)
        request = self._identified(request)
        if draw < SENSIBLE:
            return request
        return self.mutator.mutant(request, self._rng.choice((1, 1, 1, 2, 3)))

    def _share_out(self) -> None:
        material = self._material
        self.mutator.any_values = [*material.any_values, *(position for _, position in material.positions)]
        self.mutator.texts = [*material.texts, *material.request_ids]
        self.mutator.named = material.named
        self.mutator.messages = list(material.records)

    def _identified(self, request: Message) -> Message:
        """Give a write an id: mostly a new one, now and then one that was used."""
        if "request_id" in request.DESCRIPTOR.fields_by_name:
            used = self._material.request_ids
            writing: Any = request
            writing.request_id = self._rng.choice(used) if used and self._rng.random() < 0.02 else self._rng.randbytes(8).hex()
        return request

    def _wishes(self, count: int, game: str) -> list[play_pb2.SeatWish]:
        levels = [level.id for level in self._material.games[game].levels]
        wishes = [play_pb2.SeatWish(me=True)]
        for _ in range(count - 1):
            draw = self._rng.random()
            if draw < 0.45:
                wishes.append(play_pb2.SeatWish(open=True))
            elif draw < 0.8:
                wishes.append(play_pb2.SeatWish(me=True))
            else:
                wishes.append(play_pb2.SeatWish(computer=record_pb2.Computer(level=levels[0])))
        self._rng.shuffle(wishes)
        return wishes

    def _create(self, _person: Person) -> Message:
        rng, games = self._rng, self._material.games
        game = rng.choice(sorted(games))
        count = rng.randint(games[game].min_seats, len(games[game].seats))
        request = play_pb2.CreateSessionRequest(
            game=game, seats=self._wishes(count, game), public=rng.random() < 0.5, settles=rng.random() < 0.3, title="Fuzz"
        )
        request.competitive = rng.random() < 0.1
        request.arbiter = rng.random() < 0.3 and not any(wish.me for wish in request.seats)
        if rng.random() < 0.3:
            request.clock.kind = rng.choice((1, 2))  # type: ignore[assignment]
            request.clock.time_ms = rng.choice((5_000, 600_000, 172_800_000))
        presets = self._material.presets[game]
        if presets and rng.random() < 0.4:
            preset = rng.choice(presets)
            if preset.HasField("options"):
                request.options.CopyFrom(preset.options)
            if preset.HasField("start_position"):
                request.start_position.CopyFrom(preset.start_position)
            return request
        options = [value for value in self._material.any_values if value.type_url.lower().endswith(f"{game}options")]
        if options and rng.random() < 0.4:
            request.options.CopyFrom(rng.choice(options))
        starts = [position for known, position in self._material.positions if known == game]
        if starts and rng.random() < 0.3:
            request.start_position.CopyFrom(rng.choice(starts))
        return request

    def _get(self, person: Person) -> Message | None:
        return self._seats.held(person, play_pb2.GetSessionRequest, over=None)

    def _join(self, _person: Person) -> Message | None:
        waiting = [
            table.session.id
            for table in self._material.tables.values()
            if any(not seat.HasField("occupant") for seat in table.session.seats) and table.session.state not in OVER
        ]
        if not waiting:
            return None
        seed_contribution = self._rng.choice((b"", b"share"))
        return play_pb2.JoinSessionRequest(session_id=self._rng.choice(waiting), seat=-1, seed_contribution=seed_contribution)

    def _act(self, person: Person) -> Message | None:
        ready = [
            (table, token, table.updates[seat])
            for table in self._material.tables.values()
            for seat, (token, holder) in table.tokens.items()
            if holder is person and seat in table.updates and table.updates[seat].actions
        ]
        if not ready:
            return None
        table, token, update = self._rng.choice(ready)
        choice = self._rng.choice(update.actions)
        request = play_pb2.ActRequest(session_id=table.session.id, seat_token=token, expected_version=update.version)
        if self._rng.random() < 0.2:
            request.notation = choice.notation
        else:
            request.action.CopyFrom(choice.action)
        return request

    def _undo(self, person: Person) -> Message | None:
        held = self._seats.table(person)
        if held is None:
            return None
        table, _, token = held
        plies = max(0, table.session.plies - self._rng.choice((1, 1, 2, 5)))
        version = table.session.version
        return play_pb2.UndoRequest(session_id=table.session.id, seat_token=token, expected_version=version, to_plies=plies)

    def _begin(self, person: Person) -> Message | None:
        held = self._seats.table(person)
        if held is None or held[0].session.state != _STATES.STATE_SETTLING:
            return None
        session = held[0].session
        return play_pb2.BeginGameRequest(session_id=session.id, seat_token=held[2], expected_version=session.version)

    def _wish(self, person: Person) -> Message | None:
        request: Any = self._seats.held(person, play_pb2.WishSeatRequest)
        if request is not None:
            request.wished_seat = self._rng.randrange(2)
        return request  # type: ignore[no-any-return]

    def _propose(self, person: Person) -> Message | None:
        held = self._seats.table(person)
        if held is None:
            return None
        table, _, token = held
        request = play_pb2.ProposeRequest(session_id=table.session.id, seat_token=token)
        proposal = request.proposal
        match self._rng.randrange(7):
            case 0:
                proposal.draw = True
            case 1:
                proposal.undo_to_plies = max(0, table.session.plies - self._rng.randrange(4))
            case 2:
                proposal.options.CopyFrom(table.session.options)
            case 3:
                proposal.load.CopyFrom(self._record() or record_pb2.Record())
            case 4:
                proposal.pause = self._rng.random() < 0.5
            case 5:
                proposal.help = self._rng.random() < 0.7
            case _:
                proposal.setup.SetInParent()
                same = [position for game, position in self._material.positions if game == table.session.game]
                if same:
                    proposal.setup.start_position.CopyFrom(self._rng.choice(same))
        return request

    def _reply(self, person: Person) -> Message | None:
        open_ones = [
            (table, token, proposal.id)
            for table in self._material.tables.values()
            for proposal in table.session.proposals
            for token, holder in table.tokens.values()
            if holder is person
        ]
        if not open_ones:
            return None
        table, token, number = self._rng.choice(open_ones)
        accept = self._rng.random() < 0.7
        return play_pb2.AnswerProposalRequest(session_id=table.session.id, seat_token=token, proposal_id=number, accept=accept)

    def _set_seat(self, person: Person) -> Message | None:
        held = self._seats.table(person)
        if held is None:
            return None
        table, seat, token = held
        wish = self._rng.choice(self._wishes(3, table.session.game))
        number = seat if self._rng.random() < 0.6 else self._rng.randrange(len(table.session.seats))
        return play_pb2.SetSeatRequest(session_id=table.session.id, seat_token=token, seat=number, wish=wish)

    def _record(self) -> record_pb2.Record | None:
        """Return a record that a player has, half of the time without its seal: with it every change is found at once."""
        if not self._material.records:
            return None
        record = record_pb2.Record()
        record.CopyFrom(self._rng.choice(self._material.records))
        if record.entries and self._rng.random() < 0.5:
            record.ClearField("sealed")
            record.ClearField("position_hash")
        if record.entries and self._rng.random() < 0.3:
            entry = self._rng.choice(record.entries)
            entry.CopyFrom(self.mutator.mutant(entry))
        return record

    def _import(self, _person: Person) -> Message | None:
        record = self._record()
        if record is None:
            return None
        request = play_pb2.ImportSessionRequest(record=record)
        if record.entries and self._rng.random() < 0.5 and record.game in self._material.games:
            request.seats.extend(self._wishes(min(6, max(1, record.entries[0].created.seats)), record.game))
        return request

    def _fork(self, person: Person) -> Message | None:
        held = self._seats.table(person, over=None)
        if held is None:
            return None
        session = held[0].session
        request = play_pb2.ForkSessionRequest(session_id=session.id, at_version=self._rng.randint(1, max(1, session.version)))
        if self._rng.random() < 0.5:
            request.seats.extend(self._wishes(len(session.seats), session.game))
        return request

    def _read_text(self, _person: Person) -> Message | None:
        lines = self._rng.choices(self._material.texts, k=self._rng.randint(1, 8)) if self._material.texts else []
        game = self._rng.choice(("", "wec", "einstein"))
        return play_pb2.ReadTextRequest(game=game, text="\n".join(lines))

    def _check_start(self, _person: Person) -> Message | None:
        if self._material.positions and self._rng.random() < 0.8:
            game, position = self._rng.choice(self._material.positions)
            seats = self._material.games[game].min_seats
            return play_pb2.CheckStartRequest(game=game, seats=seats, start_position=position)
        game = self._rng.choice(sorted(self._material.games))
        return play_pb2.CheckStartRequest(game=game, seats=self._material.games[game].min_seats)

    def _describe(self, _person: Person) -> Message | None:
        views = [value for value in self._material.any_values if value.type_url.endswith("View")]
        return self._of_view(self._rng.choice(views)) if views else None

    def _of_view(self, view: AnyMessage) -> Message:
        name = view.type_url.rpartition(".")[2].removesuffix("View").lower()
        events = [value for value in self._material.any_values if value.type_url.lower().endswith(f"{name}event")]
        chosen = self._rng.sample(events, min(len(events), self._rng.randrange(3)))
        return play_pb2.DescribeViewRequest(game=name, view=view, lists_reaches=self._rng.random() < 0.5, events=chosen)

    def _list_updates(self, person: Person) -> Message | None:
        request: Any = self._seats.held(person, play_pb2.ListUpdatesRequest, over=None)
        if request is not None:
            request.from_version = self._rng.randrange(20)
        return request  # type: ignore[no-any-return]

    def _read(self, person: Person) -> Message | None:
        request: Any = self._seats.held(person, play_pb2.ReadNotationRequest)
        if request is not None and self._material.texts:
            request.notation = self._rng.choice(self._material.texts)[:200]
        return request  # type: ignore[no-any-return]

    def _hint(self, person: Person) -> Message | None:
        request: Any = self._seats.held(person, play_pb2.GetHintRequest)
        if request is not None and "level" in request.DESCRIPTOR.fields_by_name:
            request.level = "easy"
        return request  # type: ignore[no-any-return]
