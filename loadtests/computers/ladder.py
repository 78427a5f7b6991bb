"""A ladder of OpenSpiel's MCTS and the computer levels at EinStein, through the public gRPC endpoint only.

    python -m loadtests.computers.ladder --minutes 12 --record ladder.jsonl            # on a deployment of its own
    python -m loadtests.computers.ladder --grpc HOST:PORT --minutes 12 --record ladder.jsonl

An owner without any privilege creates a bot for each strength of the MCTS, and an API token for each bot; the bots play
every level from both seats, in turn, until the time is over. What has been recorded counts, too; `--minutes 0` only counts.
A bot knows what its client is sent: it replays the game on OpenSpiel's board (requirements/dev.in) from the events of its watch.
"""

import argparse
import json
import math
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache
from itertools import count
from pathlib import Path

from brettwerk.v1 import accounts_pb2, bots_pb2, einstein_pb2, play_pb2, sessions_pb2
from brettwerk_client import Client, Seat, computer, me
from brettwerk_games.players.einstein.measure.spiel import SpielBoard
from brettwerk_games.rules.einstein.actions import Move
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes

ROOT = Path(__file__).parents[2]
OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
SETUPS = 720
BEFORE_ANY = 1e-3
"""A trace of a draw against every level, so that whoever has won all games has a finite rating."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played."""

    simulations: int
    level: str
    seat: int
    """The bot's."""
    won: bool


class Mcts:
    """OpenSpiel's MCTS at a seat, with one random rollout a simulation and its solver."""

    def __init__(self, simulations: int, seed: int) -> None:
        import pyspiel

        self._spiel = pyspiel
        self._game = pyspiel.load_game("einstein_wurfelt_nicht")
        self._simulations, self._seed = simulations, seed

    def play(self, seat: Seat) -> bool:
        """Play to the end, and return whether the seat has won."""
        board: SpielBoard | None = None
        roll = 0
        for update in _from_the_start(seat):
            if update.session.state in OVER:
                return seat.number in update.session.outcome.winners
            if not update.HasField("view"):
                continue
            view = einstein_pb2.EinsteinView()
            update.view.Unpack(view)
            if board is None:
                board, roll = SpielBoard(self._game, _setups(tuple(view.position.squares))), view.position.roll
            else:
                for moved in _moves(update):
                    board.roll(roll or moved.stone)
                    board.play(board.action(Move(moved.stone, moved.target)))
                roll = view.position.roll
            if update.actions:
                seat.act(update, self._chosen(board, roll, update))
        raise AssertionError("a watch ends with its session")

    def _chosen(self, board: SpielBoard, roll: int, update: sessions_pb2.Update) -> einstein_pb2.EinsteinAction:
        state = board.state.clone()
        # OpenSpiel rolls for a single stone, too
        own = board.position.stones[board.position.to_move]
        state.apply_action((roll or next(stone for stone, square in enumerate(own, 1) if square >= 0)) - 1)
        evaluator = self._spiel.RandomRolloutEvaluator(1, self._seed)
        bot = self._spiel.MCTSBot(self._game, evaluator, 2.0, self._simulations, 256, True, self._seed, False)
        move = board.move(int(bot.step(state)))
        self._seed = (self._seed + 1) % 2**31
        return einstein_pb2.EinsteinAction(move=einstein_pb2.EinsteinMove(stone=move.stone, target=move.target))


def _from_the_start(seat: Seat) -> Iterator[sessions_pb2.Update]:
    """Yield all updates of a session: a level that begins may have moved before the watch shows anything."""
    watched = seat.watch()
    newest = next(watched)
    request = play_pb2.ListUpdatesRequest(session_id=seat.session_id, seat_token=seat.token, from_version=1)
    yield from (one for one in seat.client.call(seat.client.service.ListUpdates, request).updates if one.version < newest.version)
    yield newest
    yield from watched


def _moves(update: sessions_pb2.Update) -> Iterable[einstein_pb2.EinsteinMoved]:
    for packed in update.happening.events:
        event = einstein_pb2.EinsteinEvent()
        if packed.Unpack(event) and event.WhichOneof("kind") == "moved":
            yield event.moved


@cache
def _numbers(seat: int) -> dict[tuple[int, ...], int]:
    """Return OpenSpiel's numbers of the set-ups of a seat, by the squares of its stones."""
    import pyspiel

    game = pyspiel.load_game("einstein_wurfelt_nicht")
    boards = ((number, SpielBoard(game, (0, number) if seat == 0 else (number, 0))) for number in range(SETUPS))
    return {board.position.stones[seat]: number for number, board in boards}


def _setups(squares: tuple[int, ...]) -> tuple[int, int]:
    """Return OpenSpiel's numbers of a board's two set-ups, Black's first."""
    white, black = (tuple(squares.index(stone + offset) for stone in range(1, 7)) for offset in (6, 0))
    return _numbers(1)[black], _numbers(0)[white]


