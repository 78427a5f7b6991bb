"""A game as an environment of PettingZoo (AEC): every seat is an agent, seat_0 and so on, which act one after another."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from brettwerk_games import load
from brettwerk_games.adapters.arrays import Arrays, Observation
from brettwerk_games.adapters.gymnasium import space_of_actions, space_of_observations
from brettwerk_games.adapters.match import MAX_ACTIONS, Match, Setting


class PettingZooEnv(AECEnv):
    """A game among all of its seats. An agent sees what its seat may know, and nothing that is hidden from it.

    When the game ends, each agent is rewarded once, from 1 for a win to -1 for a loss; before that, every reward is 0. Seats that
    are out of the game stay agents until it ends. After `most_steps` actions the game is cut off (truncated), with rewards of 0.
    """

    def __init__(
        self,
        game: str,
        seats: int = 2,
        options: Mapping[str, int | str] = MappingProxyType({}),
        most_actions: int = MAX_ACTIONS,
        most_steps: int = 0,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment of a game by its id, with its presets but for these options.

        `most_actions` is the size of the action space; where more are legal, the first of them can be played. `most_steps` cuts
        long games off, 0 for never. Raises LookupError for a game that there is not, and Malformed or Illegal for options and
        seats that it cannot have.
        """
        self.metadata = {"name": f"brettwerk_{game}_v1", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._most_steps = most_steps
        self._random, _ = np_random()
        self.arrays = Arrays(Setting(load(game), seats, options, most_actions))
        self.observation_spaces = dict.fromkeys(self.possible_agents, space_of_observations(self.arrays))
        self.action_spaces = dict.fromkeys(self.possible_agents, space_of_actions(self.arrays))

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what an agent observes: the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions: the same for all."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Its chance comes from `seed`, or goes on from the last one; `options` have no meaning here."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self._match = Match(self.arrays.setting, int(self._random.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._on_turn()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; no action is legal to it unless it is its turn."""
        seat = self.possible_agents.index(agent)
        legal = self._match.legal() if agent == self.agent_selection and not any(self.truncations.values()) else ()
        return self.arrays.of(self._match.view(seat), seat, legal)

    def view(self, agent: str) -> Any:
        """Return all that an agent's seat may know, as the game's own value, for those who want to make other arrays of it."""
        return self._match.view(self.possible_agents.index(agent))

    def notation(self, action: int) -> str:
        """Return an action of the agent whose turn it is in notation. Raises IndexError for a number that stands for none."""
        return self._match.notation(action)

    def step(self, action: int | None) -> None:
        """Play an action for the agent on turn; None for one whose game is over. Raises ValueError for an illegal one."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = self._match.legal()
        if action is None or not 0 <= action < len(legal):
            raise ValueError(f"action {action} is not legal: there are {len(legal)} (see action_mask)")
        self._cumulative_rewards[agent] = 0.0
        self._match.play(legal[action])
        if self._match.turn is None:
            self.rewards = {name: self._match.reward(seat) for seat, name in enumerate(self.agents)}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._match.played == self._most_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._on_turn() if self._match.turn is not None else self.agents[0]
        self._accumulate_rewards()

    def render(self) -> str:
        """Return what a spectator sees: a line for each place with something on it, and the marks of that."""
        return self._match.drawing(None)

    def close(self) -> None:
        """Do nothing, since nothing is held; the tests of PettingZoo ask for the method."""

    def _on_turn(self) -> str:
        turn = self._match.turn
        assert turn is not None
        return self.possible_agents[turn]
