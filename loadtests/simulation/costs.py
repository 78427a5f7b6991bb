"""What an action costs each component, and what follows for one core: how busy it is, and how long players wait."""

from dataclasses import dataclass

from loadtests.simulation.parameters import Parameters

COMPONENTS = ("gateway", "session", "rules", "redis", "others")


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of an action in one component: at saturation, when much is done together, and alone.

    In between it is assumed to fall in proportion to how busy the core is.
    """

    saturated: float
    lone: float

    def at(self, busy: float) -> float:
        """Return what an action costs on a core that is so busy."""
        return self.saturated + (1 - busy) * (self.lone - self.saturated)

    def rate(self, busy: float) -> float:
        """Return how many actions a second make one core so busy."""
        return busy / self.at(busy)

    def busy(self, rate: float) -> float:
        """Return how busy so many actions a second make one core; above 1, what they take against what there is."""
        if rate * self.saturated >= 1:
            return rate * self.saturated
        return rate * self.lone / (1 + rate * (self.lone - self.saturated))


def costs(parameters: Parameters) -> dict[str, Cost]:
    """Return what an action of the mix of games costs each component."""
    mix = parameters.table("mix")
    found = {}
    for component in COMPONENTS:
        of_games = parameters.table(f"part_{component}_us")
        saturated, lone = (sum(share * of_games[game][side] for game, share in mix.items()) / 1e6 for side in (0, 1))
        found[component] = Cost(saturated, lone)
    return found


def actions_per_game(parameters: Parameters) -> float:
    """Return the actions a second of a game, of people and computers."""
    return parameters["actions_per_game_s"] + computer_moves_per_game(parameters)


def computer_moves_per_game(parameters: Parameters) -> float:
    """Return the moves a second of computers, spread over all games."""
    return parameters["computer_share"] * parameters["computer_moves_s"]


def thinking(parameters: Parameters, name: str = "think_s") -> float:
    """Return the seconds that a computer's move of the mix takes, or with `least_think_s` the least."""
    of_games = parameters.table(name)
    return float(sum(share * of_games[game] for game, share in parameters.table("mix").items()))


def delay(games: float, most: float, rate_per_game: float) -> float:
    """Return for how many seconds an action waits where `games` share what can do `most` actions a second.

    Whoever waits does not act meanwhile, so waits settle where games / (pause + wait) = most (the asymptotic bound of a closed
    network: Denning and Buzen, The Operational Analysis of Queueing Network Models, 1978).
    """
    if games <= 0:
        return 0.0
    if most <= 0:
        return float("inf")
    return max(0.0, games / most - 1 / rate_per_game)
