"""Games that break the turn, the end, system actions, options or start positions."""

import random
from dataclasses import replace
from typing import Any

from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.interface import Draw, Outcome, Reoption, Step, Text
from brettwerk_games.rules.ranking import of_two
from brettwerk_games.rules.refusals import GameOver, Illegal, Malformed
from tests.brettwerk_games.rules.blind_duel.game import Action, BlindDuel, Position, View
from tests.brettwerk_games.rules.mutants.register import breaks, breaks_facts, duel, einstein


@breaks("legal_actions_are_listed", BlindDuel)
def actions__are_listed_twice(self: Any, view: View) -> tuple[Action, ...]:
    return duel.actions(view) * 2


@breaks("legal_actions_are_listed", Einstein)
def actions__are_in_any_order(self: Any, view: Any) -> list[Any]:
    legal = list(einstein.actions(view))
    random.shuffle(legal)
    return legal


@breaks("legal_actions_are_listed", Einstein)
def actions__are_listed_for_everybody(self: Any, view: Any) -> Any:
    return einstein.actions(view._replace(seat=view.position.to_move))


@breaks("legal_actions_are_listed", Einstein)
def actions__are_none_at_times(self: Any, view: Any) -> Any:
    return () if view.position.roll == 6 else einstein.actions(view)


@breaks("legal_actions_are_listed", Einstein)
def seats__are_three(self: Any, position: Any) -> int:
    return 3


@breaks("legal_actions_are_listed", BlindDuel)
def first_actions__are_the_last(self: Any, view: View, most: int) -> tuple[Action, ...]:
    return duel.actions(view)[-most:]


@breaks("legal_actions_are_accepted", BlindDuel)
def apply__refuses_to_peek(self: Any, position: Position, seat: int, action: Action, seed: bytes) -> Any:
    if action == Action.PEEK:
        raise Illegal("no", rule="BD-PEEK-1", details={"action": "peek"})
    return duel.apply(position, seat, action, seed)


@breaks("legal_actions_are_accepted", Einstein)
def apply__does_nothing(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    return Step(position)


@breaks("other_actions_are_refused", BlindDuel)
def apply__accepts_everything(self: Any, position: Position, seat: int, action: Action, seed: bytes) -> Any:
    duel._require_turn(position, seat)
    return duel._play(position._replace(deck=(*position.deck, 1)), seat, action)


@breaks("other_actions_are_refused", Einstein)
def apply__refuses_without_a_rule(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    try:
        return einstein.apply(position, seat, action, seed)
    except Illegal as refusal:
        raise type(refusal)(refusal.message) from refusal


@breaks("other_actions_are_refused", Einstein)
def apply__refuses_by_a_rule_that_nobody_knows(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    try:
        return einstein.apply(position, seat, action, seed)
    except Illegal as refusal:
        refusal.rule = "EWN-MOVE-99"
        raise


@breaks("other_actions_are_refused", Einstein)
def apply__refuses_without_details(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    try:
        return einstein.apply(position, seat, action, seed)
    except Illegal as refusal:
        refusal.details.clear()
        raise


@breaks("other_actions_are_refused", Einstein)
def apply__calls_it_malformed(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    try:
        return einstein.apply(position, seat, action, seed)
    except Illegal as refusal:
        raise Malformed(refusal.message) from refusal


@breaks("seats_take_turns", BlindDuel)
def apply__lets_the_first_seat_act_again(self: Any, position: Position, seat: int, action: Action, seed: bytes) -> Any:
    step = duel.apply(position, seat, action, seed)
    return replace(step, position=step.position._replace(turn=0))


@breaks("options_change_something", Einstein)
def new__forgets_the_options(self: Any, options: Any, seats: int, start: Any, seed: bytes) -> Any:
    return einstein.new(type(options)(), seats, start, seed)


@breaks("equal_seeds_give_equal_games", BlindDuel)
def new__always_deals_the_same(self: Any, options: Any, seats: int, start: Any, seed: bytes) -> Any:
    return duel.new(options, seats, start, bytes(32))


@breaks("other_seats_wait", Einstein)
def apply__does_not_look_who_acts(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    return einstein.apply(position, position.to_move, action, seed)


@breaks("games_end_within_their_bound", BlindDuel)
def outcome__is_there_too_soon(self: Any, position: Position) -> Outcome | None:
    return of_two(0, Text("reason.called"), "BD-END-1")


@breaks("games_end_within_their_bound", BlindDuel)
def outcome__is_forgotten(self: Any, position: Position) -> Outcome | None:
    return None


@breaks("games_end_within_their_bound", Einstein)
def apply__does_not_say_that_it_is_over(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    try:
        return einstein.apply(position, seat, action, seed)
    except GameOver as refusal:
        raise Illegal(refusal.message, rule=refusal.rule) from refusal


@breaks("equal_seeds_give_equal_games", Einstein)
def apply__rolls_its_own_dice(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    return einstein.apply(position, seat, action, random.randbytes(32))


@breaks("expiry_names_a_legal_action", BlindDuel)
def expire__always_peeks(self: Any, view: View) -> Action:
    return Action.PEEK


@breaks("system_actions_follow_the_rules", Einstein)
def system_action__knows_a_draw(self: Any, position: Any, system_action: Any, seed: bytes) -> Any:
    return Step(position) if isinstance(system_action, Draw) else einstein.system_action(position, system_action, seed)


@breaks("system_actions_follow_the_rules", BlindDuel)
def system_action__does_not_hear_who_resigns(self: Any, position: Position, system_action: Any, seed: bytes) -> Any:
    return Step(position)


@breaks("options_for_the_start_stay", Einstein)
def system_action__takes_any_options(self: Any, position: Any, system_action: Any, seed: bytes) -> Any:
    return Step(position) if isinstance(system_action, Reoption) else einstein.system_action(position, system_action, seed)


@breaks("options_are_kept", Einstein)
def new__refuses_an_option_without_a_rule(self: Any, options: Any, seats: int, start: Any, seed: bytes) -> Any:
    if options.setup == 3:
        raise Illegal("not today")
    return einstein.new(options, seats, start, seed)


@breaks("seats_are_counted", BlindDuel)
def new__takes_any_seats(self: Any, options: Any, seats: int, start: Any, seed: bytes) -> Any:
    return duel.new(options, 2, start, seed)


@breaks("start_positions_are_checked", BlindDuel)
def new__takes_any_start(self: Any, options: Any, seats: int, start: Any, seed: bytes) -> Any:
    return Step(start) if start else duel.new(options, seats, start, seed)


@breaks("broken_start_positions_are_refused", Einstein)
def new__does_not_look_at_the_start(self: Any, options: Any, seats: int, start: Any, seed: bytes) -> Any:
    return Step(start) if start else einstein.new(options, seats, start, seed)


breaks_facts("games_end_within_their_bound", "facts with too small a bound", Einstein, replace(einstein.facts, max_actions=4))
breaks_facts("equal_seeds_give_equal_games", "facts that deny chance", Einstein, replace(einstein.facts, chance=False))
breaks_facts("system_actions_follow_the_rules", "facts that deny draws", BlindDuel, replace(duel.facts, draws=False))
