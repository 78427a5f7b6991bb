"""How strong the seats are, in armies: what the rule on draws goes by (EMP-END-4)."""

from brettwerk_games.rules.emperado.position import Position, seats_in
from brettwerk_games.rules.emperado.reinforcement import BASIC, continent_bonuses, country_bonus
from brettwerk_games.rules.optional import DrawVotes

SHARE_OF_A_SET = 0.27
"""Sets of cards that a seat turns in each round, more or less."""
TURNS = 2
"""Turns whose income counts."""


def strengths(position: Position) -> tuple[float, ...]:
    """Return by seat its armies and what it will receive in two turns; 0 for seats that are out."""
    # The last one is that of ghosts, whose number as an owner is -1.
    armies = [0] * (len(position.parties) + 1)
    for owner, number in zip(position.owners, position.armies, strict=True):
        armies[owner] += number
    cards, continents = SHARE_OF_A_SET * position.card_bonus, continent_bonuses(position)
    return tuple(
        [
            0.0 if party.out else armies[seat] + TURNS * (BASIC + continents[seat] + country_bonus(position, seat) + cards)
            for seat, party in enumerate(position.parties)
        ]
    )


def draw_votes(position: Position) -> DrawVotes:
    """Return who is out, and which computers would agree to a draw: all with less than half of all strength (EMP-END-4)."""
    strong = strengths(position)
    standing, half = seats_in(position), sum(strong) / 2
    silent = tuple(seat for seat in range(len(strong)) if seat not in standing)
    return DrawVotes(silent, tuple(seat for seat in standing if strong[seat] < half))
