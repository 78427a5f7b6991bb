"""Finished games for measurements: played by lot from beginning to end, as the archive keeps them.

A few records are played, and told again as games of other players under other ids: what is done with a finished game does not
depend on how good it was.
"""

import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, record_pb2, sessions_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options
from services.archive.entry import Kept, Player

MAX_PLIES = 20_000
SEED_BYTES = 32
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_PLAYED = 10
"""Different games that are told again and again."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played to its end, without those who sat there."""

    game: str
    seats: int
    plies: tuple[record_pb2.Ply, ...]
    outcome: games_pb2.Outcome


def play(game: AnyGame, seats: int, dice: random.Random, *, most: int = MAX_PLIES, until: float = math.inf) -> Played:
    """Return a game that was played by lot, to its end, so many plies or a time (`time.monotonic`)."""
    options = preset_options(game, seats)
    position = game.new(game.codec.decode(Kind.OPTIONS, options), seats, None, dice.randbytes(SEED_BYTES)).position
    plies: list[record_pb2.Ply] = []
    while (waiting := game.to_act(position)) and len(plies) < most and time.monotonic() < until:
        seat = dice.choice(waiting)
        view = game.view(position, seat)
        action = dice.choice(game.actions(view))
        ply = record_pb2.Ply(actor=seat + 1, seed=dice.randbytes(SEED_BYTES), notation=game.write(view, action))
        url = f"type.googleapis.com/{game.codec.type_name(Kind.ACTION)}"
        ply.action.CopyFrom(AnyMessage(type_url=url, value=game.codec.encode(Kind.ACTION, action)))
        plies.append(ply)
        position = game.apply(position, seat, action, ply.seed).position
    return Played(game.facts.id, seats, tuple(plies), _outcome(game, position, seats))


def _outcome(game: AnyGame, position: Any, seats: int) -> games_pb2.Outcome:
    ended = game.outcome(position)
    if ended is None:  # a game by lot may find no end: then it is drawn
        return games_pb2.Outcome(places=[1] * seats, scores=[1 / seats] * seats)
    outcome = games_pb2.Outcome(
        winners=ended.winners, places=ended.places, scores=ended.scores, rule=ended.rule, sides=ended.sides
    )
    outcome.reason.key = ended.reason.key
    return outcome


def games(
    game: str,
    seats: int,
    players: Sequence[str],
    wanted: int,
    *,
    first_at_ms: int,
    apart_ms: int = 60_000,
    seed: int = 1,
    with_player: str = "",
) -> Iterator[Kept]:
    """Yield so many competitive games between players by lot, one after another; `with_player` sits in all of them."""
    dice = random.Random(seed)
    played = [play(registry.games()[game], seats, dice) for _ in range(_PLAYED)]
    for number in range(wanted):
        sit = dice.sample(players, seats)
        if with_player:
            sit[dice.randrange(seats)] = with_player
        yield _kept(dice.choice(played), sit, f"{game}/{seed}/{number}", first_at_ms + number * apart_ms)


def _kept(played: Played, players: Sequence[str], seed: str, at_ms: int) -> Kept:
    chance = random.Random(seed)
    session_id = f"{chance.randrange(16):02x}{''.join(chance.choice(_ALPHABET) for _ in range(22))}"
    people = [record_pb2.Occupant(person=record_pb2.Person(player_id=one, name=one.title())) for one in players]
    record = record_pb2.Record(format=1, session_id=session_id, game=played.game, outcome=played.outcome)
    changes: list[dict[str, Any]] = [
        {"created": record_pb2.Created(game=played.game, seats=played.seats, competitive=True)},
        *({"seat_changed": record_pb2.SeatChanged(seat=seat, occupant=who)} for seat, who in enumerate(people)),
        {"started": record_pb2.Started(seed=bytes(SEED_BYTES))},
        *({"acted": record_pb2.Acted(ply=ply)} for ply in played.plies),
    ]
    for version, change in enumerate(changes, 1):
        record.entries.add(version=version, at_ms=at_ms, **change)
    session = sessions_pb2.Session(
        id=session_id,
        game=played.game,
        state=sessions_pb2.Session.STATE_FINISHED,
        seats=[sessions_pb2.Seat(occupant=who) for who in people],
        competitive=True,
        public=True,
        outcome=played.outcome,
        plies=len(played.plies),
    )
    return Kept(
        session_id=session_id,
        game=played.game,
        rules_version="1",
        public=True,
        title="",
        players=tuple(Player(one, (seat,)) for seat, one in enumerate(players)),
        winners=tuple(played.outcome.winners),
        places=tuple(played.outcome.places),
        scores=tuple(played.outcome.scores),
        finished_at_ms=at_ms,
        record=record.SerializeToString(),
        session=session.SerializeToString(),
    )
