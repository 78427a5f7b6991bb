"""How strong the seats are, in armies: what the rule on draws goes by (EMP-END-4)."""

from services.games.emperado.position import GHOST, Position, seats_in
from services.games.emperado.reinforcement import income
from services.games.interface import DrawVoices

SHARE_OF_A_SET = 0.27
"""Sets of cards that a seat turns in each round, more or less."""
TURNS = 2
"""Turns whose income counts."""


def strengths(position: Position) -> tuple[float, ...]:
    """Return by seat its armies and what it will receive in two turns; 0 for seats that are out."""
    armies = [0] * len(position.parties)
    for owner, number in zip(position.owners, position.armies, strict=True):
        if owner != GHOST:
            armies[owner] += number
    standing = seats_in(position)
    cards = SHARE_OF_A_SET * position.card_bonus
    return tuple(
        armies[seat] + TURNS * (sum(income(position, seat)) + cards) if seat in standing else 0.0 for seat in range(len(armies))
    )


def draw_voices(position: Position) -> DrawVoices:
    """Return who is out, and which computers would agree to a draw: all with less than half of all strength (EMP-END-4)."""
    strong = strengths(position)
    standing, half = seats_in(position), sum(strong) / 2
    silent = tuple(seat for seat in range(len(strong)) if seat not in standing)
    return DrawVoices(silent, tuple(seat for seat in standing if strong[seat] < half))
