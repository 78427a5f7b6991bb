"""Honest players and rating abusers in a simulated population: whom the measures of services/players/conduct find.

`python -m loadtests.simulated_conduct` prints the table of docs/conduct.md.

Honest players have a strength (normal, 300 points), and are paired with somebody near their rating, or with a friend of any
strength, whom one in seven plays in a third of their games. Who wins is drawn by the logistic curve of Glicko-2; ratings are
those of the players service. Lengths are lognormal with a median of 40 actions, shorter the further strengths are apart. Whether
a loser resigns, and how early, is a habit of each. In one game of twenty an honest player is upset, and plays the next four 250
points below their strength and resigns earlier.

Among them are pairs who trade wins, one-sided or in turns, in games of the shortest length that counts or in games as long as any
other; and strong players who throw fifteen games in the middle of the month, soon or after a game of usual length, and then play
as well as they can.
"""

import math
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from services.players.conduct.duels import Duel, Seat
from services.players.conduct.thrown_games import thrown_games
from services.players.conduct.traded_wins import traded_wins
from services.players.ratings.glicko2 import MEAN, SCALE
from services.players.ratings.pools import DAY_MS, Pool
from services.players.ratings.rating_update import Game, Sat, State, reckon
from services.players.ratings.trust import Meetings

POOL = Pool("einstein", "two")
ROUNDS, SPREAD, MEDIAN, WIDTH = 50, 300.0, 40.0, 0.45
FRIENDS, WITH_FRIEND = 1 / 7, 1 / 3
UPSET, UPSET_GAMES, UPSET_POINTS = 0.05, 4, 250.0
DRAWN = 0.03
TRADED, TURNS, THROWN = 12, 24, 15
LEAST = 5


@dataclass(slots=True)
class Person:
    """A simulated player."""

    player_id: str
    strength: float
    resigns: float
    """How often a lost game is given up, and how much of its length such a game has."""
    early: float
    friend: str = ""
    upset: int = 0
    """Games that they will play badly."""
    throws: int = 0
    """Games that they will lose on purpose."""
    is_patient: bool = False
    """Whether those are as long as others."""


@dataclass(slots=True)
class Population:
    """All players, and what they have played."""

    chance: random.Random
    people: dict[str, Person] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)
    meetings: Meetings = field(default_factory=Meetings)
    duels: list[Duel] = field(default_factory=list)
    now_ms: int = 0

    def add(self, player_id: str, strength: float) -> Person:
        """Add a player, and return them."""
        made = Person(player_id, strength, self.chance.uniform(0.2, 0.95), self.chance.uniform(0.7, 1.0))
        self.people[player_id] = made
        return made

    def play(self, one: Person, other: Person) -> None:
        """Let two play as well as they can, or throw a game."""
        shown = [each.strength - UPSET_POINTS * (each.upset > 0) for each in (one, other)]
        wins = self.chance.random() < 1 / (1 + math.exp((shown[1] - shown[0]) / SCALE))
        for each, is_other in ((one, False), (other, True)):
            if each.throws:
                each.throws -= 1
                plies = self.usual() if each.is_patient else self.soon()
                self.end(*((one, other) if is_other else (other, one)), plies, given_up=True)
                return
        winner, loser = (one, other) if wins else (other, one)
        gap = min(800.0, abs(shown[0] - shown[1]))
        length = self.usual() * (1 - gap / 2000)
        given_up = self.chance.random() < loser.resigns
        if given_up:
            length *= loser.early * (0.7 if loser.upset else 1.0)
        self.end(winner, loser, max(LEAST, round(length)), given_up=given_up, drawn=self.chance.random() < DRAWN)
        for each in (one, other):
            if each.upset:
                each.upset -= 1
            elif self.chance.random() < UPSET:
                each.upset = UPSET_GAMES

    def end(self, winner: Person, loser: Person, plies: int, *, given_up: bool = False, drawn: bool = False) -> None:
        """Count a game."""
        self.now_ms += 1000
        ids = winner.player_id, loser.player_id
        sat = tuple(Sat(player, "", 1 if drawn else 1 + seat, seat, abandoned=False) for seat, player in enumerate(ids))
        game = Game(f"s{len(self.duels):06}", self.now_ms, sat)
        events = {event.player_id: event for event in reckon(POOL, self.states, game, self.meetings)}
        first, second = (
            Seat(player, event.before.rating, event.after.rating.rating - event.before.rating)
            for player in ids
            for event in (events[player],)
        )
        self.duels.append(Duel(self.now_ms, game.session_id, POOL, plies, first, second, drawn, given_up and not drawn))

    def soon(self) -> int:
        """Return the length of a game that is given away."""
        return self.chance.randint(LEAST, 14)

    def usual(self) -> int:
        """Return the length of a game as any other."""
        return round(self.chance.lognormvariate(math.log(MEDIAN), WIDTH))

    def rating(self, player_id: str) -> float:
        """Return a player's rating."""
        state = self.states.get(player_id)
        return MEAN if state is None else state.rating.rating


