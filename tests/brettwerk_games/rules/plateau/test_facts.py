"""The facts that the game states of itself, and its rules page."""

import re

from brettwerk.v1.limits_pb2 import limit
from brettwerk.v1.plateau_pb2 import PlateauPosition
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.position import MAX_SEATS, MAX_TURNS, QUIET_ROUNDS
from tests.brettwerk_games.rules.kit.play import play
from tests.night import SHARE

FACTS = GAME.facts


def test_no_game_is_longer_than_its_bound() -> None:
    max_actions_of_a_turn = 6 + 1 + 1
    assert MAX_TURNS * max_actions_of_a_turn <= FACTS.max_actions
    history = PlateauPosition.DESCRIPTOR.fields_by_name["history"]
    assert history.GetOptions().Extensions[limit].items == QUIET_ROUNDS * MAX_SEATS + 1


def test_random_games_end() -> None:
    for number in range(1 if SHARE < 1 else 3):
        played = play(GAME, ("ends", number), 20_000)
        assert GAME.outcome(played.last) is not None


def test_the_rules_page_has_the_table_of_legal_turns() -> None:
    rows = re.findall(r"\| (\d) \| (\d+) to (\d+) \|", FACTS.rules_page("en"))
    assert [tuple(map(int, row)) for row in rows] == [(1, 5, 11), (2, 4, 10), (3, 3, 9), (4, 2, 8), (5, 1, 7)]
