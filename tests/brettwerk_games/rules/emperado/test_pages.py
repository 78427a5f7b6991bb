"""The tables of the rules pages, in both languages, say what the rules do: EMP-SETUP-4, EMP-MAP-1, EMP-ATTACK-9."""

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from brettwerk_games.rules.emperado import deal
from brettwerk_games.rules.emperado.world import CONTINENTS, COUNTRIES

PAGES = Path(deal.__file__).parent


def table(language: str, rule: str) -> list[list[str]]:
    """Return the rows of the first table after a rule of a page, without its head."""
    page = (PAGES / f"rules.{language}.md").read_text(encoding="utf-8")
    lines = page.partition(f'<a id="{rule}"></a>')[2].splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("|---"))
    rows = lines[first + 1 :]
    rows = rows[: rows.index("")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_of_the_deal_is_how_countries_are_dealt(language: str) -> None:
    found = {int(row[0]): [int(cell) for cell in row[1:] if cell] for row in table(language, "EMP-SETUP-4")}
    assert found == {
        seats: [*deal.shares(seats), sum(deal.shares(seats)), len(COUNTRIES) - sum(deal.shares(seats))] for seats in range(2, 7)
    }


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_of_continents_is_that_of_the_map(language: str) -> None:
    for row, continent in zip(table(language, "EMP-MAP-1"), CONTINENTS, strict=True):
        name, countries, number, bonus = row
        assert (continent.name_en if language == "en" else continent.name_de) == name.partition(" (")[0]
        assert countries.split(", ") == [COUNTRIES[country].name_de for country in continent.countries]
        assert (int(number), int(bonus)) == (len(continent.countries), continent.bonus)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_of_chances_is_every_way_that_dice_can_fall(language: str) -> None:
    for row in table(language, "EMP-ATTACK-9"):
        attackers, defenders = map(int, row[0].split(":"))
        won: Counter[int] = Counter()
        for dice in product(range(1, 7), repeat=attackers + defenders):
            ours, theirs = sorted(dice[:attackers], reverse=True), sorted(dice[attackers:], reverse=True)
            won[sum(a > d for a, d in zip(ours, theirs, strict=False))] += 1
        printed = [float(cell.replace(",", ".")) for cell in row[1:] if cell]
        assert printed == [round(100 * won[pairs] / won.total(), 2) for pairs in range(min(attackers, defenders) + 1)]