@dataclass(frozen=True, slots=True)
class Found:
    """Shares, 0 to 1, of whom the measures list."""

    honest: float
    """Of honest players."""
    abusers: dict[str, float]
    """Of each kind."""


def simulate(honest: int = 2000, planted: int = 20, seed: int = 1) -> Found:
    """Return whom the measures list among so many honest players and so many (pairs of) abusers of each kind."""
    chance = random.Random(seed)
    crowd = Population(chance)
    people = [crowd.add(f"honest{number}", chance.gauss(MEAN, SPREAD)) for number in range(honest)]
    for one, other in zip(people[::2], people[1::2], strict=False):
        if chance.random() < FRIENDS:
            one.friend, other.friend = other.player_id, one.player_id
    kinds: dict[str, Callable[[Population, Person, Person, int], None]] = {
        "one-sided, soon given up": _feed,
        "in turns, soon given up": _trade_soon,
        "in turns, of usual length": _trade_long,
        "one-sided, of usual length": _feed_long,
    }
    pairs: list[tuple[str, Person, Person]] = []
    for kind in kinds:
        for number in range(planted):
            one, other = (crowd.add(f"{kind}/{number}/{end}", chance.gauss(MEAN, SPREAD)) for end in "ab")
            pairs.append((kind, one, other))
    throwers = [crowd.add(f"throws games/{number}", MEAN + chance.uniform(250, 600)) for number in range(2 * planted)]
    for one in throwers[planted:]:
        one.is_patient = True
    for number in range(ROUNDS):
        crowd.now_ms = number * 30 * DAY_MS // ROUNDS
        if number == ROUNDS // 2:
            for one in throwers:
                one.throws = THROWN
        for one, other in _paired(crowd):
            crowd.play(one, other)
        for kind, one, other in pairs:
            kinds[kind](crowd, one, other, number)
    listed = {player for pair in traded_wins(crowd.duels) for player in pair.players}
    listed.update(one.player_id for one in thrown_games(crowd.duels))
    found = {kind: sum(one.player_id in listed for each, one, _ in pairs if each == kind) / planted for kind in kinds}
    found["throws games soon"] = sum(one.player_id in listed for one in throwers[:planted]) / planted
    found["throws games of usual length"] = sum(one.player_id in listed for one in throwers[planted:]) / planted
    return Found(sum(one.player_id in listed for one in people) / honest, found)


def _paired(crowd: Population) -> Iterator[tuple[Person, Person]]:
    met: set[str] = set()
    for one in crowd.people.values():
        if one.friend and one.player_id not in met and crowd.chance.random() < WITH_FRIEND:
            met.update((one.player_id, one.friend))
            yield one, crowd.people[one.friend]
    rest = [one for one in crowd.people.values() if one.player_id not in met]
    rest.sort(key=lambda one: crowd.rating(one.player_id) + crowd.chance.gauss(0, 60))
    yield from zip(rest[::2], rest[1::2], strict=False)


def _feed(crowd: Population, one: Person, other: Person, number: int) -> None:
    if number % (ROUNDS // TRADED) == 1:
        crowd.end(one, other, crowd.soon(), given_up=True)


def _feed_long(crowd: Population, one: Person, other: Person, number: int) -> None:
    if number % (ROUNDS // TRADED) == 1:
        crowd.end(one, other, crowd.usual(), given_up=True)


def _trade_soon(crowd: Population, one: Person, other: Person, number: int) -> None:
    if number % (ROUNDS // TRADED) == 1:
        pair = (one, other) if number // (ROUNDS // TRADED) % 2 else (other, one)
        crowd.end(*pair, crowd.soon(), given_up=True)


def _trade_long(crowd: Population, one: Person, other: Person, number: int) -> None:
    if number % (ROUNDS // TURNS) == 1:
        pair = (one, other) if number // (ROUNDS // TURNS) % 2 else (other, one)
        crowd.end(*pair, crowd.usual(), given_up=True)


def main() -> int:
    """Simulate, and print the table."""
    runs = [simulate(seed=seed) for seed in range(11, 14)]
    print("| who | listed |\n| --- | --- |")
    print(f"| honest players | {sum(one.honest for one in runs) / len(runs):.2%} |")
    for kind in runs[0].abusers:
        print(f"| {kind} | {sum(one.abusers[kind] for one in runs) / len(runs):.0%} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
