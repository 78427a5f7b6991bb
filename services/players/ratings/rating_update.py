"""The effects of games on ratings, one game after another in order of their ends. Pure: states go in, events come out.

A player who took a seat over from somebody is left out, with that seat where nobody else began at it; so are computers without an
anchor. A substitute, who took one that was offered, is compared with everybody who began the game and stayed, by as much as they
played of it; it counts if it raises their rating, and nobody else is compared with them.
"""

import math
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field

from services.players.ratings.anchors import anchors
from services.players.ratings.glicko2 import PROVISIONAL, SCALE, Rating, Score, aged, rate
from services.players.ratings.pools import PERIOD_MS, Pool, periods, week_of
from services.players.ratings.seats import Contestant, scores
from services.players.ratings.trust import Meetings, of_newness, of_repetition

_FOR_EVER_MS = 2**53


@dataclass(frozen=True, slots=True)
class State:
    """A player's rating in a pool after the last game that counted."""

    rating: Rating = field(default_factory=Rating)
    games: int = 0
    at_ms: int = 0
    week: int = 0
    """Of that game (pools.py), what was gained in it, and how many games were."""
    week_gain: float = 0.0
    week_games: int = 0

    @property
    def established_until_ms(self) -> int:
        """When the rating gets provisional by time alone; 0 where it is already."""
        known = PROVISIONAL**2 - self.rating.deviation**2
        if known < 0:
            return 0
        return min(_FOR_EVER_MS, self.at_ms + math.floor(known / (SCALE * self.rating.volatility) ** 2 * PERIOD_MS))


_NEW = State()


@dataclass(frozen=True, slots=True)
class Sat:
    """Somebody who began a game at a seat, or a substitute."""

    player_id: str
    """Empty for a computer."""
    level: str
    place: int
    side: int
    abandoned: bool
    share: int = 0
    """Of a substitute: how many thousandths of the game they played; 0 for one who began it."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that counts, with those who began it and substitutes."""

    session_id: str
    finished_at_ms: int
    sat: tuple[Sat, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """The effect of a game on a player's rating."""

    session_id: str
    player_id: str
    finished_at_ms: int
    before: Rating
    after: State


def reckon(pool: Pool, states: MutableMapping[str, State], game: Game, meetings: Meetings) -> list[Event]:
    """Count a game: change the states and meetings of its players, and return what that did. `states` has all who have one."""
    events = _events(pool, states, game, meetings)
    for event in events:
        states[event.player_id] = event.after
    meetings.note((one.player_id for one in game.sat if one.player_id), game.finished_at_ms)
    return events


def _events(pool: Pool, states: Mapping[str, State], game: Game, meetings: Meetings) -> list[Event]:
    fixed = anchors(pool.game)
    known = [one for one in game.sat if not one.share and (one.player_id or (pool.kind, one.level) in fixed)]
    if len({one.player_id for one in known if one.player_id}) < sum(bool(one.player_id) for one in known):
        return []  # somebody sat there twice, and would have played against themselves
    contestants = []
    for one in known:
        if one.player_id:
            state = states.get(one.player_id, _NEW)
            before = aged(state.rating, _since(state, game))
        else:
            before = fixed[pool.kind, one.level]
        contestants.append(Contestant(before, one.place, one.side, one.abandoned))

    def trust(own: Sat, other: Sat) -> float:
        if not other.player_id:
            return 1.0
        games = [states.get(one.player_id, _NEW).games for one in (own, other)]
        met = meetings.count(own.player_id, other.player_id, game.finished_at_ms)
        return of_newness(*games) * of_repetition(met)

    events = []
    for seat, one in enumerate(known):
        if one.player_id and (got := scores(contestants, seat, [trust(one, other) for other in known])):
            events.append(_counted(states.get(one.player_id, _NEW), game, one.player_id, got))
    for one in game.sat:
        if one.share:
            stayed = [number for number, other in enumerate(known) if not other.abandoned and other.side != one.side]
            state = states.get(one.player_id, _NEW)
            own = Contestant(aged(state.rating, _since(state, game)), one.place, one.side)
            weights = [1.0, *(trust(one, known[number]) * one.share / 1000 for number in stayed)]
            got = scores([own, *(contestants[number] for number in stayed)], 0, weights)
            event = _counted(state, game, one.player_id, got) if got else None
            if event is not None and event.after.rating.rating > event.before.rating:
                events.append(event)
    return events


def _since(state: State, game: Game) -> float:
    return periods(state.at_ms, game.finished_at_ms) if state.games else 0.0


def _counted(state: State, game: Game, player_id: str, got: Sequence[Score]) -> Event:
    rating = rate(state.rating, got, _since(state, game))
    week = week_of(game.finished_at_ms)
    goes_on = state.games > 0 and state.week == week
    after = State(
        rating,
        state.games + 1,
        game.finished_at_ms,
        week,
        (state.week_gain if goes_on else 0.0) + (rating.rating - state.rating.rating),
        (state.week_games if goes_on else 0) + 1,
    )
    return Event(game.session_id, player_id, game.finished_at_ms, state.rating, after)
