"""Three and four players: falls, take-overs, resignations, partners, places; and draws."""

import pytest

from brettwerk_games.rules.interface import Draw, Flag, Outcome, Reoption, Resign
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import Action, Ended, EndTurn, Fell
from brettwerk_games.rules.plateau.options import Fallen, Options
from brettwerk_games.rules.plateau.position import MAX_TURNS, End, Position, all_of
from brettwerk_games.rules.plateau.start import new_by
from brettwerk_games.rules.refusals import GameOver, Illegal, Malformed
from tests.brettwerk_games.rules.plateau.boards import SEED, at, begun, do, done, moves, new, rule, stand

THREE = ("E@A1 6@B8 2@K1 2@K3 2@K5", "E@A9 2@F9 4@G9 6@H9", "E@A17 2@F17")
FOUR = ("E@A1 6@B6 2@K1 2@K3 2@K5", "E@A7 2@F7 4@G7", "E@A13 2@F13", "E@A19 2@F19")


def ended(position: Position) -> Outcome:
    outcome = GAME.outcome(position)
    assert outcome is not None
    return outcome


def scores(position: Position) -> tuple[float, ...]:
    return ended(position).scores


def won(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the winners and the places of all."""
    return ended(position).winners, ended(position).places


def test_a_conquered_empire_falls_and_its_armies_change_hands_and_rest() -> None:
    after, events = done(begun(*THREE), "6 B8-B9#A9")
    assert events[1] == Fell(1, 0, 3)
    assert (after.fallen, after.end, after.to_move) == ((1,), None, 0)
    assert [at(after, node) for node in ("A9", "F9", "G9", "H9")] == ["0:6", "0:2", "0:4", "0:6"]
    assert after.turn.total == 2
    assert rule(after, "F9-F10") == "EP-TURN-3"
    assert rule(after, "end") == "EP-TURN-2"
    later = do(after, "K1-K2-J2", "K3-K4-J4", "end")
    assert later.to_move == 2
    again = do(later, "A17-A18-A19-A20-A21-A22-A23", "end")
    assert again.to_move == 0
    assert ("F10", 1) in moves(again, "F9")


def test_the_emblem_of_a_fallen_empire_leaves_the_board() -> None:
    after = do(begun("E@A1 6@B8 2@K1 2@K3", "E@C20 2@F9", "E@A17"), "B8-B9#A9")
    assert (at(after, "C20"), at(after, "F9")) == ("", "0:2")


def test_by_option_the_armies_leave_the_board() -> None:
    after, events = done(begun(*THREE, options=Options(fallen=Fallen.REMOVE)), "B8-B9#A9")
    assert events[1] == Fell(1, 0, 0)
    assert [at(after, node) for node in ("A9", "F9", "G9", "H9")] == ["0:6", "", "", ""]


def test_a_fallen_base_is_an_ordinary_node() -> None:
    conquered = do(begun(*THREE), "6 B8-B9#A9", "K1-K2-J2", "K3-K4-J4", "end")
    near = do(conquered, "A17-A16-A15-A14-A13-A12-A11", "end", "6 A9-B9-C9-D9-E9", "G9-G8-G7", "end")
    assert {("A9", 4), ("A8", 5)} <= moves(near, "A11")
    assert do(near, "A11-A10-A9-A8-A7-A6-A5").fallen == (1,)


def test_the_last_empire_wins_and_places_follow_the_order_of_falling() -> None:
    position = begun("E@A1 6@B8 6@B16 2@K1", "E@A9 2@F9", "E@A17 2@F17")
    after, events = done(position, "B8-B9#A9", "B16-B17#A17")
    assert events[-1] == Ended(0, End.CONQUEST)
    assert (after.fallen, after.winner, scores(after)) == ((1, 2), 0, (1.0, 0.0, 0.0))
    assert won(after) == ((0,), (1, 3, 2))
    facts = GAME.scene(GAME.view(after, None)).facts
    assert [value.key for caption, value in facts if caption.key == "fact.rank"] == ["seat.0.name", "seat.2.name", "seat.1.name"]
    assert at(after, "F17") == "2:2"


def test_by_option_the_first_conquest_wins() -> None:
    after = do(begun(*THREE, options=Options(conquest_wins=True)), "B8-B9#A9")
    assert (after.end, scores(after)) == (End.CONQUEST, (1.0, 0.0, 0.0))
    assert won(after) == ((0,), (1, 3, 2))
    four = do(begun(*FOUR, options=Options(conquest_wins=True)), "B6-B7#A7")
    assert won(four) == ((0,), (1, 4, 2, 2))


def test_a_conquest_still_owes_six_steps() -> None:
    position = begun("2@B8 E@F3", "E@A9 2@F9", "E@A17")
    assert rule(position, "B8-A8#A9", "end") == "EP-TURN-2"
    assert rule(position, "F3-F4-F5-F6") == "EP-TURN-11"
    assert do(position, "F3-F4-F5-F6-F7", "B8-A8#A9").fallen == (1,)


def test_an_empire_without_armies_is_out_and_its_base_with_it() -> None:
    after, events = done(begun("E@A1 6@D4 2@K1 2@K3", "2@D6", "E@A17"), "D4-D5xD6")
    assert events[1] == Fell(1, None, 0)
    assert after.end is None
    walking = do(after, "K1-K2-J2", "K3-K4-J4", "end", "A17-A16-A15-A14-A13-A12-A11", "end")
    assert ("A9", 2) not in moves(walking, "A11")
    assert walking.fallen == (1,)


def test_with_two_players_the_last_army_decides() -> None:
    after = do(begun("E@A1 6@D4", "2@D6"), "D4-D5xD6")
    assert (after.end, scores(after)) == (End.ARMIES, (1.0, 0.0))
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert outcome.rule == "EP-END-1"


def test_a_resignation_leaves_the_board_whole() -> None:
    step = GAME.system_action(begun(*THREE), Resign(0), SEED)
    assert step.events == (Fell(0, None, 0),)
    assert (step.position.to_move, all_of(step.position.armies[0]), step.position.fallen) == (1, 0, (0,))
    waiting = GAME.system_action(begun(*THREE), Flag(2), SEED).position
    assert (waiting.to_move, waiting.turn.due, at(waiting, "A17")) == (0, 6, "")
    with pytest.raises(Illegal) as refused:
        GAME.system_action(waiting, Resign(2), SEED)
    assert refused.value.rule == "EP-MULTI-7"
    ended = GAME.system_action(waiting, Flag(1), SEED).position
    assert (ended.end, ended.winner, scores(ended)) == (End.TIME, 0, (1.0, 0.0, 0.0))
    with pytest.raises(GameOver):
        GAME.system_action(ended, Resign(0), SEED)
    with pytest.raises(Malformed):
        GAME.system_action(waiting, Resign(3), SEED)


def test_with_two_players_resigning_and_time_lose() -> None:
    for system_action, end in ((Resign(0), End.RESIGNED), (Flag(0), End.TIME)):
        after = GAME.system_action(new(), system_action, SEED).position
        assert (after.end, scores(after)) == (end, (0.0, 1.0))
        assert after.armies == new().armies


def test_a_draw_is_shared_by_those_who_are_left() -> None:
    assert scores(GAME.system_action(new(), Draw(), SEED).position) == (0.5, 0.5)
    left = GAME.system_action(begun(*FOUR), Resign(3), SEED).position
    assert scores(GAME.system_action(left, Draw(), SEED).position) == (1 / 3, 1 / 3, 1 / 3, 0.0)
    assert won(GAME.system_action(left, Draw(), SEED).position) == ((), (1, 1, 1, 4))
    allied = begun(*FOUR, options=Options(alliance=True))
    gone = GAME.system_action(allied, Resign(3), SEED).position
    drawn = GAME.system_action(gone, Draw(), SEED).position
    assert scores(drawn) == (0.25,) * 4
    assert won(drawn) == ((), (1, 1, 1, 1))
    assert [ended(drawn).chance(seat) for seat in range(4)] == [0.5] * 4


def test_partners_neither_capture_nor_conquer_each_other() -> None:
    position = stand("6@B13 6@F12 4@G12 2@E12", *FOUR[1:], options=Options(alliance=True))
    assert rule(position, "B13-A13") == "EP-MULTI-8"
    assert rule(position, "F12-F13") == "EP-MULTI-8"
    assert rule(position, "F12..F13/1") == "EP-MULTI-8"
    assert rule(position, "E12-E13-F13") == "EP-MULTI-8"
    assert rule(stand("6@A12", "2@K1", "2@F13", "2@K9", options=Options(alliance=True)), "A12-A13-A14") == "EP-MULTI-8"
    assert rule(stand("6@A12", "2@K1", "2@F13", "2@K9", options=Options(alliance=True)), "A12-A13") == "EP-MULTI-8"
    assert at(do(stand("4@F12", *FOUR[1:], options=Options(alliance=True)), "F12-F13J-F14-F15"), "F15") == "0:4"


def test_a_side_wins_when_both_enemies_are_out() -> None:
    position = begun(*FOUR, options=Options(alliance=True))
    one = do(position, "B6-B7#A7", "K1-K2-J2", "K3-K4-J4", "end")
    assert (one.end, one.to_move) == (None, 2)
    both = GAME.system_action(one, Resign(3), SEED).position
    assert (both.end, scores(both)) == (End.RESIGNED, (0.5, 0.0, 0.5, 0.0))
    assert won(both) == ((0, 2), (1, 3, 1, 3))
    assert [ended(both).chance(seat) for seat in range(4)] == [1, 0, 1, 0]
    lost = GAME.system_action(GAME.system_action(position, Resign(0), SEED).position, Resign(2), SEED).position
    assert scores(lost) == (0.0, 0.5, 0.0, 0.5)
    assert won(lost) == ((1, 3), (3, 1, 3, 1))


def test_an_alliance_goes_on_while_one_partner_stands() -> None:
    position = GAME.system_action(begun(*FOUR, options=Options(alliance=True)), Resign(2), SEED).position
    assert position.end is None
    assert GAME.outcome(position) is None


def test_turns_go_clockwise_past_those_who_are_out() -> None:
    position = GAME.system_action(begun(*FOUR), Resign(1), SEED).position
    turns = (
        ("K1-K2-J2", "K3-K4-J4", "K5-K6-J6", "end"),
        ("A13-B13-C13-C14-C15-C16-C17", "end"),
        ("A19-B19-C19-C20-C21-C22-C23", "end"),
    )
    order = [position.to_move]
    for turn in turns:
        position = do(position, *turn)
        order.append(position.to_move)
    assert order == [0, 2, 3, 0]


def test_the_third_time_of_a_position_is_a_draw() -> None:
    position = begun("E@A1 6@K1", "E@A9 6@K9")
    there, back = ("K1..J6/6", "K9..J14/6"), ("J6..K1/6", "J14..K9/6")
    for number in range(2):
        for mine, enemy in (there, back):
            assert position.end is None, number
            position = do(position, mine, "end", enemy, "end")
    assert position.end == End.REPETITION
    assert scores(position) == (0.5, 0.5)


def test_forty_quiet_rounds_are_a_draw_and_a_capture_counts_afresh() -> None:
    position = begun("E@A1 6@D4", "E@A9 2@D6 6@K9")
    assert len(position.history) == 1
    after = do(position, "D4-D5xD6")
    assert after.history == ()
    quiet = position._replace(history=tuple(range(80)))
    ended, events = done(quiet, "6 D4..J4/6", "end")
    assert (ended.end, events[-1]) == (End.ROUNDS, Ended(None, End.ROUNDS))
    assert do(position._replace(history=tuple(range(79))), "6 D4..J4/6", "end").end is None


def test_a_game_is_drawn_after_its_last_turn() -> None:
    position = begun("E@A1 6@D4", "E@A9 2@D6 6@K9")
    assert position.turns == 1
    assert do(position._replace(turns=MAX_TURNS - 1), "6 D4..J4/6", "end").turns == MAX_TURNS
    ended, events = done(position._replace(turns=MAX_TURNS), "6 D4..J4/6", "end")
    assert (ended.end, events[-1]) == (End.TURNS, Ended(None, End.TURNS))
    outcome = GAME.outcome(ended)
    assert outcome is not None
    assert (outcome.rule, outcome.scores) == ("EP-END-6", (0.5, 0.5))


def test_games_that_began_before_turns_were_counted_have_no_last_one() -> None:
    first = new_by("1", Options(), 2, None, SEED).position
    assert first.turns is None
    assert do(begun("E@A1 6@D4", "E@A9 2@D6 6@K9")._replace(turns=None), "6 D4..J4/6", "end").turns is None


def test_touch_move_is_final_and_can_be_agreed_on() -> None:
    position = new()
    assert not GAME.apply(position, position.to_move, GAME.actions(GAME.view(position, position.to_move))[0], SEED).final
    touched = GAME.system_action(position, Reoption(position.options._replace(touch_move=True)), SEED).position
    assert GAME.apply(touched, touched.to_move, GAME.actions(GAME.view(touched, touched.to_move))[0], SEED).final
    with pytest.raises(Illegal) as refused:
        GAME.system_action(position, Reoption(position.options._replace(fallen=Fallen.REMOVE)), SEED)
    assert refused.value.rule == "EP-MULTI-3"


def test_expiry_ends_the_turn_as_soon_as_it_may() -> None:
    position = new()
    actions: list[Action] = []
    while not actions or not isinstance(actions[-1], EndTurn):
        actions.append(GAME.expire(GAME.view(position, position.to_move)))
        position = GAME.apply(position, position.to_move, actions[-1], SEED).position
    assert len(actions) == 2


def test_with_more_players_too_a_captured_army_leaves_the_game() -> None:
    after = do(begun("E@A1 6@D4", "E@A9 2@D6", "E@A17"), "D4-D5xD6")
    assert (at(after, "D6"), [all_of(armies).bit_count() for armies in after.armies]) == ("0:6", [2, 1, 1])


def test_a_player_with_conquered_armies_makes_six_small_steps_and_no_more() -> None:
    conquered = do(begun(*THREE), "6 B8-B9#A9", "K1-K2-J2", "K3-K4-J4", "end")
    again = do(conquered, "A17-A18-A19-A20-A21-A22-A23", "end")
    assert rule(again, "6 A9-B9-C9-D9-E9", "4 G9-G8-G7-G6") == "EP-TURN-4"
    assert rule(again, "6 A9-B9-C9-D9-E9", "4 G9-G8-G7", "2 F9-F10") == "EP-TURN-4"
