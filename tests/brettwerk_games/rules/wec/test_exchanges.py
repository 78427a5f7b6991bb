"""The Exchanges that are listed are those that the rules accept, one by one and in order, on boards of all kinds."""

import random
from collections.abc import Iterator

import pytest

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import GAME, items, rules
from brettwerk_games.rules.wec.actions import Exchange, turned
from brettwerk_games.rules.wec.board import PLACES
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, TRANSPORTS, Article, Kind
from brettwerk_games.rules.wec.notation_signs import piece_text
from brettwerk_games.rules.wec.options import Actions, Options
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece, Transit
from brettwerk_games.rules.wec.position import Position, Turn
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec.boards import SEED, Table
from tests.night import examples

KINDS = (Kind.QUEEN, Kind.KING, Kind.XXX_PAWN, Kind.FLAME_PAWN, Kind.AAA, Kind.SUB, Kind.CHOPPER, Kind.PRIME_MINISTER)
ARTICLES = (Article.XXX, Article.STEALTH, Article.ROCKET, Article.COUNTER_STEALTH, Article.SCUBA)
NEAR = tuple(place for place in range(PLACES) if place % 100 // 10 < 3 and place % 10 < 3)
"""Few places, so that many pieces are near each other."""


def a_piece(number: int, places: tuple[int, ...], kinds: list[Kind], dice: random.Random) -> Piece:
    box = (Carried(Article.XXX),) if dice.random() < 0.5 else ()
    carried = (*box, *(Carried(dice.choice(ARTICLES)) for _ in range(dice.choice((0, 0, 1, 1, 2)))))
    transports = [article.kind for article in carried if article.kind in TRANSPORTS]
    transit = Transit(transports[0], (1,)) if transports and dice.random() < 0.5 else None
    stunned = dice.choice((0, 0, 0, 0, 9))
    seat = int(number > WHITE_IDS)
    return Piece(number, seat, dice.choice(kinds), dice.choice(places), articles=carried, transit=transit, stunned=stunned)


def a_perspective(dice: random.Random) -> Perspective:
    places = NEAR if dice.random() < 0.6 else tuple(range(PLACES))
    kinds = dice.sample(KINDS, dice.choice((1, 2, len(KINDS))))
    most = dice.choice((2, 6, 14))
    pieces = tuple(a_piece(base + one, places, kinds, dice) for base in (1, WHITE_IDS + 1) for one in range(most))
    options = Options(king_may_be_stealthy=dice.random() < 0.5, actions=dice.choice((Actions.ONE_PER_PIECE, Actions.ALL)))
    turn = Turn(acted=(2,), arrived=(3,), exchanged=dice.random() < 0.1)
    return Perspective(view(Position(options, pieces, turn=turn), 0))


def accepted(perspective: Perspective) -> Iterator[Exchange]:
    """Ask the rules about every Exchange that can be said."""
    own = [piece.id for piece in perspective.own()]
    for a in own:
        for b in own:
            for kind in sorted(ARTICLES):
                for back in (None, *sorted(ARTICLES)):
                    action = Exchange(a, kind, b, back)
                    try:
                        items.require_legal(perspective, action)
                    except Illegal:
                        continue
                    if turned(action) == action:
                        yield action


@pytest.mark.parametrize("number", range(examples(100)))
def test_all_that_are_accepted_are_listed_in_order(number: int) -> None:
    perspective = a_perspective(random.Random(number))
    assert list(items.exchanges(perspective)) == list(accepted(perspective))


def test_such_boards_have_many() -> None:
    found = [len(list(items.exchanges(a_perspective(random.Random(number))))) for number in range(100)]
    assert sum(count > 0 for count in found) > 40
    assert max(found) > 150


@pytest.mark.parametrize("most", [1, 40, 10_000])
def test_the_first_actions_are_the_first_of_all(most: int) -> None:
    perspective = a_perspective(random.Random(3))
    assert rules.first_actions(perspective.view, most) == rules.actions(perspective.view)[:most]
    assert rules.first_actions(perspective.view._replace(eye=1), most) == ()


def test_a_transport_in_use_stays_and_the_same_one_of_another_piece_does_not() -> None:
    carried = (Carried(Article.SCUBA),)
    travelling = Piece(1, 0, Kind.QUEEN, 0, articles=carried, transit=Transit(Article.SCUBA, (1,)))
    pieces = (travelling, Piece(2, 0, Kind.QUEEN, 5, articles=carried), Piece(3, 0, Kind.QUEEN, 7))
    perspective = Perspective(view(Position(Options(), pieces), 0))
    assert list(items.exchanges(perspective)) == [Exchange(2, Article.SCUBA, 3)] == list(accepted(perspective))


def test_a_swap_that_names_the_higher_id_first_is_turned_round() -> None:
    table = Table("B FP[ASH](3,1)", "B DS[XXX](3,2)")
    first, second = sorted((table.find("FP", "(3,1)").id, table.find("DS", "(3,2)").id))
    listed = next(a for a in table.legal() if isinstance(a, Exchange) and a.back is not None and a.piece == first)
    other = Exchange(second, listed.back or listed.article, first, listed.article)
    assert other not in table.legal()
    seen = table.view(0)
    assert GAME.write(seen, other) == GAME.write(seen, listed)
    text = f"EX:{spelt(table, second)}->{code(other.article)}<=>{code(listed.article)}<-{spelt(table, first)}"
    assert GAME.read(seen, text) == listed
    one = rules.apply(table.position, 0, listed, SEED)
    assert rules.apply(table.position, 0, other, SEED) == one


def spelt(table: Table, number: int) -> str:
    return piece_text(next(piece for piece in table.position.pieces if piece.id == number))


def code(article: Article) -> str:
    return ARTICLE_CODES[article]
