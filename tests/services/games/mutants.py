"""Broken games: each breaks one thing of a game that conforms, and names the check that must notice."""

import random
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from services.games.einstein.codec import EinsteinCodec
from services.games.einstein.game import Einstein
from services.games.facts import Facts
from services.games.interface import AnyGame, Choice, Draw, Kind, Outcome, Reoption, Step, Text
from services.games.refusals import GameOver, Illegal, Malformed
from tests.services.games.blind_duel.game import Action, BlindDuel, Codec, Event, Position, View

duel, einstein = BlindDuel(), Einstein()
MUTANTS: dict[str, tuple[str, Callable[[], AnyGame]]] = {}
"""By what is broken: the check that must fail, and the broken game."""


def breaks(check: str, base: type[Any], **broken: Any) -> Callable[[Callable[..., Any]], None]:
    """Register the game `base` with the method of this name (but for what follows `__`) replaced by the function."""

    def register(method: Callable[..., Any]) -> None:
        name, _, what = method.__name__.partition("__")
        overrides = {**broken, name: method}
        MUTANTS[f"{name} {what}".replace("_", " ")] = (check, lambda: type(f"Broken{base.__name__}", (base,), overrides)())

    return register


def breaks_codec(check: str, game: type[Any], codec: type[Any]) -> Callable[[Callable[..., Any]], None]:
    """Register `game` with a method of its codec replaced."""

    def register(method: Callable[..., Any]) -> None:
        name, _, what = method.__name__.partition("__")
        mutant = type(f"Broken{codec.__name__}", (codec,), {name: method})()
        MUTANTS[f"{name} {what}".replace("_", " ")] = (
            check,
            lambda: type(f"Broken{game.__name__}", (game,), {"codec": mutant})(),
        )

    return register


def breaks_facts(check: str, what: str, base: type[Any], facts: Facts) -> None:
    """Register `base` with other facts."""
    MUTANTS[what] = (check, lambda: type(f"Broken{base.__name__}", (base,), {"facts": facts})())


# secrets


class TellingView(View):
    """A view that has the position with it."""

    behind: Position


@breaks("look_alikes_are_told_the_same", BlindDuel)
def view__carries_the_other_card(self: Any, position: Position, seat: int | None) -> View:
    return duel.view(position, seat)._replace(extra=position.cards[1 - (seat or 0)])


@breaks("look_alikes_are_told_the_same", BlindDuel)
def view__carries_the_deck_top_of_a_seat_only(self: Any, position: Position, seat: int | None) -> View:
    return duel.view(position, seat)._replace(extra=position.deck[0] if seat == 1 else 0)


@breaks("look_alikes_are_told_the_same", BlindDuel)
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


@breaks("look_alikes_are_told_the_same", BlindDuel, view=_view_with_position)
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


@breaks("look_alikes_are_told_the_same", BlindDuel)
def sample__forgets_what_was_seen(self: Any, view: View, seed: bytes) -> Position:
    return duel.sample(view._replace(cards=(0, 0)), seed)


@breaks("look_alikes_are_told_the_same", Einstein)
def sample__gives_another_position(self: Any, view: Any, seed: bytes) -> Any:
    return view.position._replace(roll=seed[0] % 6 + 1)


@breaks("open_games_show_everything", Einstein)
def show__hides_from_spectators(self: Any, event: Any, seat: int | None) -> Any:
    return None if seat is None else event


# turns


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


@breaks("other_seats_wait", Einstein)
def apply__does_not_look_who_acts(self: Any, position: Any, seat: int, action: Any, seed: bytes) -> Any:
    return einstein.apply(position, position.to_move, action, seed)


@breaks("games_end_within_their_bound", BlindDuel)
def outcome__gives_both_a_win(self: Any, position: Position) -> Outcome | None:
    outcome = duel.outcome(position)
    return outcome and replace(outcome, scores=(1.0, 1.0))


@breaks("games_end_within_their_bound", BlindDuel)
def outcome__is_there_too_soon(self: Any, position: Position) -> Outcome | None:
    return Outcome((1.0, 0.0), Text("reason.called"), "BD-END-1")


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


@breaks("decrees_follow_the_rules", Einstein)
def decree__knows_a_draw(self: Any, position: Any, decree: Any, seed: bytes) -> Any:
    return Step(position) if isinstance(decree, Draw) else einstein.decree(position, decree, seed)


@breaks("decrees_follow_the_rules", BlindDuel)
def decree__does_not_hear_who_resigns(self: Any, position: Position, decree: Any, seed: bytes) -> Any:
    return Step(position)


@breaks("options_for_the_start_stay", Einstein)
def decree__takes_any_options(self: Any, position: Any, decree: Any, seed: bytes) -> Any:
    return Step(position) if isinstance(decree, Reoption) else einstein.decree(position, decree, seed)


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


# bytes


@breaks_codec("kinds_are_typed", BlindDuel, Codec)
def type_name__is_the_same(self: Any, kind: Kind) -> str:
    return "tests.BlindDuel"


