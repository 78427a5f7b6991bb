"""The games as Python games of OpenSpiel: brettwerk_einstein and so on, which `pyspiel.load_game` knows once this is imported.

Chance is explicit: every draw of the rules is a chance node with all of its outcomes (tree.py). What a seat has been told is its
information state; what it sees now is its observation, as arrays (arrays.py) and as text.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import numpy
import pyspiel

from brettwerk_games.adapters.arrays import Arrays
from brettwerk_games.adapters.match import MAX_ACTIONS, Match, Setting
from brettwerk_games.adapters.tree import MAX_OUTCOMES, TreeNode
from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.registry import games

PREFIX = "brettwerk_"
"""The names that OpenSpiel knows the games by begin so."""
_MAX_DRAWS = 2**30
"""Chance nodes of a history: no rule bounds how often a game rolls."""
_TWO = 2


def load_game(
    game: str,
    seats: int = _TWO,
    options: Mapping[str, int | str] = MappingProxyType({}),
    most_actions: int = MAX_ACTIONS,
) -> "BrettwerkGame":
    """Return a game by its id, with its presets but for these options.

    It is what `pyspiel.load_game("brettwerk_einstein", {"players": 2, "options": "first:2;setup:3", "most_actions": 1024})`
    returns. `most_actions` is the number of distinct actions; where more are legal, the first of them can be played. Raises
    LookupError for a game that there is not, and Malformed or Illegal for options and seats that it cannot have.
    """
    if game not in games():
        raise LookupError(f"there is no game {game}, but {', '.join(games())}")
    texts = {key: value if isinstance(value, str) else str(int(value)) for key, value in options.items()}
    chosen = ";".join(f"{key}:{quote(text, safe='')}" for key, text in texts.items())
    return REGISTERED[game]({"players": seats, "options": chosen, "most_actions": most_actions})


def _setting(game: AnyGame, params: Mapping[str, Any]) -> Setting:
    """Return the setting that parameters stand for. Raises Malformed for options that are not written as they should be."""
    given = {**_parameters(game), **params}
    texts = {option.key for option in game.facts.options if option.kind == "line"}
    chosen: dict[str, int | str] = {}
    for part in filter(None, given["options"].split(";")):
        key, _, value = part.partition(":")
        try:
            chosen[key] = unquote(value) if key in texts else int(value)
        except ValueError as error:
            raise Malformed(f"{part!r} is no option: they are written as first:2;setup:3", field="options") from error
    return Setting(game, given["players"], chosen, given["most_actions"])


def _type(game: AnyGame, zero_sum: bool) -> pyspiel.GameType:
    facts, kinds = game.facts, pyspiel.GameType
    return kinds(
        short_name=PREFIX + facts.id,
        long_name=facts.catalogue("en")["game.name"],
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if facts.chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if facts.hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=len(facts.seats),
        min_num_players=facts.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _parameters(game: AnyGame) -> dict[str, Any]:
    """Return OpenSpiel's parameters of a game, with what they are unless they are given."""
    return {"players": game.facts.min_seats, "options": "", "most_actions": MAX_ACTIONS}


