"""Every rule of the page is refused by its id in a test, or is proved by a test that is named here, or is a mere description."""

import re
from pathlib import Path

from brettwerk_games.rules.plateau import GAME

HERE = Path(__file__).parent
SESSIONS = HERE.parents[2] / "services" / "session" / "live" / "test_plateau.py"
PROOFS = {
    "EP-GOAL-1": "test_m5_a_two_conquers_in_an_l",
    "EP-GOAL-2": "test_a_conquest_that_ends_the_game_strands_nobody",
    "EP-ARMY-1": "test_every_empire_has_nineteen_armies_and_its_emblem_on_its_base",
    "EP-BOARD-1": "test_boards_have_the_nodes_and_edges_of_the_rules",
    "EP-BOARD-3": "test_m22_no_army_enters_the_red_area_of_a_flat_board",
    "EP-BOARD-4": "test_every_empire_has_nineteen_armies_and_its_emblem_on_its_base",
    "EP-BOARD-5": "test_every_node_is_spoken",
    "EP-BOARD-6": "test_round_nodes_have_three_neighbours_on_the_rims_and_four_elsewhere",
    "EP-BOARD-7": "test_m22_ring_k_has_no_way_inward",
    "EP-BOARD-8": "test_turning_the_round_board_by_a_seat_and_mirroring_it_changes_nothing",
    "EP-TURN-1": "test_the_lot_decides_who_begins_and_the_options_may",
    "EP-TURN-7": "test_faq3d_six_small_steps_are_a_turn",
    "EP-TURN-8": "test_a_turn_owes_six_steps_or_the_most_that_can_be_made",
    "EP-TURN-9": "test_faq5a_small_armies_count_afresh_after_five_of_the_emblem",
    "EP-TURN-10": "test_until_its_end_a_turn_is_taken_back_freely_and_afterwards_by_nobody_alone",
    "EP-MOVE-5": "test_small_armies_reach_what_a_plain_search_finds",
    "EP-MOVE-6": "test_m22_no_army_enters_the_red_area_of_a_flat_board",
    "EP-CAPTURE-1": "test_m1_a_two_captures_round_a_corner",
    "EP-CAPTURE-2": "test_m8_a_six_captures_and_stops",
    "EP-CAPTURE-3": "test_m8_a_six_captures_and_stops",
    "EP-CAPTURE-4": "test_small_armies_reach_what_a_plain_search_finds",
    "EP-CAPTURE-5": "test_capturing_is_optional",
    "EP-MOVE-2S-1": "test_m4_a_two_does_not_capture_straight_in_two_steps_and_moves_as_it_likes_without_capturing",
    "EP-MOVE-4S-1": "test_m11_after_the_jump_a_four_goes_on_as_usual",
    "EP-MOVE-4S-4": "test_m11_after_the_jump_a_four_goes_on_as_usual",
    "EP-MOVE-4S-6": "test_fours_turn_after_landing_but_not_in_the_air",
    "EP-MOVE-4S-7": "test_a_jumped_army_stays_and_its_node_is_used",
    "EP-MOVE-4S-10": "test_m16_only_fours_jump",
    "EP-MOVE-6S-1": "test_small_armies_reach_what_a_plain_search_finds",
    "EP-EMBLEM-1": "test_turn1_the_emblem_alone_is_a_turn",
    "EP-EMBLEM-2": "test_faq4c_the_emblem_moves_once",
    "EP-EMBLEM-3": "test_the_emblem_crosses_its_own_base_and_comes_back_to_it",
    "EP-EMBLEM-4": "test_m23_the_emblem_captures",
    "EP-EMBLEM-5": "test_bases_stay_when_the_emblem_is_lost_or_away",
    "EP-BASE-2": "test_m5_a_two_conquers_in_an_l",
    "EP-BASE-3": "test_bases_stay_when_the_emblem_is_lost_or_away",
    "EP-END-2": "test_the_third_time_of_a_position_is_a_draw",
    "EP-END-3": "test_forty_quiet_rounds_are_a_draw_and_a_capture_counts_afresh",
    "EP-END-4": "test_a_draw_is_shared_by_those_who_are_left",
    "EP-END-5": "test_with_two_players_resigning_and_time_lose",
    "EP-END-6": "test_a_game_is_drawn_after_its_last_turn",
    "EP-MULTI-1": "test_the_last_empire_wins_and_places_follow_the_order_of_falling",
    "EP-MULTI-2": "test_with_more_players_too_a_captured_army_leaves_the_game",
    "EP-MULTI-4": "test_a_fallen_base_is_an_ordinary_node",
    "EP-MULTI-5": "test_a_conquest_still_owes_six_steps",
    "EP-MULTI-6": "test_a_player_with_conquered_armies_makes_six_small_steps_and_no_more",
    "EP-START-1": "test_other_start_positions_are_refused",
    "EP-TIME-1": "test_expiry_ends_the_turn_as_soon_as_it_may",
}
"""By rule: a test that fails without it. Rules that refuse are not named here: tests expect their ids."""
UNTESTED = {"EP-ARMY-3": "empires differ in looks only"}


def test_every_rule_has_its_test_or_a_reason_for_none() -> None:
    rules = re.findall(r'<a id="(EP-[A-Z0-9-]+)">', GAME.facts.rules_page("en"))
    texts = [path.read_text(encoding="utf-8") for path in (*HERE.glob("test_*.py"), SESSIONS) if path != Path(__file__)]
    refused = {rule for text in texts for rule in re.findall(r"\"(EP-[A-Z0-9-]+)\"", text)}
    assert len(rules) == len(set(rules)) > 75
    missing = [rule for rule in rules if rule not in {*refused, *PROOFS, *UNTESTED}]
    assert not missing, f"without a test: {missing}"
    assert not {*PROOFS, *UNTESTED} - set(rules), "rules that there are not"
    assert not UNTESTED.keys() & (refused | PROOFS.keys())


def test_the_tests_that_are_named_are_there() -> None:
    paths = [path for path in (*HERE.glob("test_*.py"), SESSIONS) if path != Path(__file__)]
    names = {
        name for path in paths for name in re.findall(r"^(?:async )?def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE)
    }
    assert not set(PROOFS.values()) - names
