"""A game as an environment of Gymnasium: the program plays one seat, and a level of the computer players all others."""

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import gymnasium
import numpy
from gymnasium import spaces

from brettwerk_games import load
from brettwerk_games.adapters.arrays import Arrays, Observation
from brettwerk_games.adapters.match import MAX_ACTIONS, Match, Setting
from brettwerk_games.players.interface import Player
from brettwerk_games.players.registry import level_of, make_steady_player

_FOREVER_S = 86_400.0
_SEARCH_SEED = 2**31
_LIMIT = numpy.iinfo(numpy.int32)


def space_of_actions(arrays: Arrays) -> spaces.Discrete:
    """Return the space of actions' numbers."""
    return spaces.Discrete(arrays.most)


def space_of_observations(arrays: Arrays) -> spaces.Dict:
    """Return the space of what a seat observes."""
    boxes = {name: spaces.Box(_LIMIT.min, _LIMIT.max, shape, numpy.int32) for name, shape in arrays.shapes.items()}
    seen = spaces.Dict({"seat": spaces.Discrete(arrays.setting.seats), **boxes})
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (arrays.most,), numpy.int8)})


class GymnasiumEnv(gymnasium.Env[Observation, numpy.int64]):
    """A game against computers. Observations hold only the seat's own knowledge.

    The reward is 0 until the game ends, then from 1 for a win to -1 for a loss. Gymnasium allows every number of the action space
    at any time: one that is not legal (`action_mask` is 0) loses the game at once, and `illegal` is true in the info.
    """

    def __init__(
        self,
        game: str,
        level: str = "easy",
        seat: int = 0,
        seats: int = 2,
        options: Mapping[str, int | str] = MappingProxyType({}),
        most_actions: int = MAX_ACTIONS,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment of a game by its id, in which the others play as `level`.

        `options` and `most_actions` are those of the environment of PettingZoo. Levels that can play in runs think for as long as
        they want to and play the same in every repetition; the stronger ones think for the time that their facts name. Raises
        LookupError for a game or a level that there is not, ValueError for a seat that there is not, and Malformed or Illegal for
        options and seats that the game cannot have.
        """
        self.metadata = {"render_modes": ["ansi"]}
        self._game, self._seat, self.render_mode = load(game), seat, render_mode
        found = level_of(self._game, level)
        if found is None:
            raise LookupError(f"{game} has no level {level}, but {', '.join(facts.id for facts in self._game.facts.levels)}")
        if not 0 <= seat < seats:
            raise ValueError(f"there is no seat {seat} among {seats}")
        self._level = found
        self._think_s = _FOREVER_S if found.run_games else found.think_ms / 1000
        self.arrays = Arrays(Setting(self._game, seats, options, most_actions))
        self.observation_space = space_of_observations(self.arrays)
        self.action_space = space_of_actions(self.arrays)
        self._match = Match(self.arrays.setting)
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game, and return what the seat sees at its first turn; `options` have no meaning here."""
        super().reset(seed=seed)
        self._match = Match(self.arrays.setting, int(self.np_random.integers(2**63)))
        self._let_others_play()
        return self._observe(), {}

    def step(self, action: int | numpy.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and return what the seat sees at its next turn, its reward, and whether the game is over.

        Raises ResetNeeded after the end, and before `reset`.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over")
        legal = self._match.legal()
        if not 0 <= action < len(legal):
            self._over = True
            return self._observe(), -1.0, True, False, {"illegal": True}
        self._match.play(legal[int(action)])
        self._let_others_play()
        return self._observe(), self._match.reward(self._seat), self._over, False, {}

    def view(self) -> Any:
        """Return all that the seat may know, as the game's own value, for those who want to make other arrays of it."""
        return self._match.view(self._seat)

    def notation(self, action: int) -> str:
        """Return a legal action in notation. Raises IndexError for a number that stands for none."""
        return self._match.notation(action)

    def render(self) -> str:
        """Return what the seat sees: a line for each place with something on it, and the marks of that."""
        return self._match.drawing(self._seat)

    def _observe(self) -> Observation:
        return self.arrays.of(self.view(), self._seat, self._match.legal())

    def _let_others_play(self) -> None:
        player: Player | None = None
        mover = self._seat
        while (turn := self._match.turn) not in (None, self._seat):
            assert turn is not None
            if player is None or turn != mover:  # one is kept for a turn and no longer, as in a session
                mover, player = turn, make_steady_player(self._game, self._level)
            seed = int.from_bytes(self._match.chance("thought")[:8], "big") % _SEARCH_SEED
            self._match.play(player.think(self._match.view(turn), time.monotonic() + self._think_s, seed).action)
        self._over = self._match.turn is None
