from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.players.wec import EASY, WecPlayer
from brettwerk_games.players.wec.measure.habits import Rounds, play
from brettwerk_games.players.wec.measure.starts import opening, starts
from brettwerk_games.rules.wec import GAME


def test_idle_fires_of_random_play_are_found_and_a_level_has_none() -> None:
    start = opening(starts()["usual"], 1, 2)
    random, easy = RandomPlayer(GAME), WecPlayer(GAME, EASY)
    fires, idle, most = play(start, (random, random), 1.0, 1, 40)
    assert fires > idle > 0
    assert most >= 1
    assert play(start, (easy, easy), 1.0, 1, 10)[1] == 0


def test_a_position_that_comes_up_again_is_counted_again() -> None:
    rounds, start = Rounds(), starts()["usual"]
    assert [rounds.note(start), rounds.note(opening(start, 1, 2)), rounds.note(start._replace(ply=7))] == [1, 1, 2]
    assert rounds.most == 2
