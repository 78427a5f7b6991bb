"""Plays against OpenSpiel's MCTS (one random rollout a simulation, solver on), both with the same CPU time for every decision.

    python -m brettwerk_games.players.einstein.measure.openspiel --games 2000 --think 100 --record games.jsonl

Both may take `--think` milliseconds of the process's CPU time for each decision, so a busy machine changes nothing; `--ours` is
another time for us. OpenSpiel counts simulations and not time: a short search of the position says how many it does in that time.
`--simulations` gives it a fixed number. OpenSpiel (requirements/dev.in) is the referee, too. Set-ups are by lot; set-ups and dice
are mirrored.

With `--record`, every pair of games is appended to a file, and what is there already is counted and not played again; with
`--games 0` it is only counted.
"""

import argparse
import json
import math
import random
import time
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from brettwerk_games.players.einstein import BEST, NODE_LIMIT, EinsteinPlayer
from brettwerk_games.players.einstein.engine import Opened
from brettwerk_games.players.einstein.measure.luck import Judge, luck
from brettwerk_games.players.einstein.measure.match import BOTH, summed
from brettwerk_games.players.einstein.measure.spiel import SpielBoard
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.players.einstein.tables.files import open_tables
from brettwerk_games.rules.einstein import GAME
from brettwerk_games.rules.einstein.board import BLACK, WHITE

_EXPLORATION = 2.0
_MEGABYTES = 256
_TASTE = 1000
"""Simulations of the search that says how fast a position goes; they are not counted."""
_MAX_SIMULATIONS = 1_000_000
_JUDGED = 4
"""Plies that luck is judged by."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The bounds of each side for a decision."""

    think_ms: float
    """Of OpenSpiel's CPU."""
    our_ms: float
    """Of ours."""
    simulations: int = 0
    """Of OpenSpiel's; 0: as many as it does in that time."""
    nodes: int = NODE_LIMIT
    """Positions that our player looks at at most."""
    exploration: float = _EXPLORATION
    strength: int = BEST


@dataclass(frozen=True, slots=True)
class Pair:
    """A deal that was played from both sides. Where there are two numbers they are ours and theirs, if nothing else is said."""

    deal: int
    won: tuple[int, int]
    """1 for a game that we won: as White, as Black."""
    fair: tuple[float, float]
    """The points won less the luck in them."""
    cpu_ms: tuple[float, float]
    """Of all decisions between several moves together."""
    decisions: tuple[int, int]
    simulations: int
    """Of all of OpenSpiel's decisions together."""
    given_away: tuple[float, float]
    """Chances given away by moves, as the judge sees it, in games."""


class Match:
    """Plays pairs of mirrored games."""

    def __init__(self, game: Any, folder: Path, terms: Terms) -> None:
        """Take OpenSpiel's game, the folder of our tables, and what both may do."""
        self._game, self._terms = game, terms
        self._player = EinsteinPlayer(GAME, terms.strength, terms.nodes, Opened(folder), time.process_time)
        self._judge = Judge(open_tables(folder), _JUDGED)

    def pair(self, deal: int) -> Pair:
        """Return a deal, played from both sides."""
        self._cpu, self._decisions, self._simulations, self._given = [0.0, 0.0], [0, 0], 0, [0.0, 0.0]
        games = [self._play(ours, deal) for ours in (WHITE, BLACK)]
        return Pair(
            deal,
            (games[0][0], games[1][0]),
            (round(games[0][1], 5), round(games[1][1], 5)),
            (round(self._cpu[0], 1), round(self._cpu[1], 1)),
            (self._decisions[0], self._decisions[1]),
            self._simulations,
            (round(self._given[0], 5), round(self._given[1], 5)),
        )

    def _play(self, ours: int, deal: int) -> tuple[int, float]:
        """Return whether we win, and that less the luck in it."""
        dice = random.Random(deal)
        board, lucky = SpielBoard(self._game, (dice.randrange(720), dice.randrange(720))), 0.0
        while not board.state.is_terminal():
            seat = board.position.to_move
            by_roll = self._judge.by_roll(board.position)
            board.roll(dice.randint(1, 6))
            chances = by_roll[board.position.roll]
            lucky += luck(by_roll, board.position.roll) * (1 if seat == ours else -1)
            several = len(chances) > 1
            bot = self._bot(board, deal) if several and seat != ours else None
            began = time.process_time()
            if bot is not None:
                action = int(bot.step(board.state))
            elif several:
                view = GAME.view(board.position, seat)
                action = board.action(self._player.think(view, began + self._terms.our_ms / 1000, deal).action)
            else:
                action = int(board.state.legal_actions()[0])
            if several:
                self._cpu[seat != ours] += 1000 * (time.process_time() - began)
                self._decisions[seat != ours] += 1
                self._given[seat != ours] += max(chances.values()) - chances[board.move(action)]
            board.play(action)
        won = int(board.position.winner == ours)
        return won, won - lucky

    def _bot(self, board: SpielBoard, seed: int) -> Any:
        """Return a bot for one decision."""
        terms = self._terms
        simulations = terms.simulations
        if not simulations:
            taste = self._mcts(_TASTE, seed + 1)
            began = time.process_time()
            taste.step(board.state)
            spent_ms = 1000 * (time.process_time() - began)
            simulations = min(_MAX_SIMULATIONS, max(_TASTE, round(_TASTE * terms.think_ms / spent_ms)))
        self._simulations += simulations
        return self._mcts(simulations, seed)

    def _mcts(self, simulations: int, seed: int) -> Any:
        import pyspiel

        seed %= 2**31
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(self._game, evaluator, self._terms.exploration, simulations, _MEGABYTES, True, seed, False)


