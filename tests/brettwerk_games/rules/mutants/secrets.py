"""Games that tell what a seat may not know."""

from dataclasses import replace
from typing import Any

from brettwerk_games.rules.chance import SEED_BYTES, Dice
from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.refusals import Illegal
from tests.brettwerk_games.rules.blind_duel.game import Action, BlindDuel, Event, Position, View
from tests.brettwerk_games.rules.mutants.register import breaks, breaks_facts, duel


class TellingView(View):
    """A view that has the position with it."""

    behind: Position


@breaks("look_alikes_are_shown_the_same", BlindDuel)
def view__carries_the_other_card(self: Any, position: Position, seat: int | None) -> View:
    return duel.view(position, seat)._replace(extra=position.cards[1 - (seat or 0)])


@breaks("look_alikes_are_shown_the_same", BlindDuel)
def view__carries_the_deck_top_of_a_seat_only(self: Any, position: Position, seat: int | None) -> View:
    return duel.view(position, seat)._replace(extra=position.deck[0] if seat == 1 else 0)


@breaks("look_alikes_are_shown_the_same", BlindDuel)
def view__shows_the_cards_and_sample_believes_it(self: Any, position: Position, seat: int | None) -> View:
    return duel.view(position, seat)._replace(cards=position.cards)


def _view_with_position(self: Any, position: Position, seat: int | None) -> View:
    view = TellingView(*duel.view(position, seat))
    view.behind = position
    return view


@breaks("decoded_views_say_the_same", BlindDuel, view=_view_with_position)
def actions__know_the_position(self: Any, view: View) -> tuple[Action, ...]:
    legal = duel.actions(view)
    return legal[:1] if isinstance(view, TellingView) and view.behind.cards[0] > 3 else legal


@breaks("look_alikes_are_shown_the_same", BlindDuel, view=_view_with_position)
def scene__knows_the_position(self: Any, view: View) -> Any:
    if isinstance(view, TellingView):
        view = view._replace(cards=view.behind.cards)
    return duel.scene(view)


@breaks("look_alikes_are_refused_the_same", BlindDuel)
def apply__tells_the_card_in_a_refusal(self: Any, position: Position, seat: int, action: Action, seed: bytes) -> Any:
    try:
        return duel.apply(position, seat, action, seed)
    except Illegal as refusal:
        refusal.details["card"] = str(position.cards[1 - seat])
        raise


@breaks("look_alikes_are_refused_the_same", BlindDuel)
def apply__forbids_what_the_deck_does_not_like(self: Any, position: Position, seat: int, action: Action, seed: bytes) -> Any:
    if action == Action.DRAW and position.deck[0] == 6:
        raise Illegal("not this card", rule="BD-TURN-1")
    return duel.apply(position, seat, action, seed)


@breaks("events_show_what_views_show", BlindDuel)
def show__shows_every_card(self: Any, event: Event, seat: int | None) -> Event:
    return event


@breaks("events_show_what_views_show", BlindDuel)
def show__shows_spectators_every_card(self: Any, event: Event, seat: int | None) -> Event | None:
    return event if seat is None else duel.show(event, seat)


@breaks("events_show_what_views_show", BlindDuel)
def apply__does_not_say_that_it_reveals(self: Any, position: Position, seat: int, action: Action, seed: bytes) -> Any:
    return replace(duel.apply(position, seat, action, seed), reveals=False)


@breaks("look_alikes_are_shown_the_same", BlindDuel)
def sample__forgets_what_was_seen(self: Any, view: View, seed: bytes) -> Position:
    return duel.sample(view._replace(cards=(0, 0)), seed)


@breaks("guesses_differ", BlindDuel)
def sample__always_guesses_the_same(self: Any, view: View, seed: bytes) -> Position:
    return duel.sample(view, bytes(SEED_BYTES))


def _apply_with_new_deck(self: Any, position: Position, seat: int, action: Action, seed: bytes) -> Any:
    """Shuffle the deck in each step: what is drawn next is drawn now, and nobody sees it."""
    step = duel.apply(position, seat, action, seed)
    deck = Dice(seed).shuffled(step.position.deck)
    shown = tuple(event._replace(card=event.card or (deck[0] if deck else 0)) for event in step.events)
    return replace(step, position=step.position._replace(deck=deck), events=shown)


@breaks("events_keep_what_is_drawn", BlindDuel, apply=_apply_with_new_deck)
def show__shows_spectators_what_was_drawn(self: Any, event: Event, seat: int | None) -> Event | None:
    return event if seat is None else duel.show(event, seat)


@breaks("look_alikes_are_shown_the_same", Einstein)
def sample__gives_another_position(self: Any, view: Any, seed: bytes) -> Any:
    return view.position._replace(roll=seed[0] % 6 + 1)


@breaks("open_games_show_everything", Einstein)
def show__hides_from_spectators(self: Any, event: Any, seat: int | None) -> Any:
    return None if seat is None else event


def _leaves_with_cards_shown(self: Any, position: Position, system_action: Any, seed: bytes) -> Any:
    step = duel.system_action(position, system_action, seed)
    return replace(step, events=(Event(1, Action.PEEK, position.cards[1]),))


@breaks("system_actions_keep_secrets", BlindDuel, system_action=_leaves_with_cards_shown)
def show__shows_everybody_the_card_of_who_gives_up(self: Any, event: Event, seat: int | None) -> Event:
    return event


def _dealt_openly(self: Any, options: Any, seats: int, start: Any, seed: bytes) -> Any:
    step = duel.new(options, seats, start, seed)
    return replace(step, events=(Event(0, Action.DRAW, step.position.cards[0]),))


@breaks("events_keep_what_is_drawn", BlindDuel, new=_dealt_openly)
def show__shows_spectators_what_was_dealt(self: Any, event: Event, seat: int | None) -> Event | None:
    return event if seat is None else duel.show(event, seat)


breaks_facts("hidden_games_have_look_alikes", "a game without look-alikes", BlindDuel, replace(duel.facts, id="lonely_duel"))
breaks_facts("look_alikes_are_shown_the_same", "facts that deny hidden things", BlindDuel, replace(duel.facts, hidden=False))
