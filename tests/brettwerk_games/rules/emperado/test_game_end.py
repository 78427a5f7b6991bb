"""How seats go out and games end: system actions, draws, bounds, scores."""

import pytest

from brettwerk_games.rules.emperado.actions import Attack, Done, Eliminated, Ended, Received
from brettwerk_games.rules.emperado.options import CardExchange, Options, Undo, Win
from brettwerk_games.rules.emperado.position import FORMER_MAX_ACTIONS, GHOST, MAX_ACTIONS, End, Party, Position
from brettwerk_games.rules.emperado.reinforcement import continent_bonus
from brettwerk_games.rules.emperado.seat_kinds import seated
from brettwerk_games.rules.emperado.strength import draw_votes, strengths
from brettwerk_games.rules.interface import Draw, Flag, Outcome, Reoption, Resign
from brettwerk_games.rules.optional import DrawVotes
from brettwerk_games.rules.refusals import GameOver, Illegal, Malformed
from tests.brettwerk_games.rules.emperado.worlds import (
    BOLIVIEN,
    EMPERADO,
    OF,
    PERU,
    SEED,
    A,
    B,
    C,
    apply,
    captured,
    dealt,
    pass_turn,
    reoptioned,
    world,
)


def outcome(position: Position) -> Outcome:
    found = EMPERADO.outcome(position)
    assert found is not None
    return found


@pytest.mark.parametrize("leave", [Resign, Flag])
def test_a_party_that_leaves_out_of_turn_turns_white(leave: type[Resign] | type[Flag]) -> None:
    position = world("Peru A8, Bolivien C5", to_place=2, cards={C: (1, 1, 0)})
    step = EMPERADO.system_action(position, leave(C), SEED)
    assert step.events == (Eliminated(C, None, 0),)
    assert (step.position.owners[BOLIVIEN], step.position.armies[BOLIVIEN]) == (GHOST, 5)
    assert step.position.parties[C] == Party(out=2)
    assert (step.position.to_move, step.position.to_place) == (A, 2)
    assert not step.reveals


@pytest.mark.parametrize("leave", [Resign, Flag])
def test_a_party_that_leaves_in_its_turn_passes_it_on_without_a_card(leave: type[Resign] | type[Flag]) -> None:
    position = world("Peru A8, Bolivien C5", to_place=2, captured=True, card_clock=1)
    step = EMPERADO.system_action(position, leave(A), SEED)
    assert step.events[0] == Eliminated(A, None, 0)
    assert isinstance(step.events[1], Received)
    assert (step.position.to_move, step.position.parties[A].cards, step.position.card_clock) == (B, 0, 2)
    assert step.reveals
    assert not step.position.captured


@pytest.mark.parametrize(("leave", "end"), [(Resign, End.RESIGNED), (Flag, End.TIME)])
@pytest.mark.parametrize("win", Win)
def test_the_last_seat_has_won_when_the_others_have_left(leave: type[Resign], end: End, win: Win) -> None:
    position = world("Peru A8", seats=2, options=Options(win=win))
    for loser, winner in ((A, B), (B, A)):
        step = EMPERADO.system_action(position, leave(loser), SEED)
        assert step.events[-1] == Ended(winner, end)
        assert outcome(step.position).scores == ((1.0, 0.0) if winner == A else (0.0, 1.0))
        assert outcome(step.position).rule == "EMP-END-8"
        assert EMPERADO.to_act(step.position) == ()


def test_a_party_leaves_once_and_a_seat_that_does_not_exist_never() -> None:
    position = world("Peru A8, Bolivien C5")
    position = EMPERADO.system_action(position, Resign(C), SEED).position
    with pytest.raises(Illegal) as refused:
        EMPERADO.system_action(position, Flag(C), SEED)
    assert refused.value.rule == "EMP-END-1"
    for seat in (3, -1):
        with pytest.raises(Malformed):
            EMPERADO.system_action(position, Resign(seat), SEED)


def test_a_draw_is_shared_by_the_seats_that_are_in() -> None:
    position = world("Peru A8, Bolivien D5", seats=4)
    step = EMPERADO.system_action(position, Draw(), SEED)
    assert step.events == (Ended(None, End.AGREED),)
    assert outcome(step.position).scores == (1 / 3, 1 / 3, 0.0, 1 / 3)
    assert outcome(step.position).rule == "EMP-END-4"


