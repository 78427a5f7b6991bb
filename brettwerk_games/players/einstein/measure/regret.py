"""Measures regret: how many points of the chance to win a player gives away in a decision, on average.

    python -m brettwerk_games.players.einstein.measure.regret --stones 6 --positions 300 --strength 99 --think 0.1

Decisions come from games that the player might play. The right move is solved: from the tables, or by searching to the end.
Decisions for which that takes too many positions are counted and left out; with `--unsolved` what such a search has found so far
is taken as right. With `--truth`, greater tables than the player's say what is right. With several `--tables`, players with each
of them make the same decisions.
"""

import argparse
import math
import random
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from brettwerk_games.players.einstein import NODE_LIMIT, EinsteinPlayer
from brettwerk_games.players.einstein.engine import Opened
from brettwerk_games.players.einstein.evaluation import evaluation
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.kernels.selfplay import Gamer
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.search import DEEPEST, Search
from brettwerk_games.players.einstein.sides import GOAL, Pair, after_move, pair_of, squares_of
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.players.einstein.training import start
from brettwerk_games.rules.einstein import GAME, rules
from brettwerk_games.rules.einstein.actions import Move
from brettwerk_games.rules.einstein.board import BLACK, WHITE
from brettwerk_games.rules.einstein.position import GONE, Position, Side, needs_roll

_ENDLESS = 2**62
_SLOTS_LOG2 = 20
SOLVE_NODES = 1_000_000_000
"""Positions that may be looked at to solve a decision: a minute of CPU."""
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Decision:
    """A position with a roll and the exact chance of every move."""

    position: Position
    chances: dict[Move, float]
    depth: int
    """How many plies deep they were looked for."""
    is_solved: bool
    """Whether they are exact."""


def decisions(
    folder: Path, stones: int, seed: int, solve_nodes: int = SOLVE_NODES, *, unsolved: bool = False
) -> Iterator[Decision | None]:
    """Yield decisions with so many stones on the board, without an end.

    One that so many positions did not solve is None, or with `unsolved` as far as it was seen through.
    """
    solver = Opened(folder, _SLOTS_LOG2)
    for position in reached(stones, seed):
        decision = _solved(solver, position, solve_nodes)
        yield decision if decision.is_solved or unsolved else None


def reached(stones: int, seed: int) -> Iterator[Position]:
    """Yield positions with so many stones and a choice of moves, each from another game, without an end.

    Both sides of these games look two plies ahead without tables.
    """
    dice = random.Random(seed)
    gamer = Engine(layout(), evaluation(), {}, 14)
    gamer.begin(_ENDLESS, _ENDLESS, lambda: False)
    positions, chances = array("Q", bytes(16 * 64)), array("f", bytes(4 * 64))
    while True:
        count = Gamer(gamer).play(start(dice), dice.randrange(1, 2**32), 2, 0.0, positions, chances)
        met = [(positions[2 * i], positions[2 * i + 1]) for i in range(count)]
        fitting = [pair for pair in met if sum(square <= GOAL for side in pair for square in squares_of(side)) == stones]
        if not fitting:
            continue
        position = _rolled(dice.choice(fitting), dice)
        if len(rules.moves(position)) > 1:
            yield position


def _rolled(pair: Pair, dice: random.Random) -> Position:
    black: Side = tuple(GONE if square > GOAL else square for square in squares_of(pair[0]))
    white: Side = tuple(GONE if square > GOAL else GOAL - square for square in squares_of(pair[1]))
    return Position((white, black), BLACK, dice.randint(1, 6) if needs_roll(black) else 0, WHITE)


def _solved(solver: Opened, position: Position, solve_nodes: int) -> Decision:
    """Return what a search of so many positions finds."""
    moves, pair = rules.moves(position), pair_of(position)
    thinking = Search(solver, [after_move(pair, position.to_move, move) for move in moves], math.inf, solve_nodes)
    thinking.weigh(DEEPEST)
    return Decision(position, dict(zip(moves, thinking.chances, strict=True)), thinking.depth, thinking.is_exact)


def regrets(player: EinsteinPlayer, asked: list[Decision], think_s: float) -> list[float]:
    """Return how much the player gives away in each of these decisions."""
    lost = []
    for number, decision in enumerate(asked):
        deadline = time.monotonic() + think_s
        chosen = player.think(GAME.view(decision.position, BLACK), deadline, number).action
        lost.append(max(decision.chances.values()) - decision.chances[chosen])
    return lost


def summary(lost: list[float]) -> str:
    """Return mean with its 95 % interval, the worst, how often the best move was found, and how often 0.1 and 1 points went."""
    mean = sum(lost) / len(lost)
    spread = math.sqrt(sum((one - mean) ** 2 for one in lost) / max(1, len(lost) - 1) / len(lost))
    best, tenth, point = (
        100 * sum(test) / len(lost) for test in zip(*((x < 1e-4, x > 1e-3, x > 1e-2) for x in lost), strict=True)
    )
    return (
        f"{100 * mean:.4f} ± {196 * spread:.4f} points, worst {100 * max(lost):.4f}, best move {best:.1f} %, "
        f"more than 0.1 points in {tenth:.1f} %, than 1 in {point:.1f} %"
    )


def main() -> None:
    """Solve decisions and ask a player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stones", type=int, default=6)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--strength", type=int, nargs="+", default=[0, 300, 170, 120, 1, 2, 3, 5, 99])
    parser.add_argument("--think", type=float, default=0.1, help="seconds per move")
    parser.add_argument("--node-limit", type=int, default=NODE_LIMIT)
    parser.add_argument("--solve-nodes", type=int, default=SOLVE_NODES, help="maximum number of positions for solving a decision")
    parser.add_argument("--unsolved", action="store_true", help="also use decisions that this did not solve")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so many minutes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=Path, nargs="+", default=[place.folder()], help="of players with several, side by side")
    parser.add_argument("--truth", type=Path, help="tables to solve with, if they are not the player's")
    args = parser.parse_args()
    truth = args.tables[-1] if args.truth is None else args.truth
    asked, left_out, depths = 0, 0, list[int]()
    players = dict[str, EinsteinPlayer]()
    for folder in args.tables:
        opened = Opened(folder)
        for strength in args.strength:
            name = f"strength {strength}" + (f" with {folder}" if len(args.tables) > 1 else "")
            players[name] = EinsteinPlayer(GAME, strength, args.node_limit, opened)
    lost: dict[str, list[float]] = {name: [] for name in players}
    until = time.monotonic() + 60 * args.minutes
    for decision in decisions(truth, args.stones, args.seed, args.solve_nodes, unsolved=args.unsolved):
        if decision is None:
            left_out += 1
        else:
            asked += 1
            if not decision.is_solved:
                depths.append(decision.depth)
            for name, player in players.items():
                lost[name] += regrets(player, [decision], args.think)
        late = time.monotonic() >= until
        if asked and (asked >= args.positions or late or (asked + left_out) % _SHOWN == 0):
            print(f"{asked} decisions with {args.stones} stones, {left_out} more could not be solved")
            if depths:
                print(f"  {len(depths)} of them seen {sum(depths) / len(depths):.1f} plies deep, the others to the end")
            for name in players:
                print(f"  {name}: {summary(lost[name])}", flush=True)
        if asked >= args.positions or late:
            break


if __name__ == "__main__":
    main()
