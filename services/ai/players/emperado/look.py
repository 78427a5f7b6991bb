"""A view as a sheet: what the seat may know and nothing else (EMP-AI-2), people and computers told apart as the options say."""

from services.ai.players.emperado.sheet import NOBODY, Sheet
from services.games.emperado.options import MAX_SEATS, CapturedCards, Win
from services.games.emperado.position import GHOST, Position


def fill(sheet: Sheet, position: Position, seat: int) -> None:
    """Write what `seat` sees of a position to the sheet."""
    for country, owner in enumerate(position.owners):
        sheet.owners[country] = NOBODY if owner == GHOST else owner
        sheet.armies[country] = position.armies[country]
        sheet.blocked[country] = country in position.blocked
    parties, options = position.parties, position.options
    for other in range(MAX_SEATS):
        there = other < len(parties)
        sheet.cards[other] = parties[other].cards if there else 0
        sheet.alive[other] = there and not parties[other].out
        sheet.computers[other] = options.computers[other]
    sheet.seats, sheet.me, sheet.round = len(parties), seat, position.round
    sheet.to_place, sheet.captured, sheet.bonus = position.to_place, position.captured, position.card_bonus
    sheet.capture_move = int(options.capture_move)
    sheet.takes_cards = options.captured_cards == CapturedCards.TAKE
    sheet.whole_world = options.win == Win.WHOLE_WORLD
    sheet.solidarity, sheet.coalition, sheet.handicap = options.solidarity, options.coalition, options.country_handicap
    sheet.entry_source, sheet.entry_target, sheet.entry_least = position.entry or (-1, -1, 0)