def test_places_follow_the_rounds_of_elimination_latest_first() -> None:
    """EMP-END-7: second to sixth by the round, and who went out in the same round shares a place."""
    position = world("Bolivien B1", rest="A", armies=8, seats=6)
    parties = tuple(party._replace(out=out) for party, out in zip(position.parties, (0, 0, 4, 9, 4, 2), strict=True))
    over = captured(position._replace(parties=parties, round=11), Attack(PERU, BOLIVIEN, 1))
    assert over.end == End.FREED
    assert (outcome(over).winners, outcome(over).places) == ((A,), (1, 2, 4, 3, 4, 6))
    assert outcome(over).scores == (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def test_in_a_draw_nobody_wins_and_those_who_are_in_share_the_first_place() -> None:
    position = world("Peru A8, Bolivien D5", seats=4)
    over = EMPERADO.system_action(EMPERADO.system_action(position, Resign(B), SEED).position, Draw(), SEED).position
    assert (outcome(over).winners, outcome(over).places) == ((), (1, 3, 4, 1))


def test_after_the_end_nobody_does_anything() -> None:
    over = EMPERADO.system_action(world("Peru A8"), Draw(), SEED).position
    for system_action in (Resign(A), Flag(B), Draw(), Reoption(Options())):
        with pytest.raises(GameOver):
            EMPERADO.system_action(over, system_action, SEED)
    with pytest.raises(GameOver):
        apply(over, Done())
    assert EMPERADO.actions(EMPERADO.view(over, A)) == ()


def played(position: Position, turns: int) -> Position:
    for _ in range(turns):
        position = pass_turn(position)
    return position


def test_a_round_limit_draws_at_the_end_of_that_round() -> None:
    position = played(dealt(3, options=Options(max_rounds=20)), 59)
    assert (position.round, position.end) == (20, None)
    position = pass_turn(position)
    assert (position.round, position.end) == (20, End.ROUNDS)
    assert outcome(position).rule == "EMP-END-5"


def test_a_limit_that_is_set_too_late_draws_at_the_end_of_the_round() -> None:
    position = played(dealt(2), 60)
    assert position.round == 31
    position = reoptioned(position, max_rounds=20)
    assert pass_turn(pass_turn(position)).end == End.ROUNDS


def test_without_the_option_nothing_is_drawn() -> None:
    assert played(dealt(2), 200).end is None


def test_an_elimination_stirs_the_game() -> None:
    lands = {A: (*range(20), PERU), B: range(20, 38), 3: (BOLIVIEN,)}
    position = world(
        "Bolivien D1", seats=4, lands=lands, rest="C", armies=20, round=25, stirred=1, options=Options(auto_draw=True)
    )
    position = captured(position, Attack(PERU, BOLIVIEN, 1))
    assert position.stirred == 25
    assert played(position, 3 * 25 + 2).end is None
    assert played(position, 3 * 25 + 3).end == End.STILL


def test_a_seat_above_half_of_the_world_stirs_the_game() -> None:
    half = world(lands={A: range(30), C: range(30, 40)}, options=Options(auto_draw=True), to_move=C, round=25)
    assert pass_turn(half).end == End.STILL
    more = world(lands={A: range(31), C: range(31, 40)}, options=Options(auto_draw=True), to_move=C, round=25)
    assert (pass_turn(more).end, pass_turn(more).stirred) == (None, 25)


def test_the_option_counts_rounds_from_before_it_was_set() -> None:
    position = reoptioned(played(dealt(3), 40 * 3), auto_draw=True)
    assert played(position, 3).end == End.STILL


def test_a_game_has_a_last_action() -> None:
    position = world("Peru A8, Bolivien C1", played=MAX_ACTIONS - 1)
    step = apply(position, Done())
    assert step.events[-1] == Ended(None, End.LIMIT)
    assert outcome(step.position).scores == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert outcome(step.position).rule == "EMP-LIMIT-1"


def test_games_of_former_revisions_have_more_actions() -> None:
    position = world("Peru A8, Bolivien C1", played=MAX_ACTIONS - 1, revision=0)
    assert apply(position, Done()).position.end is None
    last = position._replace(played=FORMER_MAX_ACTIONS - 1)
    assert apply(last, Done()).position.end == End.LIMIT


def test_a_win_with_the_last_action_is_a_win() -> None:
    position = world("Bolivien B1", rest="A", armies=8, seats=2, played=MAX_ACTIONS - 1)
    assert captured(position, Attack(PERU, BOLIVIEN, 1)).end == End.FREED


def test_a_seat_that_is_alone_goes_on_from_round_to_round() -> None:
    position = world("Bolivien -9", rest="A", seats=2, options=Options(win=Win.WHOLE_WORLD))
    assert (pass_turn(position).to_move, pass_turn(position).round) == (A, 3)


def test_the_whole_world_is_won_with_its_last_white_country() -> None:
    position = world("Bolivien -1", rest="A", armies=8, seats=2, options=Options(win=Win.WHOLE_WORLD))
    over = captured(position, Attack(PERU, BOLIVIEN, 1))
    assert (over.end, over.winner) == (End.FREED, A)
    other = world("Bolivien -1, Island B1", rest="A", armies=8, seats=2, options=Options(win=Win.WHOLE_WORLD))
    assert captured(other, Attack(PERU, BOLIVIEN, 1)).end is None


@pytest.mark.parametrize(
    "changed",
    [
        {"solidarity": 5},
        {"coalition": 0},
        {"country_handicap": -5},
        {"info_time": 0},
        {"table_time": 0},
        {"graphic_time": 100},
        {"auto_draw": True},
        {"max_rounds": 50},
        {"undo": Undo.OFF},
    ],
)
def test_these_options_change_at_any_time(changed: dict[str, object]) -> None:
    position = world("Peru A8", to_place=3)
    after = reoptioned(position, **changed)
    assert after == position._replace(options=Options()._replace(**changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changed",
    [
        {"start_armies": 2},
        {"ghost_armies": 2},
        {"card_bonus_start": 5},
        {"capture_move": 2},
        {"card_exchange": CardExchange.MANUAL},
        {"captured_cards": 2},
        {"win": Win.WHOLE_WORLD},
    ],
)
def test_these_options_are_settled_before_the_start(changed: dict[str, object]) -> None:
    with pytest.raises(Illegal) as refused:
        reoptioned(world("Peru A8"), **changed)
    assert refused.value.rule == "EMP-OPTION-1"


def test_a_changed_handicap_counts_from_the_next_turn_on() -> None:
    position = world(seats=2, lands={A: range(25)}, to_place=3)
    position = reoptioned(position, country_handicap=-9)
    assert position.to_place == 3
    assert pass_turn(pass_turn(position)).to_place == 3 + 2 + continent_bonus(position, A)


@pytest.mark.parametrize("rounds", [1, 19])
def test_a_round_limit_is_not_too_short(rounds: int) -> None:
    with pytest.raises(Illegal) as refused:
        dealt(2, options=Options(max_rounds=rounds))
    assert refused.value.rule == "EMP-END-5"
    with pytest.raises(Illegal):
        reoptioned(dealt(2), max_rounds=rounds)


def test_options_out_of_range_begin_no_game() -> None:
    for wrong in (Options(start_armies=0), Options(ghost_armies=10), Options(info_time=101), Options(computers=())):
        with pytest.raises(Malformed):
            dealt(2, options=wrong)


def test_the_kinds_of_players_are_no_option_that_is_agreed_on() -> None:
    """EMP-PLAYER-2: it follows from who sits there."""
    position = seated(world("Peru A8"), [False, True, True], SEED).position
    assert position.options.computers == (False, True, True, False, False, False)
    assert reoptioned(position, computers=(True,) * 6, solidarity=3).options == position.options._replace(solidarity=3)


def test_a_seat_that_changes_in_the_middle_of_a_turn_keeps_what_it_received() -> None:
    """EMP-PLAYER-3, case 61."""
    position = world("Peru A8", to_place=3, played=20, options=Options(country_handicap=30))
    step = seated(position, [True, False, False], SEED)
    assert step.position.to_place == 3
    assert step.position.options.computers[0]
    assert not step.events and not step.reveals


def test_the_first_seats_reinforcements_are_counted_when_the_game_knows_the_players() -> None:
    """EMP-REINF-6: the deal comes before the game is told."""
    position = dealt(2, options=Options(country_handicap=9))
    assert position.to_place == 3
    step = seated(position, [True, False], SEED)
    assert step.position.to_place == 3 + 1 + (29 + 9 - 30) // 3
    assert [type(event).__name__ for event in step.events] == ["Received"]
    assert seated(step.position, [True, True], SEED).position.to_place == step.position.to_place
    assert seated(step.position, [False, True], SEED).position.to_place == 3


def test_seating_players_after_the_end_is_refused() -> None:
    position = captured(world("Bolivien B1", rest="A", armies=8, seats=2), Attack(PERU, BOLIVIEN, 1))
    with pytest.raises(GameOver):
        seated(position, [True, True], SEED)


def test_a_computer_agrees_to_a_draw_unless_it_has_half_of_all_strength() -> None:
    """EMP-END-4."""
    alike = world("Peru A6, Alaska B6, Island C6", lands={A: [OF["Kongo"]], B: [OF["Japan"]], C: [OF["Borneo"]]}, rest="-")
    assert draw_votes(alike) == DrawVotes(silent=(), agreeing=(0, 1, 2))
    two = world("Peru A6, Alaska B6", rest="-", seats=2)
    assert strengths(two)[0] == strengths(two)[1] == 6 + 2 * (3 + 0.27 * 4)
    assert draw_votes(two).agreeing == ()
    weaker = world("Peru A8", rest="B", armies=3, seats=3)
    assert draw_votes(weaker) == DrawVotes(silent=(2,), agreeing=(0,))
