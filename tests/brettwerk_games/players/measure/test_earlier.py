"""Players of earlier revisions find the rules' modules by today's names."""

from brettwerk_games.players.measure.earlier import with_moved

MOVED = {
    "brettwerk_games.rules.wec.firing": "brettwerk_games.rules.wec.weapon_fire",
    "brettwerk_games.rules.wec.ending": "brettwerk_games.rules.wec.turn_end",
}


def test_an_import_of_a_renamed_module_is_redirected() -> None:
    text = "from brettwerk_games.rules.wec.firing import MAX_FIRES\nfrom brettwerk_games.rules.wec.board import OFF, SQUARES\n"
    assert with_moved(text, MOVED) == text.replace("firing", "weapon_fire")


def test_a_renamed_module_keeps_the_name_that_the_player_calls_it_by() -> None:
    text = "from brettwerk_games.rules.wec import ending, firing, items\nWINS = ending.WINS\n"
    assert with_moved(text, MOVED) == (
        "from brettwerk_games.rules.wec import items\n"
        "import brettwerk_games.rules.wec.turn_end as ending\n"
        "import brettwerk_games.rules.wec.weapon_fire as firing\n"
        "WINS = ending.WINS\n"
    )


def test_a_module_that_takes_nothing_renamed_stays_as_it_was() -> None:
    text = "from brettwerk_games.rules.wec import items, rules\nfrom brettwerk_games.rules.chance import SEED_BYTES\n"
    assert with_moved(text, MOVED) == text
