"""Players of earlier revisions find the rules' modules by today's names."""

from services.ai.players.measure.earlier import with_moved

MOVED = {
    "services.games.wec.firing": "services.games.wec.weapon_fire",
    "services.games.wec.ending": "services.games.wec.turn_end",
}


def test_what_is_taken_from_a_renamed_module_comes_from_where_it_is_now() -> None:
    text = "from services.games.wec.firing import MAX_FIRES\nfrom services.games.wec.board import OFF, SQUARES\n"
    assert with_moved(text, MOVED) == text.replace("firing", "weapon_fire")


def test_a_renamed_module_keeps_the_name_that_the_player_calls_it_by() -> None:
    text = "from services.games.wec import ending, firing, items\nWINS = ending.WINS\n"
    assert with_moved(text, MOVED) == (
        "from services.games.wec import items\n"
        "import services.games.wec.turn_end as ending\n"
        "import services.games.wec.weapon_fire as firing\n"
        "WINS = ending.WINS\n"
    )


def test_a_module_that_takes_nothing_renamed_stays_as_it_was() -> None:
    text = "from services.games.wec import items, rules\nfrom services.games.chance import SEED_BYTES\n"
    assert with_moved(text, MOVED) == text