def summary(pairs: list[Pair]) -> str:
    """Return the score, the estimate without luck, and what both did for it."""
    decisions = [max(1, sum(pair.decisions[side] for pair in pairs)) for side in range(BOTH)]
    ours, theirs = (sum(pair.cpu_ms[side] for pair in pairs) / decisions[side] for side in range(BOTH))
    given = [100 * sum(pair.given_away[side] for pair in pairs) / decisions[side] for side in range(BOTH)]
    return (
        f"{summed([sum(pair.won) / BOTH for pair in pairs])}; without luck {summed([sum(pair.fair) / BOTH for pair in pairs])}; "
        f"CPU a decision: {ours:.1f} ms, OpenSpiel's MCTS {theirs:.1f} ms and "
        f"{sum(pair.simulations for pair in pairs) / decisions[1]:,.0f} simulations; "
        f"given away a decision: {given[0]:.2f}, MCTS {given[1]:.2f} points"
    )


def read(files: list[Path]) -> list[Pair]:
    """Return the pairs that files hold."""
    found = []
    for file in files:
        for line in file.read_text().splitlines() if file.exists() else ():
            parts: list[Any] = [tuple(part) if isinstance(part, list) else part for part in json.loads(line)]
            found.append(Pair(*parts))
    return found


def main() -> None:
    """Play the match."""
    import pyspiel

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--think", type=float, default=100.0, help="milliseconds of CPU per decision, for both")
    parser.add_argument("--ours", type=float, help="milliseconds of CPU per decision for our player, if different from --think")
    parser.add_argument(
        "--simulations",
        type=int,
        default=0,
        help="simulations of OpenSpiel's MCTS per decision; 0: as many as fit into that time",
    )
    parser.add_argument("--nodes", type=int, default=NODE_LIMIT, help="maximum number of positions for our player per decision")
    parser.add_argument("--exploration", type=float, default=_EXPLORATION, help="constant c of OpenSpiel's MCTS")
    parser.add_argument("--strength", type=int, default=BEST, help="strength of our player: 99, or a depth in plies")
    parser.add_argument("--minutes", type=float, default=math.inf, help="start no more games after so many minutes")
    parser.add_argument("--seed", type=int, default=1, help="seed of the series of deals")
    parser.add_argument("--record", type=Path, nargs="+", default=[], help="files of games; new games go to the first one")
    parser.add_argument("--tables", type=Path, default=place.folder())
    args = parser.parse_args()
    until = time.monotonic() + 60 * args.minutes
    ours = args.think if args.ours is None else args.ours
    terms = Terms(args.think, ours, args.simulations, args.nodes, args.exploration, args.strength)
    pairs = read(args.record)
    match, played = Match(pyspiel.load_game("einstein_wurfelt_nicht"), args.tables, terms), {pair.deal for pair in pairs}
    deal = args.seed * 1_000_003
    while BOTH * len(pairs) < args.games and time.monotonic() < until:
        if deal not in played:
            pairs.append(match.pair(deal))
            if args.record:
                with args.record[0].open("a") as record:
                    record.write(json.dumps(astuple(pairs[-1])) + "\n")
            if len(pairs) % 10 == 0:
                print(summary(pairs), flush=True)
        deal += 1
    print(summary(pairs) if pairs else "no games were played", flush=True)


if __name__ == "__main__":
    main()
