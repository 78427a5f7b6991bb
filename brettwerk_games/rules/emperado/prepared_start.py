"""Start positions that somebody prepared: the checks of EMP-START-1, and how such a position becomes a game's first one."""

from brettwerk_games.rules.emperado.game_end import END_RULE
from brettwerk_games.rules.emperado.options import CardExchange, Options
from brettwerk_games.rules.emperado.position import MIN_SEATS, REVISION, Position, seats_in
from brettwerk_games.rules.refusals import Illegal

RULE = "EMP-START-1"
SECOND = 2
"""The earliest round: in the first one no continent pays (EMP-REINF-4), and who was dealt what is counted anew."""
MAX_ARMIES, MAX_BONUS, MAX_ROUNDS, MAX_CARDS = 10_000, 1_000, 1_000, 20
"""Bounds, far above what is played and far below those of a game."""


def prepared(start: Position, options: Options, seats: int) -> Position:
    """Return the first position of a game that begins from a prepared one. Raises Illegal for one that nobody can play on from.

    Nothing has been done in the turn: no country is blocked, and no card is due.
    """
    if start.end is not None:
        raise Illegal("the start position is from a game that has ended", rule=END_RULE[start.end])
    if len(start.parties) != seats:
        raise Illegal(f"the start position is for {len(start.parties)}", rule=RULE)
    if start.options.map != options.map:
        raise Illegal("the start position is one of another map", rule=RULE)
    if len(seats_in(start)) < MIN_SEATS:
        raise Illegal("a start position has two seats in the game", rule=RULE)
    if max(*start.armies, start.to_place) > MAX_ARMIES or start.card_bonus > MAX_BONUS or start.round > MAX_ROUNDS:
        raise Illegal("the numbers of a start position are too large", rule=RULE)
    if any(max(party.riders, party.soldiers, party.cannons) > MAX_CARDS for party in start.parties):
        raise Illegal("a seat of a start position has too many cards", rule=RULE)
    first = max(start.round, SECOND)
    return start._replace(
        options=options,
        round=first,
        stirred=first,
        blocked=frozenset(),
        captured=False,
        entry=None,
        exchanging=options.card_exchange == CardExchange.MANUAL and start.to_place > 0,
        played=0,
        thrown=None,
        revision=REVISION,
    )
