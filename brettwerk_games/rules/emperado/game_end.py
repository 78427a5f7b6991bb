"""How seats go out of the game and how it ends (EMP-END)."""

from brettwerk_games.rules.emperado.actions import Eliminated, Ended
from brettwerk_games.rules.emperado.cards import with_party
from brettwerk_games.rules.emperado.options import CapturedCards, Win
from brettwerk_games.rules.emperado.position import GHOST, End, Party, Position, seats_in
from brettwerk_games.rules.emperado.world import LETTERS
from brettwerk_games.rules.interface import Outcome
from brettwerk_games.rules.ranking import ranked
from brettwerk_games.rules.turn_game import Turns

STILL_ROUNDS = 25
"""Rounds without a stir after which a game is drawn by itself (EMP-END-5)."""

END_RULE = {
    End.FREED: "EMP-END-2",
    End.AGREED: "EMP-END-4",
    End.STILL: "EMP-END-5",
    End.ROUNDS: "EMP-END-5",
    End.RESIGNED: "EMP-END-8",
    End.TIME: "EMP-END-8",
    End.LIMIT: "EMP-LIMIT-1",
}
"""The rule by which a game ended."""
TURNS = Turns(end_rules=END_RULE, rule="EMP-TURN-1", names=LETTERS, resigned=End.RESIGNED, time=End.TIME, agreed=End.AGREED)


def end(position: Position, winner: int | None, how: End) -> tuple[Position, Ended]:
    """Return the position after the end; what was left to do in the turn is dropped.

    >>> end(position, 1, End.TIME)[1]
    Ended(winner=1, end=<End.TIME: 6>)
    """
    over = position._replace(
        winner=winner, end=how, to_place=0, blocked=frozenset(), captured=False, exchanging=False, entry=None
    )
    return over, Ended(winner, how)


def eliminate(position: Position, seat: int, by: int | None) -> tuple[Position, Eliminated]:
    """Return the position after a seat went out: its countries, if any are left, turn white, its cards go (EMP-CARD-9).

    A conqueror takes the cards over where the options say so.

    >>> after, event = eliminate(position, 2, by=0)
    >>> event, after.owners.count(2)
    (Eliminated(seat=2, by=0, cards=0), 0)
    """
    loser, taken = position.parties[seat], 0
    if by is not None and position.options.captured_cards == CapturedCards.TAKE:
        taken, party = loser.cards, position.parties[by]
        heir = party._replace(
            riders=party.riders + loser.riders, soldiers=party.soldiers + loser.soldiers, cannons=party.cannons + loser.cannons
        )
        position = with_party(position, by, heir)
    position = with_party(position, seat, Party(out=position.round))
    owners = tuple(GHOST if owner == seat else owner for owner in position.owners)
    return position._replace(owners=owners, stirred=position.round), Eliminated(seat, by, taken)


def has_won(position: Position, seat: int) -> bool:
    """Tell whether a seat has freed the world, as the options understand it (EMP-END-2).

    >>> has_won(position, 0)
    False
    >>> has_won(position._replace(owners=(0,) * 60), 0)
    False
    """
    if position.options.win == Win.WHOLE_WORLD:
        return position.owners.count(seat) == position.world.count
    return seats_in(position) == (seat,)


def stirred(position: Position) -> int:
    """Return the last round that counts against an automatic draw, now that a round is over (EMP-END-5).

    It is one in which a seat was eliminated or at whose end a seat owned more than half of the world.

    >>> stirred(position._replace(round=7)), stirred(position._replace(round=7, owners=(0,) * 60))
    (0, 7)
    """
    owners = position.owners
    dominated = any(owners.count(seat) > position.world.count // 2 for seat in seats_in(position))
    return position.round if dominated else position.stirred


def draw_at_round_end(position: Position) -> End | None:
    """Return why the game is drawn now that a round is over, or None (EMP-END-5).

    >>> limited = position._replace(options=position.options._replace(max_rounds=20), round=20)
    >>> print(draw_at_round_end(position), draw_at_round_end(limited).name)
    None ROUNDS
    """
    options = position.options
    if options.auto_draw and position.round - position.stirred >= STILL_ROUNDS:
        return End.STILL
    return End.ROUNDS if options.max_rounds and position.round >= options.max_rounds else None


def outcome(position: Position) -> Outcome | None:
    """Return how the game ended, or None while it is on.

    The places are those of EMP-END-7: the winner, or in a draw all seats that are still in, then the others by the round in
    which they went out, latest first; who went out in the same round shares a place.

    >>> print(outcome(position))
    None
    >>> outcome(end(position, 1, End.TIME)[0]).winners
    (1,)
    """
    if position.end is None:
        return None
    winner = position.winner
    standing = 1 + max(party.out for party in position.parties)
    merits = [party.out or standing for party in position.parties]
    if winner is not None:
        merits[winner] += 1
    return ranked(merits, TURNS.reason(position), END_RULE[position.end], is_draw=winner is None)
