"""How often a stone may be moved is what the rules let move, roll by roll."""

from itertools import combinations

from brettwerk_games.rules.einstein.rules import odds_tables

(TABLE,) = odds_tables()


def movable(stones: tuple[int, ...], roll: int) -> set[int]:
    if roll in stones:
        return {roll}
    return {*sorted(stone for stone in stones if stone < roll)[-1:], *sorted(stone for stone in stones if stone > roll)[:1]}


def test_the_table_is_what_every_roll_with_every_set_of_stones_comes_to() -> None:
    for count in range(1, 7):
        for stones in combinations(range(1, 7), count):
            for stone in stones:
                low = max((other for other in stones if other < stone), default=0)
                high = min((other for other in stones if other > stone), default=7)
                chance = sum(stone in movable(stones, roll) for roll in range(1, 7)) / 6
                assert TABLE.values[TABLE.rows.index(low)][TABLE.columns.index(high)] == chance
