"""The knowledge that the seats may have, in games in which cards are drawn, exchanged and taken."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.emperado.actions import Attack, Card, CardSet, Drew, Exchanged
from brettwerk_games.rules.emperado.cards import sets
from brettwerk_games.rules.emperado.options import CapturedCards, CardExchange, Options, Undo
from brettwerk_games.rules.emperado.position import Party, Position
from brettwerk_games.rules.interface import Draw, Kind
from tests.brettwerk_games.rules.emperado.lookalikes import look_alike
from tests.brettwerk_games.rules.emperado.test_rules import OPTIONS, lively
from tests.brettwerk_games.rules.emperado.worlds import (
    BOLIVIEN,
    EMPERADO,
    PERU,
    SEED,
    A,
    B,
    C,
    apply,
    pass_turn,
    seed_of_capture,
    seeds,
    world,
)
from tests.night import examples

HAND = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions of three seats with any cards in hand, at the beginning or in the middle of a turn."""
    options = draw(OPTIONS)
    manual = options.card_exchange == CardExchange.MANUAL
    to_place = draw(st.integers(0, 20))
    return world(
        "Peru A8, Bolivien C1",
        lands={A: range(20), C: range(40, 59)},
        armies=draw(st.integers(1, 9)),
        cards={seat: draw(HAND) for seat in (A, B, C)},
        fresh=draw(st.sets(st.sampled_from((A, B, C)))),
        to_move=draw(st.sampled_from((A, B, C))),
        to_place=to_place,
        exchanging=manual and to_place > 0 and draw(st.booleans()),
        captured=draw(st.booleans()),
        options=options,
    )


@given(positions(), st.sampled_from((A, B, C, None)), st.integers(0, 2**32))
@settings(max_examples=examples(60), deadline=None)
def test_the_events_of_an_action_do_not_tell_hidden_cards(position: Position, seat: int | None, number: int) -> None:
    """The same action in look-alikes: as long as views are equal afterwards, so are events and notation."""
    rng = random.Random(number)
    other = look_alike(position, seat, rng.randbytes(SEED_BYTES))
    before = EMPERADO.view(position, seat)
    assert EMPERADO.view(other, seat) == before
    assert EMPERADO.actions(EMPERADO.view(other, seat)) == EMPERADO.actions(before)
    action = lively(rng, position)
    if action not in EMPERADO.actions(EMPERADO.view(other, position.to_move)):
        return
    seed = rng.randbytes(SEED_BYTES)
    here, there = (EMPERADO.apply(p, p.to_move, action, seed) for p in (position, other))
    seen = [EMPERADO.codec.encode(Kind.VIEW, EMPERADO.view(step.position, seat)) for step in (here, there)]
    shown = [[EMPERADO.show(event, seat) for event in step.events] for step in (here, there)]
    assert EMPERADO.write(before, action) == EMPERADO.write(EMPERADO.view(other, seat), action)
    if seen[0] == seen[1]:
        assert shown[0] == shown[1]
    else:
        assert here.reveals
        assert there.reveals


@given(positions(), st.sampled_from((A, B, C, None)), st.binary(min_size=32, max_size=32))
@settings(max_examples=examples(60), deadline=None)
def test_samples_look_like_the_view(position: Position, seat: int | None, seed: bytes) -> None:
    view = EMPERADO.view(position, seat)
    sample = EMPERADO.sample(view, seed)
    assert EMPERADO.view(sample, seat) == view
    assert all(not party.hidden for party in sample.parties)
    assert EMPERADO.sample(view, seed) == sample


def test_a_sampled_hand_holds_no_set_save_by_the_card_that_came_last() -> None:
    position = world("Peru A8, Bolivien C1", cards={B: (2, 1, 1), C: (2, 2, 1)}, fresh=(C,))
    hands = [EMPERADO.sample(EMPERADO.view(position, A), seed).parties for _, seed in zip(range(200), seeds(), strict=False)]
    assert all(not sets(hand[B]) for hand in hands)
    assert all(hand[C].cards == 5 for hand in hands)
    assert {hand[B][:3] for hand in hands} == {(2, 2, 0), (2, 0, 2), (0, 2, 2)}
    assert len({hand[C][:3] for hand in hands}) == 9


def test_the_hand_of_a_seat_on_turn_has_been_exchanged() -> None:
    position = world("Peru A8", to_move=B, cards={B: (2, 2, 0)}, fresh=(B,))
    hands = [EMPERADO.sample(EMPERADO.view(position, A), seed).parties[B] for _, seed in zip(range(200), seeds(), strict=False)]
    assert not any(sets(hand) for hand in hands)


def test_whether_a_seat_that_exchanges_by_hand_has_a_set_is_not_shown() -> None:
    for hand in ((1, 1, 1), (2, 1, 0), (0, 0, 0)):
        position = world("Peru A8", to_move=B, seats=2, cards={A: hand}, options=Options(card_exchange=CardExchange.MANUAL))
        assert pass_turn(position).exchanging


def test_cards_that_are_taken_over_are_not_taken_back() -> None:
    options = Options(undo=Undo.HONOUR, captured_cards=CapturedCards.TAKE)
    position = world("Peru A8, Bolivien C1", cards={C: (0, 1, 0)}, options=options)
    attack = Attack(PERU, BOLIVIEN, 1)
    assert not apply(position, attack, seed_of_capture(position, attack)).retractable
    none = world("Peru A8, Bolivien C1", options=options)
    assert apply(none, attack, seed_of_capture(none, attack)).retractable


def test_where_sets_are_kept_a_sampled_hand_may_hold_one() -> None:
    options = Options(card_exchange=CardExchange.MANUAL)
    position = world("Peru A8", cards={B: (1, 1, 1)}, options=options)
    hands = [EMPERADO.sample(EMPERADO.view(position, A), seed).parties[B] for _, seed in zip(range(200), seeds(), strict=False)]
    assert {len(sets(hand)) for hand in hands} == {0, 1}


def test_only_the_owner_is_shown_the_card_and_the_set() -> None:
    drew, exchanged = Drew(A, Card.CANNON), Exchanged(A, CardSet.MIXED, 9)
    assert EMPERADO.show(drew, A) == drew
    assert EMPERADO.show(exchanged, A) == exchanged
    for other in (B, C, None):
        assert EMPERADO.show(drew, other) == Drew(A, None)
        assert EMPERADO.show(exchanged, other) == Exchanged(A, None, 9)


def test_spectators_know_no_cards() -> None:
    position = world("Peru A8, Bolivien C1", cards={A: (1, 2, 0), C: (0, 0, 4)})
    assert EMPERADO.view(position, None).position.parties == (Party(hidden=3), Party(), Party(hidden=4))


def test_kinds_stay_hidden_after_the_end() -> None:
    position = world("Peru A8", cards={B: (1, 0, 0)})
    over = EMPERADO.system_action(position, Draw(), SEED).position
    assert EMPERADO.view(over, A).position.parties[B] == Party(hidden=1)
