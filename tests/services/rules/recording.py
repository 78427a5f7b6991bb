"""Writes logs as the session service does, by random play: what VerifyRecord is given in tests."""

import hashlib
import random
from functools import partial
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.chance import commitment, step_seed
from brettwerk_games.rules.interface import AnyGame, Kind, Resign, Step, SystemAction
from services.rules.steps import outcome_message
from tests.brettwerk_games.rules.kit.options import presets
from tests.services.rules.asking import packed

SECRET = bytes(range(100, 132))
SESSION = "07abcdefghijklmnopqrstuv"
EINSTEIN = registry.games()["einstein"]
MAX_ACTIONS = 60
"""Plies that are played by lot."""


class Recording:
    """A session that is written down while it is played. `line` are the plies so far, the set-up first."""

    def __init__(
        self,
        game: AnyGame,
        *,
        seats: int = 0,
        seed_contributions: tuple[bytes, ...] = (),
        variation: tuple[record_pb2.Ply, ...] = (),
        secret: bytes = SECRET,
        session_id: str = SESSION,
        chance_of: str = "",
        competitive: bool = False,
        next_secret: bytes = b"",
        persons: int | None = None,
    ) -> None:
        self.game = game
        self.seats = seats or game.facts.min_seats
        self.secret = secret
        self.chance_of = chance_of or session_id
        self.seed_contributions = (*seed_contributions, *(b"",) * (self.seats - len(seed_contributions)))
        self.holds = game.facts.holds_seeds
        self.record = record_pb2.Record(format=1, session_id=session_id, game=game.facts.id, secret=secret)
        self.positions: list[Any] = []
        self.variation: list[record_pb2.Ply] = []
        self.reveals: list[bool] = []
        self.for_good: list[bool] = []
        """Of each ply whether it is an action that is never taken back."""
        self.options = presets(game, self.seats)
        self.add(
            created=record_pb2.Created(
                game=game.facts.id,
                rules_version=game.facts.rules_version,
                holds_seeds=game.facts.holds_seeds,
                options=packed(game, Kind.OPTIONS, self.options),
                seats=self.seats,
                commitment=commitment(secret),
                variation=variation,
                chance_of=chance_of,
                competitive=competitive,
                creator=record_pb2.Person(player_id="p0", name="Ada"),
                next_commitment=commitment(next_secret) if next_secret else b"",
            )
        )
        self.next_secret = next_secret
        for seat, seed_contribution in enumerate(self.seed_contributions[:persons]):
            person = record_pb2.Occupant(person=record_pb2.Person(player_id=f"p{seat}", name="Ada"))
            self.add(seat_changed=record_pb2.SeatChanged(seat=seat, occupant=person, seed_contribution=seed_contribution))

    def add(self, **change: Any) -> None:
        self.record.entries.append(record_pb2.Entry(version=len(self.record.entries) + 1, at_ms=1000, **change))

    @property
    def position(self) -> Any:
        return self.positions[-1]

    @property
    def plies(self) -> int:
        return len(self.positions) - 1

    def seed(self, ply: int) -> bytes:
        return step_seed(self.secret, self.chance_of, ply, self.seed_contributions)

    def next_ply(self, **fields: Any) -> record_pb2.Ply:
        """Return the next ply with its seed: where seeds are held, that of the first ply that can still be taken back."""
        held = self.holds
        last = max((number for number, is_last in enumerate(self.for_good) if is_last), default=0) if held else self.plies
        return record_pb2.Ply(seed=self.seed(last + 1), held=held, **fields)

    def before(self, ply: record_pb2.Ply) -> Any:
        """Return the position in which a ply is played."""
        return self.game.hold(self.position) if ply.held else self.position

    def start(self) -> "Recording":
        given = self.record.entries[0].created.variation
        if given:
            self.add(started=record_pb2.Started())
            self.follow(given)
        else:
            self.add(started=record_pb2.Started(seed=self.seed(0)))
            self.follow([record_pb2.Ply(seed=self.seed(0), rules_version=self.record.entries[0].created.rules_version)])
        return self

    def follow(self, variation: Any) -> None:
        self.positions, self.variation, self.reveals, self.for_good = [], [], [], []
        version = variation[0].rules_version
        begin = partial(self.game.new_by, version) if version in self.game.facts.also_plays else self.game.new
        self._take(begin(self.options, self.seats, None, variation[0].seed), variation[0])
        for ply in variation[1:]:
            action = self.game.codec.decode(Kind.ACTION, ply.action.value)
            self._take(self.game.apply(self.before(ply), ply.actor - 1, action, ply.seed), ply)

    def sit_down(self, seat: int, player: str, seed_contribution: bytes = b"") -> None:
        person = record_pb2.Occupant(person=record_pb2.Person(player_id=player, name="Ben"))
        self.add(seat_changed=record_pb2.SeatChanged(seat=seat, occupant=person, seed_contribution=seed_contribution))

    def renew(self, seat: int, player: str, seed_contribution: bytes = b"") -> None:
        """Let a stranger sit down, with chance renewed for it."""
        renewed = record_pb2.ChanceRenewed(
            commitment=commitment(self.next_secret), seat=seat, seed_contribution=seed_contribution
        )
        self.add(chance_renewed=renewed)
        self.sit_down(seat, player, seed_contribution)
        self.seed_contributions = (*self.seed_contributions[:seat], seed_contribution, *self.seed_contributions[seat + 1 :])
        self.secret, self.chance_of = self.next_secret, self.record.session_id
        self.record.next_secret = self.next_secret

    def _take(self, step: Step[Any, Any], ply: record_pb2.Ply) -> None:
        self.positions.append(step.position)
        self.variation.append(ply)
        self.reveals.append(step.reveals)
        self.for_good.append(bool(ply.actor) and ((step.reveals and not step.retractable) or step.final))

    def act(self, seat: int, action: Any, cause: int = 0) -> None:
        view = self.game.view(self.position, seat)
        ply = self.next_ply(actor=seat + 1, action=packed(self.game, Kind.ACTION, action), notation=self.game.write(view, action))
        self.add(acted=record_pb2.Acted(ply=ply, cause=cause))  # type: ignore[arg-type]
        self._take(self.game.apply(self.before(ply), seat, action, ply.seed), ply)

    def expire(self) -> None:
        seat = self.game.to_act(self.position)[0]
        self.act(seat, self.game.expire(self.game.view(self.position, seat)), record_pb2.Acted.CAUSE_TIME)

    def system_action(self, system_action: games_pb2.SystemAction, rules: SystemAction[Any]) -> None:
        ply = self.next_ply(system_action=system_action)
        self.add(acted=record_pb2.Acted(ply=ply))
        self._take(self.game.system_action(self.before(ply), rules, ply.seed), ply)

    def play(self, rng: random.Random, most: int = 1000) -> "Recording":
        for _ in range(most):
            waiting = self.game.to_act(self.position)
            if not waiting:
                break
            seat = rng.choice(waiting)
            self.act(seat, rng.choice(self.game.actions(self.game.view(self.position, seat))))
        return self

    def undo(self, remain: int) -> None:
        self.add(undone=record_pb2.Undone(plies=remain, seat=1))
        for kept in (self.positions, self.variation, self.reveals, self.for_good):
            del kept[remain + 1 :]

    def load(self, variation: list[record_pb2.Ply]) -> None:
        self.add(loaded=record_pb2.Loaded(variation=variation, options=packed(self.game, Kind.OPTIONS, self.options)))
        self.follow(variation)

    def done(self) -> record_pb2.Record:
        """Return a copy of the record as it would be exported now."""
        record = record_pb2.Record()
        record.CopyFrom(self.record)
        if self.positions:
            outcome = self.game.outcome(self.position)
            if outcome is not None:
                record.outcome.CopyFrom(outcome_message(outcome))
            record.position_hash = hashlib.sha256(self.game.codec.encode(Kind.POSITION, self.position)).digest()
        return record


def other_any(message: AnyMessage) -> AnyMessage:
    """Return the same value under a type of another game."""
    return AnyMessage(type_url="type.googleapis.com/brettwerk.v1.WecAction", value=message.value)


def played(game: AnyGame, seed: int = 1, **fields: Any) -> Recording:
    """Return a game played by lot; long ones are given up after a while."""
    recording = Recording(game, **fields).start().play(random.Random(seed), MAX_ACTIONS)
    if game.to_act(recording.position):
        recording.system_action(games_pb2.SystemAction(resign=1), Resign(1))
    return recording


def acted(record: record_pb2.Record, number: int = 2) -> record_pb2.Entry:
    """Return the entry of an action, counted from 0."""
    return [entry for entry in record.entries if entry.WhichOneof("change") == "acted"][number]
