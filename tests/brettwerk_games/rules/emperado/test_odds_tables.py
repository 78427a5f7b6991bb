"""The tables of odds are what the dice come to: counted out here by throwing every throw."""

from itertools import product

import pytest

from brettwerk_games.rules.emperado.odds_tables import ARMIES, odds_tables
from brettwerk_games.rules.optional import OddsTable

TABLES = {table.id: table for table in odds_tables()}


def value(table: OddsTable, row: int, column: int) -> float:
    return table.values[table.rows.index(row)][table.columns.index(column)]


@pytest.mark.parametrize(("attackers", "defenders"), list(product((1, 2, 3), (1, 2))))
def test_a_throw_is_every_way_that_dice_can_fall(attackers: int, defenders: int) -> None:
    pairs, won, all_won, throws = min(attackers, defenders), 0, 0, 0
    for dice in product(range(1, 7), repeat=attackers + defenders):
        ours, theirs = sorted(dice[:attackers], reverse=True), sorted(dice[attackers:], reverse=True)
        found = sum(a > d for a, d in zip(ours, theirs, strict=False))
        won, all_won, throws = won + found, all_won + (found == pairs), throws + 1
    assert value(TABLES["throw_won"], attackers, defenders) == pytest.approx(won / throws)
    assert value(TABLES["throw_all"], attackers, defenders) == pytest.approx(all_won / throws)


LUCK = ["", "_half", "_little"]


def test_there_is_a_table_for_each_way_in_which_luck_counts() -> None:
    """EMP-ATTACK-15: the average of a throw is the same for all."""
    names = ("throw_all", "capture", "own_losses", "their_losses")
    assert list(TABLES) == ["throw_won", *(f"{name}{luck}" for luck in LUCK for name in names)]
    assert value(TABLES["throw_all_little"], 3, 3) == 0 < value(TABLES["throw_all_half"], 3, 3) < value(TABLES["throw_all"], 3, 3)


@pytest.mark.parametrize("luck", LUCK)
def test_more_attackers_and_fewer_defenders_are_better(luck: str) -> None:
    capture = TABLES[f"capture{luck}"]
    for a, d in product(range(1, ARMIES), range(1, ARMIES)):
        assert value(capture, a + 1, d) >= value(capture, a, d) >= value(capture, a, d + 1)
        assert luck or value(capture, a + 1, d) > value(capture, a, d) > value(capture, a, d + 1)


@pytest.mark.parametrize("luck", LUCK)
def test_losing_all_armies_is_losing_and_losses_fit_the_chance(luck: str) -> None:
    for a, d in product(range(1, ARMIES + 1), repeat=2):
        win = value(TABLES[f"capture{luck}"], a, d)
        ours, theirs = value(TABLES[f"own_losses{luck}"], a, d), value(TABLES[f"their_losses{luck}"], a, d)
        assert a * (1 - win) <= ours + 1e-9 <= a + 2e-9
        assert d * win <= theirs + 1e-9 <= d + 2e-9
