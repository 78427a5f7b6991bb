"""All that a game in a package may import: each name stays, and asks no more of a game, as long as the interface has its version.

docs/compatibility.md has the promise, and docs/write-a-game.md shows what is done with which.
"""

from brettwerk_games.rules.board import Board, BoardGroup, BoardPattern, BoardPlace
from brettwerk_games.rules.bounds import Bound, BySeat
from brettwerk_games.rules.chance import SEED_BYTES, Dice
from brettwerk_games.rules.derived.differences import As, Differences
from brettwerk_games.rules.derived.pairs import Pairs
from brettwerk_games.rules.facts import Facts, read_facts
from brettwerk_games.rules.interface import (
    Area,
    Choice,
    Codec,
    Draw,
    Effect,
    Flag,
    Game,
    Kind,
    Narration,
    Outcome,
    Place,
    Reoption,
    Resign,
    Scene,
    Shape,
    Step,
    Text,
    Thing,
    Tiling,
)
from brettwerk_games.rules.messages import Form, MessageCodec
from brettwerk_games.rules.notations import find_written, quoted, require_short
from brettwerk_games.rules.open.codec import contract_of, derived_codec
from brettwerk_games.rules.open.grid import Grid, piece
from brettwerk_games.rules.open.hexagons import Hexagons
from brettwerk_games.rules.open.of_module import ModuleGame, OnGrid
from brettwerk_games.rules.open.of_seats import GameOfSeats, game_of_seats
from brettwerk_games.rules.open.of_two import GameOfTwo, game_of_two
from brettwerk_games.rules.open.values import NoOptions, OpenEnding, OpenPosition, Played, SeatsPosition, View
from brettwerk_games.rules.options import Option
from brettwerk_games.rules.orders import DONE, IMPOSSIBLE, Doing, Order, wait
from brettwerk_games.rules.ranking import of_two, ranked
from brettwerk_games.rules.refusals import Ambiguous, GameOver, GameRefusal, Illegal, Malformed, NotYourTurn
from brettwerk_games.rules.scenes import die, disc, number_text, placed, with_areas
from brettwerk_games.rules.turn_game import OpenGame, TurnGame, Turns

__all__ = [
    "DONE",
    "IMPOSSIBLE",
    "SEED_BYTES",
    "Ambiguous",
    "Area",
    "As",
    "Board",
    "BoardGroup",
    "BoardPattern",
    "BoardPlace",
    "Bound",
    "BySeat",
    "Choice",
    "Codec",
    "Dice",
    "Differences",
    "Doing",
    "Draw",
    "Effect",
    "Facts",
    "Flag",
    "Form",
    "Game",
    "GameOfSeats",
    "GameOfTwo",
    "GameOver",
    "GameRefusal",
    "Grid",
    "Hexagons",
    "Illegal",
    "Kind",
    "Malformed",
    "MessageCodec",
    "ModuleGame",
    "Narration",
    "NoOptions",
    "NotYourTurn",
    "OnGrid",
    "OpenEnding",
    "OpenGame",
    "OpenPosition",
    "Option",
    "Order",
    "Outcome",
    "Pairs",
    "Place",
    "Played",
    "Reoption",
    "Resign",
    "Scene",
    "SeatsPosition",
    "Shape",
    "Step",
    "Text",
    "Thing",
    "Tiling",
    "TurnGame",
    "Turns",
    "View",
    "contract_of",
    "derived_codec",
    "die",
    "disc",
    "find_written",
    "game_of_seats",
    "game_of_two",
    "number_text",
    "of_two",
    "piece",
    "placed",
    "quoted",
    "ranked",
    "read_facts",
    "require_short",
    "wait",
    "with_areas",
]