@breaks_codec("bytes_come_back", Einstein, EinsteinCodec)
def encode__forgets_the_roll(self: Any, kind: Kind, value: Any) -> bytes:
    return einstein.codec.encode(kind, value._replace(roll=0) if kind is Kind.POSITION else value)


@breaks_codec("bytes_come_back", Einstein, EinsteinCodec)
def encode__is_not_canonical(self: Any, kind: Kind, value: Any) -> bytes:
    return einstein.codec.encode(kind, value) + bytes([0xF8, 0x01, random.randrange(100)])


@breaks_codec("logs_replay", BlindDuel, Codec)
def encode__forgets_who_knows(self: Any, kind: Kind, value: Any) -> bytes:
    return duel.codec.encode(kind, value._replace(drawn=(0, 0)) if kind is Kind.POSITION else value)  # type: ignore[no-any-return]


@breaks_codec("garbage_is_malformed", BlindDuel, Codec)
def decode__crashes_on_garbage(self: Any, kind: Kind, data: bytes) -> Any:
    return duel.codec._decode(kind, data)


@breaks_codec("garbage_is_malformed", Einstein, EinsteinCodec)
def decode__takes_any_roll(self: Any, kind: Kind, data: bytes) -> Any:
    value = einstein.codec.decode(kind, data)
    return value._replace(roll=value.roll or 7) if kind is Kind.POSITION else value


@breaks_codec("wrong_options_are_refused", Einstein, EinsteinCodec)
def decode__takes_any_option(self: Any, kind: Kind, data: bytes) -> Any:
    try:
        return einstein.codec.decode(kind, data)
    except Malformed:
        return einstein.codec.decode(kind, b"")


# words


@breaks("notation_comes_back", Einstein)
def write__leaves_out_the_target(self: Any, view: Any, action: Any) -> str:
    return einstein.write(view, action)[:5]


@breaks("notation_comes_back", BlindDuel)
def read__reads_one_word_only(self: Any, view: View, text: str) -> Action:
    return Action.CALL


@breaks("everybody_can_write_what_happened", BlindDuel)
def write__is_for_the_seat_to_act_only(self: Any, view: View, action: Action) -> str:
    return duel.write(view, action) if view.seat == view.turn else ""


@breaks("nonsense_is_refused", BlindDuel)
def read__takes_the_first_action_for_nonsense(self: Any, view: View, text: str) -> Action:
    try:
        return duel.read(view, text)
    except Malformed:
        return Action.PEEK


@breaks("scenes_and_choices_fit", BlindDuel)
def choice__names_an_unknown_place(self: Any, view: View, action: Action) -> Choice:
    return Choice(("table",), Text("choice", {"action": "x"}))


@breaks("scenes_and_choices_fit", BlindDuel)
def choice__has_no_word_in_the_catalogue(self: Any, view: View, action: Action) -> Choice:
    return Choice((), Text("choice.unheard"))


@breaks("scenes_and_choices_fit", Einstein)
def choice__leaves_a_gap_in_the_sentence(self: Any, view: Any, action: Any) -> Choice:
    return Choice((), Text("choice.move", {"stone": "1"}))


class GapInGerman(Facts):
    """Facts whose German catalogue lacks a sentence."""

    def catalogue(self, language: str) -> dict[str, str]:
        texts = einstein.facts.catalogue(language)
        return texts if language == "en" else {key: text for key, text in texts.items() if key != "stone.1"}


class OtherNames(Facts):
    """Facts whose German sentences have other names in them."""

    def catalogue(self, language: str) -> dict[str, str]:
        texts = einstein.facts.catalogue(language)
        return texts if language == "en" else {key: text.replace("{number}", "{zahl}") for key, text in texts.items()}


class ShortPage(Facts):
    """Facts whose rules pages lack a rule."""

    def rules_page(self, language: str) -> str:
        return einstein.facts.rules_page(language).replace('id="EWN-END-2"', 'id="EWN-END-9"')


def _as(kind: type[Facts]) -> Facts:
    return kind(**{field.name: getattr(einstein.facts, field.name) for field in fields(Facts)})


breaks_facts("games_end_within_their_bound", "facts with too small a bound", Einstein, replace(einstein.facts, max_actions=4))
breaks_facts("equal_seeds_give_equal_games", "facts that deny chance", Einstein, replace(einstein.facts, chance=False))
breaks_facts("decrees_follow_the_rules", "facts that deny draws", BlindDuel, replace(duel.facts, draws=False))
breaks_facts("look_alikes_are_told_the_same", "facts that deny hidden things", BlindDuel, replace(duel.facts, hidden=False))
breaks_facts("facts_are_sound", "facts with no seats", BlindDuel, replace(duel.facts, min_seats=0))
breaks_facts("catalogues_are_complete", "a catalogue with a gap", Einstein, _as(GapInGerman))
breaks_facts("catalogues_are_complete", "a catalogue with other names", Einstein, _as(OtherNames))
breaks_facts("rules_pages_are_complete", "a rules page with a gap", Einstein, _as(ShortPage))
