"""The aims that a seat may look ahead with in a turn: to play it in some style, or to go for a continent or a seat above all."""

from array import array
from dataclasses import dataclass

from brettwerk_games.players.emperado.mind import Mind
from brettwerk_games.players.emperado.sheet import Sheet, floats
from brettwerk_games.players.emperado.style import EXPERT, STRONG, Style
from brettwerk_games.rules.emperado.world import MAX_COUNTRIES

MAX_GOALS = 3
"""Continents that are tried as an aim, those first that pay most for what they cost."""

VARIATIONS: tuple[Style, ...] = (
    EXPERT._replace(garrison=0.9),
    EXPERT._replace(garrison=0.2),
    EXPERT._replace(least_chance=0.6, least_chance_for_card=0.4),
    EXPERT._replace(land=1.4, exposure=0.2, least_chance=0.3, least_chance_for_card=0.15, garrison=0.3),
    EXPERT._replace(land=0.2, exposure=1.2, least_chance=0.5),
    EXPERT._replace(land=2.0, rich_land=3.5),
    EXPERT._replace(land=0.0, rich_land=0.5),
    EXPERT._replace(land=0.0, rich_land=0.0, exposure=2.5, least_chance=0.7),
    EXPERT._replace(least_chance=1.1, least_chance_for_card=1.1),
    EXPERT._replace(chains=False),
)
"""Other ways to play a turn: guarded well or hardly, only good attacks, bold, careful, greedy for land, not at all so, a card and
no more, no attack, no chains. In positions of two-seat games each of them was best now and then."""

COALITION_UNTIL = 9
"""Up to this round, while more than two seats are left, a coalition binds an expert as it does a strong player. Later seats have
more countries, since they move late (EMP-SETUP-4): without it everybody takes from the first ones."""
RESTLESS = EXPERT._replace(land=1.4, exposure=0.2, garrison=0.3, least_chance=0.3, unity=400.0)
RESTLESS_FROM = 30
"""From this round on, while more than two seats are left, every turn is played in this style: of three strong seats each would
rather let the two others fight, and half of the games among six experts would never end."""


def is_bold(style: Style) -> bool:
    """Tell whether a style dares as much as the default one. Others are for two seats: of more, all would wait for ever."""
    return style.garrison <= EXPERT.garrison and style.least_chance <= EXPERT.least_chance


@dataclass(frozen=True, slots=True)
class Aim:
    """A turn's aim: the mind that plays it, and what it adds to the worth of foreign countries, in armies."""

    mind: Mind
    favour: "array[float]"


class Aims:
    """The aims that there are on a sheet."""

    def __init__(self, seen: Sheet, style: Style) -> None:
        """Make the minds that look at the sheet; `style` is that of the first aim."""
        self._sheet = seen
        self._neutral = floats(MAX_COUNTRIES)
        bold = [style, *filter(is_bold, VARIATIONS)]
        self._of_two = [Mind(seen, other) for other in (style, *VARIATIONS)]
        self._bound = [Mind(seen, other._replace(unity=STRONG.unity)) for other in bold]
        self._free = [Mind(seen, other) for other in bold]
        self._restless = [Mind(seen, RESTLESS)]

    def of_turn(self) -> list[Aim]:
        """Return the aims of the seat to act, the usual one first; the sheet is judged for that one."""
        minds = self._minds()
        usual = minds[0]
        # Before any aim is made: continents and victims are chosen by what the usual mind sees.
        usual.look()
        found = [Aim(mind, self._neutral) for mind in minds]
        found += [Aim(usual, self._continent(k)) for k in self._goals()]
        victim = self._victim()
        if victim is not None:
            found.append(Aim(usual, self._seat(victim)))
        return found

    def _minds(self) -> list[Mind]:
        """Return who may play the turn, by how many seats are left and how long the game has lasted; the usual one first."""
        if sum(self._sheet.alive) == 2:
            return self._of_two
        if self._sheet.round <= COALITION_UNTIL:
            return self._bound
        return self._free if self._sheet.round < RESTLESS_FROM else self._restless

    def _goals(self) -> list[int]:
        gains = self._sheet.gains
        within = [k for k in range(len(self._sheet.ground.bonus)) if gains[k] > 0.0]
        return sorted(within, key=lambda k: -gains[k])[:MAX_GOALS]

    def _continent(self, continent: int) -> "array[float]":
        """Return what a continent's countries are worth more when it is the best goal and counts double."""
        s, favour = self._sheet, floats(MAX_COUNTRIES)
        for country, its_continent in enumerate(s.ground.continent_of):
            if its_continent == continent and s.owners[country] != s.me:
                favour[country] = 0.8 + s.ground.bonus[continent] * 5.0 / s.missing[continent]
        return favour

    def _victim(self) -> int | None:
        """Return the weakest other seat, those that are to be spared last; None where there is one only."""
        s = self._sheet
        others = [seat for seat in range(s.seats) if seat != s.me and s.alive[seat]]
        return min(others, key=lambda seat: s.strength[seat] / s.wish[seat]) if len(others) > 1 else None

    def _seat(self, seat: int) -> "array[float]":
        """Return what a seat's countries are worth more when an end of its income is near, however many there are."""
        s, favour = self._sheet, floats(MAX_COUNTRIES)
        worth = s.mu[seat] * s.income[seat] * 5.0 / s.owners.count(seat)
        for country in range(s.ground.count):
            if s.owners[country] == seat:
                favour[country] = worth
        return favour