class BrettwerkGame(pyspiel.Game):
    """A game with its seats and options. Its returns are 1 for a win, -1 for a loss, and a seat's share between in a draw."""

    game: ClassVar[AnyGame]
    """The game that a subclass is of."""

    def __new__(cls, params: Mapping[str, Any] = MappingProxyType({})) -> "BrettwerkGame":
        """Take OpenSpiel's parameters. Raises Malformed or Illegal for those that the game cannot have."""
        # Here, since Python crashes where it describes one of OpenSpiel's objects whose __init__ has failed.
        Match(_setting(cls.game, params))
        made: BrettwerkGame = super().__new__(cls)
        return made

    def __init__(self, params: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Take parameters that the game can have."""
        setting = _setting(self.game, params)
        game = setting.game
        # Two on one side would win and lose together.
        zero_sum = setting.seats == _TWO and len(set(game.sides(Match(setting).position))) == _TWO
        utility = {"utility_sum": 0.0} if zero_sum else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=setting.most,
            max_chance_outcomes=MAX_OUTCOMES if game.facts.chance else 0,
            num_players=setting.seats,
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=game.facts.max_actions,
            **utility,
        )
        super().__init__(_type(game, zero_sum), info, {**_parameters(game), **params})
        self.arrays = Arrays(setting)
        self.root = TreeNode(setting)

    def new_initial_state(self) -> "BrettwerkState":
        """Return the beginning of a game."""
        return BrettwerkState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound that no game reaches."""
        return _MAX_DRAWS if self.root.setting.game.facts.chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SeatObserver | None":
        """Return who observes: a seat, or a spectator where nothing private is asked for.

        Return None for what cannot be told apart from the rest: what is private to a seat, and all that is hidden. Raises
        ValueError for parameters, of which there are none.
        """
        if params:
            raise ValueError(f"there are no parameters of observers, but {params} were given")
        private, recall = pyspiel.PrivateInfoType.SINGLE_PLAYER, False
        if iig_obs_type is not None:
            private, recall = iig_obs_type.private_info, iig_obs_type.perfect_recall
            if not iig_obs_type.public_info or private == pyspiel.PrivateInfoType.ALL_PLAYERS:
                return None
        return SeatObserver(self.arrays, spectator=private == pyspiel.PrivateInfoType.NONE, recall=recall)


class BrettwerkState(pyspiel.State):
    """A state: a node of the tree. Action k is the k-th legal one in the game's order, and has that number in no other state."""

    def __init__(self, game: BrettwerkGame) -> None:
        """Begin."""
        super().__init__(game)
        self.node = game.root

    def current_player(self) -> int:
        """Return the seat that is to act, or who decides else."""
        if self.node.waits:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.node.turn is None else self.node.turn

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
        return self.node.outcomes()

    def returns(self) -> list[float]:
        """Return what each seat has won; 0 before the end."""
        return self.node.returns()

    def view(self, player: int | None) -> Any:
        """Return all that a seat or a spectator (None) may know, as the game's own value; None before the first step."""
        return self.node.match and self.node.match.view(player)

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.node.actions())))

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.node.says(action)

    def __str__(self) -> str:
        """Return what a spectator sees, and the numbers that led here."""
        return f"{self.node.observation(None)}\n{self.history_str()}"


class SeatObserver:
    """The eyes of a seat or of a spectator, now or since the beginning; OpenSpiel's observation.py says what an observer has."""

    def __init__(self, arrays: Arrays, *, spectator: bool, recall: bool) -> None:
        """Observe games of these arrays. There are none of what has been told, which has no bound, and none for spectators."""
        self._arrays, self._spectator, self._recall = arrays, spectator, recall
        shapes = {} if spectator or recall else {"seat": (arrays.setting.seats,), **arrays.shapes}
        sizes = [int(numpy.prod(shape)) for shape in shapes.values()]
        self.tensor = numpy.zeros(sum(sizes), numpy.float32) if shapes else None
        self.dict: dict[str, Any] = {}
        """The parts of the tensor, by name."""
        begin = 0
        for (name, shape), size in zip(shapes.items(), sizes, strict=True):
            assert self.tensor is not None
            self.dict[name] = self.tensor[begin : begin + size].reshape(shape)
            begin += size

    def set_from(self, state: BrettwerkState, player: int) -> None:
        """Set the arrays to what a seat sees; to 0 before the first step."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        node = state.node
        if node.match is None:
            return
        legal = node.actions() if node.turn == player else ()
        seen = self._arrays.of(node.match.view(player), player, legal)["observation"]
        self.dict["seat"][player] = 1
        for name in self._arrays.shapes:
            self.dict[name][:] = seen[name]

    def string_from(self, state: BrettwerkState, player: int) -> str:
        """Return what the seat sees or has been told, as text: equal where it cannot tell two states apart."""
        eye = None if self._spectator else player
        return state.node.information(eye) if self._recall else state.node.observation(eye)


def register(game: AnyGame) -> type[BrettwerkGame]:
    """Tell OpenSpiel of a game, and return its class. Games that are installed are registered already."""
    made = type(f"{BrettwerkGame.__name__}_{game.facts.id}", (BrettwerkGame,), {"game": game})
    # It has to be a class: OpenSpiel lets go of what makes games when Python is gone already, and only classes outlive that.
    pyspiel.register_game(_type(game, len(game.facts.seats) == _TWO), made)
    return made


REGISTERED = {name: register(game) for name, game in games().items()}
"""By id the class of each game."""
