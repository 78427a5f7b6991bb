"""The player at a view: what it may know, how it honours options, and what it thinks of actions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.emperado import EmperadoPlayer
from brettwerk_games.players.emperado.contest import Contest
from brettwerk_games.players.emperado.mind import Mind
from brettwerk_games.players.emperado.sheet import NOBODY, Sheet, fill
from brettwerk_games.players.emperado.style import STRONG
from brettwerk_games.players.interface import NothingToDo
from brettwerk_games.players.registry import level_of, make_player
from brettwerk_games.rules.emperado import GAME
from brettwerk_games.rules.emperado.actions import Attack, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.options import CardExchange, Options, Win
from brettwerk_games.rules.emperado.position import Entry, Position
from brettwerk_games.rules.emperado.strength import strengths
from tests.brettwerk_games.rules.emperado.worlds import (
    ARGENTINIEN,
    BOLIVIEN,
    BRASILIEN,
    PERU,
    SEED,
    A,
    B,
    C,
    apply,
    continent,
    dealt,
    world,
)
from tests.night import examples

STRONG_PLAYER = EmperadoPlayer(GAME, 3)
ALL = (True,) * 6


def think(position: Position, player: EmperadoPlayer = STRONG_PLAYER):
    return player.think(GAME.view(position, position.to_move), float("inf"), 0)


def judged(position: Position, seat: int) -> Sheet:
    sheet = Sheet()
    fill(sheet, position, seat)
    Mind(sheet, STRONG).look()
    return sheet


def test_every_level_is_this_player() -> None:
    assert [level.id for level in GAME.facts.levels] == ["easy", "normal", "strong", "expert"]
    for level in GAME.facts.levels:
        assert isinstance(make_player(GAME, level, 0), EmperadoPlayer)
    assert level_of(GAME, "") == GAME.facts.levels[-1]


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(2, 6), st.binary(min_size=32, max_size=32), st.sampled_from([1, 2, 3, 4]), st.integers(0, 40))
def test_kinds_of_others_cards_change_nothing(seats, seed, strength, plies) -> None:
    """EMP-AI-2: the same thought, whatever the others hold."""
    player = EmperadoPlayer(GAME, strength)
    position = dealt(seats, seed)
    for _ in range(plies):
        position = apply(position, think(position, player).action, seed).position
        if position.end is not None:
            return
    other = (position.to_move + 1) % seats
    if position.parties[other].out:
        return
    hands = [{"riders": 2}, {"soldiers": 2}, {"riders": 1, "cannons": 1}]
    thoughts = set()
    for hand in hands:
        parties = list(position.parties)
        parties[other] = parties[other]._replace(riders=0, soldiers=0, cannons=0)._replace(**hand)
        thoughts.add(think(position._replace(parties=tuple(parties)), EmperadoPlayer(GAME, strength)))
    assert len(thoughts) == 1


@given(st.integers(0, 5), st.integers(0, 5))
def test_at_neutral_parameters_it_does_not_matter_which_parties_are_computers(one, two) -> None:
    """EMP-AI-3, EMP-PARAM-7."""
    kinds = list(ALL)
    kinds[one], kinds[two] = kinds[two], not kinds[one]
    position = dealt(6, SEED, Options(computers=ALL))
    other = position._replace(options=position.options._replace(computers=tuple(kinds)))
    assert think(position).action == think(other).action


def test_wishes_are_neutral_without_parameters() -> None:
    """EMP-AI-4."""
    position = world(lands={A: [PERU], C: continent("Asia")}, rest="B", options=Options(coalition=0))
    assert list(judged(position, A).wish) == [1.0] * 7


def test_a_coalition_turns_the_weak_against_the_strongest_only() -> None:
    """EMP-PARAM-3."""
    position = world(lands={A: continent("Africa"), C: continent("Oceania")}, rest="B", options=Options(coalition=40))
    wish = judged(position, A).wish
    assert wish[B] > 1 > wish[C]
    assert list(judged(position, B).wish) == [1.0] * 7


@pytest.mark.parametrize(("coalition", "bound"), [(-9, False), (0, False), (14, False), (15, True), (99, True)])
def test_a_seat_that_is_ahead_is_bound_until_its_lead_is_as_many_percent(coalition, bound) -> None:
    """EMP-PARAM-3: A is by 15 percent stronger than B, and C is the weakest."""
    mine = [country for name in ("Asia", "Africa", "Oceania", "Australia") for country in continent(name)]
    position = world(lands={A: mine, C: continent("Europe")}, options=Options(coalition=coalition))
    sheet = judged(position, A)
    assert 1.14 < sheet.strength[A] / sheet.strength[B] < 1.15
    assert (sheet.wish[B] > 1 > sheet.wish[C]) == bound
    assert bound or list(sheet.wish) == [1.0] * 7


def test_below_zero_the_weaker_turn_against_the_weakest() -> None:
    """EMP-PARAM-1, EMP-PARAM-3."""
    position = world(lands={A: continent("Africa"), C: continent("Oceania")}, rest="B", options=Options(coalition=-9))
    wish = judged(position, A).wish
    assert wish[C] > 1 > wish[B]
    assert list(judged(position, B).wish) == [1.0] * 7


@pytest.mark.parametrize(("solidarity", "harder"), [(30, B), (-9, C)])
def test_solidarity_is_of_computers_against_persons(solidarity, harder) -> None:
    """EMP-PARAM-2: B is a person."""
    options = Options(coalition=0, solidarity=solidarity, computers=(True, False, True, True, True, True))
    position = world(lands={A: continent("Africa"), C: continent("Oceania")}, rest="B", options=options)
    wish = judged(position, A).wish
    assert (wish[B] > wish[C]) == (harder == B)
    person = position._replace(options=options._replace(computers=(False,) * 6))
    assert list(judged(person, A).wish)[1:3] == [1.0, 1.0], "a person is bound to nothing"


def test_white_countries_threaten_nobody() -> None:
    sheet = judged(world("Brasilien -9, Kolumbien -9, Bolivien -9", rest="A", seats=2, lands={B: continent("Asia")}), A)
    assert sheet.threat[PERU] == 0
    assert sheet.owners[BRASILIEN] == NOBODY


def test_strength_is_that_of_the_rule_on_draws() -> None:
    """EMP-END-4."""
    position = dealt(4)
    assert list(judged(position, A).strength[:4]) == pytest.approx(strengths(position))


def test_a_sure_capture_is_made_and_a_hopeless_attack_is_not() -> None:
    good = think(world("Peru A20, Bolivien B1", rest="B", armies=30)).action
    assert isinstance(good, Attack) and (good.source, good.target) == (PERU, BOLIVIEN)
    assert think(world("Peru A2", rest="B", armies=30)).action == Done()


def test_sets_are_turned_in_by_hand_before_armies_are_placed() -> None:
    """EMP-CARD-4."""
    options = Options(card_exchange=CardExchange.MANUAL)
    position = world("Peru A8", cards={A: (3, 1, 1)}, to_place=3, exchanging=True, options=options)
    action = think(position).action
    assert isinstance(action, Exchange)
    assert isinstance(think(apply(position, action).position).action, Place)


def test_a_conqueror_who_may_choose_says_how_many_move_in() -> None:
    """EMP-ATTACK-11."""
    position = world("Peru A6, Bolivien A3, Brasilien B9", entry=Entry(PERU, BOLIVIEN, 3), captured=True)
    action = think(position).action
    assert isinstance(action, Enter) and 3 <= action.armies <= 8


def test_the_last_seat_goes_on_for_the_whole_world() -> None:
    """EMP-END-2: the white countries are all that is left."""
    position = world("Bolivien -1", rest="A", armies=4, seats=2, options=Options(win=Win.WHOLE_WORLD))
    action = think(position).action
    assert isinstance(action, Attack) and action.target == BOLIVIEN


def test_armies_without_a_front_go_towards_one() -> None:
    """Argentina has no foreign neighbour; the stacks before it make way first."""
    position = world("Argentinien A9, Bolivien A2, Brasilien A2, Peru A2, Neuseeland A2", armies=40)
    moves = []
    while isinstance(action := think(position).action, Move):
        moves.append(action)
        position = apply(position, action).position
    assert action == Done()
    assert position.armies[ARGENTINIEN] == 1
    assert moves[-1].source == ARGENTINIEN


def test_a_turn_that_another_began_is_finished_from_where_it_stands() -> None:
    """EMP-PLAYER-3, case 61."""
    position = dealt(3)
    placed = apply(position, Place(position.owners.index(A), 1)).position
    round_, count = placed.round, 0
    while placed.to_move == A:
        placed = apply(placed, think(placed).action, bytes([count % 256]) * 32).position
        count += 1
        assert count < 300
    assert (placed.to_move, placed.round) == (B, round_)


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(2, 6), st.integers(0, 1000), st.integers(0, 400))
def test_reviews_tell_chances_of_legal_actions_best_first(seats, seed, steps) -> None:
    position = dealt(seats, bytes([seed % 256]) * 32)
    for step in range(steps % 60):
        if position.end is not None:
            return
        position = apply(position, think(position).action, bytes([step]) * 32).position
    if position.end is not None:
        return
    view = GAME.view(position, position.to_move)
    advice = STRONG_PLAYER.review(view, float("inf"), 0)
    assert advice[0].action == think(position).action
    assert {one.action for one in advice} >= set(GAME.actions(view))
    chances = [one.win_chance for one in advice]
    assert chances == sorted(chances, reverse=True)
    assert all(0 < chance < 1 for chance in chances)


def test_a_seat_that_is_not_to_act_has_no_thought_and_no_review() -> None:
    with pytest.raises(NothingToDo):
        STRONG_PLAYER.think(GAME.view(dealt(2), B), float("inf"), 0)
    with pytest.raises(NothingToDo):
        STRONG_PLAYER.review(GAME.view(dealt(2), None), float("inf"), 0)


def test_chances_of_all_seats_add_up_to_one() -> None:
    contest = Contest([STRONG] * 4, 5)
    for _ in range(30):
        contest.step()
    position = dealt(4)
    player = [EmperadoPlayer(GAME, 3) for _ in range(4)]
    chances = [player[seat].think(GAME.view(position._replace(to_move=seat), seat), 0.0, 0).win_chance for seat in range(4)]
    assert sum(chances) == pytest.approx(1)
