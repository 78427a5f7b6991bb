"""The games of a run, checked: by the AI service before it is noted, and by workers when they play it."""

from dataclasses import dataclass
from typing import Any

from brettwerk.v1 import record_pb2, statistics_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.refusals import GameRefusal, Malformed
from services.ai.runs.queue import BATCHES
from services.ai.thought.assignment import named
from services.runtime.refusal import malformed, wrong_seats


@dataclass(frozen=True, slots=True)
class Checked:
    """A wish that can be played: `levels` by seat, and `options` as the game's value."""

    wish: statistics_pb2.RunWish
    game: AnyGame
    levels: tuple[LevelFacts, ...]
    options: Any

    @property
    def max_games(self) -> int:
        """How many games a run among these levels may have."""
        return min(level.run_games for level in self.levels)

    @property
    def batch(self) -> int:
        """How many games are played in one go: about a second's work."""
        return max(1, self.max_games // BATCHES)

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return -(-self.wish.games // self.batch)

    def numbers(self, batch: int) -> range:
        """Return the numbers of a batch's games."""
        return range(batch * self.batch, min((batch + 1) * self.batch, self.wish.games))

    def levels_of(self, number: int) -> tuple[LevelFacts, ...]:
        """Return the levels of game `number`, by seat."""
        shift = number % len(self.levels) if self.wish.rotate else 0
        return self.levels[shift:] + self.levels[:shift]


def check(wish: statistics_pb2.RunWish, max_games: int) -> Checked:
    """Return a wish that can be played, of `max_games` at most.

    Raises Refused: UNKNOWN for a game or level that there is not, MALFORMED for all else that cannot be.
    """
    found = [named(wish.game, computer, "wish.game", f"wish.seats[{seat}]") for seat, computer in enumerate(wish.seats)]
    if not found:
        named(wish.game, record_pb2.Computer(), "wish.game")
        raise malformed("wish.seats", "a run must name the computers that play")
    game, levels = found[0][0], tuple(level for _, level in found)
    facts = game.facts
    if not facts.min_seats <= len(levels) <= len(facts.seats):
        raise wrong_seats(facts.id, facts.min_seats, len(facts.seats), len(levels), "wish.seats")
    for seat, (level, computer) in enumerate(zip(levels, wish.seats, strict=True)):
        if not level.run_games or computer.depth:
            raise malformed(f"wish.seats[{seat}]", f"the level {level.id} cannot take part in runs")
    checked = Checked(wish, game, levels, _options(game, wish, len(levels)))
    limit = min(checked.max_games, max_games)
    if not 1 <= wish.games <= limit:
        raise malformed("wish.games", f"such a run has 1 to {limit} games, not {wish.games}")
    return checked


def _options(game: AnyGame, wish: statistics_pb2.RunWish, seats: int) -> Any:
    """Return the options as the game's value; they must be such as a game can begin with. Raises Refused."""
    data = wish.options.value if wish.HasField("options") else preset_options(game, seats)
    wanted = game.codec.type_name(Kind.OPTIONS)
    if wish.HasField("options") and wish.options.type_url.rpartition("/")[2] != wanted:
        raise malformed("wish.options", f"the options must be a {wanted}")
    try:
        options = game.codec.decode(Kind.OPTIONS, data)
        game.new(options, seats, None, bytes(SEED_BYTES))
    except Malformed as error:
        raise malformed(f"wish.options.{error.field}" if error.field else "wish.options", error.message) from None
    except GameRefusal as error:
        raise malformed("wish.options", error.message) from None
    return options