def tokens(owner: Client, strengths: Sequence[int]) -> dict[int, str]:
    """Return API tokens of new bots, one for each strength."""
    owner.call(owner.service.StartLink, accounts_pb2.StartLinkRequest())
    made = {}
    for simulations in strengths:
        bot = owner.call(owner.service.CreateBot, bots_pb2.CreateBotRequest(name=f"OpenSpiel MCTS {simulations}")).bot
        wanted = bots_pb2.CreateApiTokenRequest(label="ladder", scopes=[bots_pb2.SCOPE_PLAY], bot_id=bot.player_id, days=1)
        made[simulations] = owner.call(owner.service.CreateApiToken, wanted).api_token
    return made


def play(address: str, strengths: Sequence[int], levels: Sequence[str], until: float, record: Path, rounds: int = 0) -> None:
    """Play every bot against every level from both seats, in turn, and append the games to a file.

    So many rounds, or as many as the time has room for (0).
    """
    with ExitStack() as stack:
        owner = stack.enter_context(Client(address, name="Ladder"))
        clients = {one: stack.enter_context(Client(address, token=token)) for one, token in tokens(owner, strengths).items()}
        dice = random.Random()
        bots = {one: Mcts(one, dice.randrange(2**31)) for one in strengths}
        options = einstein_pb2.EinsteinOptions(setup=einstein_pb2.EINSTEIN_SETUP_RANDOM)
        for _ in range(rounds) if rounds else count():
            for simulations in strengths:
                for level in levels:
                    for number in (0, 1):
                        if time.monotonic() > until:
                            return
                        wishes = [me(), computer(level)] if number == 0 else [computer(level), me()]
                        seat = clients[simulations].create_session("einstein", wishes, options=options).seat
                        game = Game(simulations, level, number, bots[simulations].play(seat))
                        with record.open("a") as file:
                            file.write(json.dumps(asdict(game)) + "\n")


def rating(games: Sequence[Game], levels: dict[str, float]) -> tuple[float, float]:
    """Return the most likely rating against levels whose ratings are known, and its standard error."""
    scale, estimate, information = math.log(10) / 400, 1500.0, 0.0
    for _ in range(50):
        slope, information = 0.0, 0.0
        for weight, won, level in (
            *((1.0, float(game.won), game.level) for game in games),
            *((BEFORE_ANY, 0.5, level) for level in levels),
        ):
            expected = 1 / (1 + 10 ** ((levels[level] - estimate) / 400))
            slope += weight * scale * (won - expected)
            information += weight * scale**2 * expected * (1 - expected)
        estimate += max(-200.0, min(200.0, slope / information))
    return estimate, 1 / math.sqrt(information)


def interval(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    z, share = 1.96, won / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    return middle - half, middle + half


def report(games: Sequence[Game]) -> str:
    """Return the tables as Markdown."""
    anchors = json.loads((ROOT / "brettwerk_games/rules/einstein/ratings.json").read_text())["two"]
    known = {level: float(one["rating"]) for level, one in anchors.items()}
    pairs: dict[tuple[int, str], list[bool]] = defaultdict(list)
    for game in games:
        pairs[game.simulations, game.level].append(game.won)
    levels = [level for level in known if any(level == one for _, one in pairs)]
    lines = [f"| simulations | {' | '.join(levels)} | rating |", "| ---: |" + " --- |" * (len(levels) + 1)]
    for simulations in sorted({game.simulations for game in games}):
        cells = []
        for level in levels:
            results = pairs[simulations, level]
            low, high = interval(sum(results), len(results)) if results else (0.0, 1.0)
            cells.append(f"{sum(results)} of {len(results)} ({low:.0%} to {high:.0%})" if results else "")
        found, error = rating([game for game in games if game.simulations == simulations], {one: known[one] for one in levels})
        lines.append(f"| {simulations:,} | {' | '.join(cells)} | {found:.0f} ± {1.96 * error:.0f} |")
    return "\n".join(lines)


def main() -> None:
    """Play and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grpc", default="", help="a running server (host:port); without it one is started")
    parser.add_argument("--minutes", type=float, default=12.0)
    parser.add_argument("--rounds", type=int, default=0, help="at most so many games of each bot, level and seat; 0: no limit")
    parser.add_argument("--simulations", type=int, nargs="+", default=[30, 300, 3000])
    parser.add_argument("--levels", nargs="+", default=["beginner", "easy", "normal", "strong", "best"])
    parser.add_argument("--record", type=Path, required=True, help="the file of games")
    args = parser.parse_args()
    with ExitStack() as stack:
        if args.minutes > 0:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            address = args.grpc or stack.enter_context(Deployment(data=folder, processes=Processes(web=False))).grpc_address
            play(address, args.simulations, args.levels, time.monotonic() + 60 * args.minutes, args.record, args.rounds)
    print(report([Game(**json.loads(line)) for line in args.record.read_text().splitlines()]))


if __name__ == "__main__":
    main()
