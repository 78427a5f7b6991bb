"""Games whose notation, choices, catalogues or rules pages are wrong."""

from dataclasses import fields, replace
from functools import partial
from typing import Any

from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.facts import Facts
from brettwerk_games.rules.interface import Area, Choice, Narration, Scene, Text
from brettwerk_games.rules.optional import Group
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.blind_duel.game import Action, BlindDuel, Event, View
from tests.brettwerk_games.rules.mutants.register import breaks, breaks_facts, duel, einstein


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
def scene__draws_two_places_as_one(self: Any, view: View) -> Scene:
    return replace(duel.scene(view), areas=())


@breaks("scenes_and_choices_fit", BlindDuel)
def scene__has_a_place_in_two_areas(self: Any, view: View) -> Scene:
    scene = duel.scene(view)
    return replace(scene, areas=(*scene.areas, *scene.areas))


@breaks("scenes_and_choices_fit", BlindDuel)
def scene__has_an_unknown_place_in_an_area(self: Any, view: View) -> Scene:
    scene = duel.scene(view)
    return replace(scene, areas=(*scene.areas, Area(Text("place.deck"), ("table",))))


@breaks("narrations_fit", BlindDuel)
def tell__names_an_unknown_place(self: Any, view: View, event: Event) -> Narration:
    return Narration(Text("place.deck"), ("table",))


@breaks("narrations_fit", BlindDuel)
def tell__has_no_word_in_the_catalogue(self: Any, view: View, event: Event) -> Narration:
    return Narration(Text("tell.unheard"))


@breaks("scenes_and_choices_fit", BlindDuel)
def choice__has_no_word_in_the_catalogue(self: Any, view: View, action: Action) -> Choice:
    return Choice((), Text("choice.unheard"))


@breaks("scenes_and_choices_fit", Einstein)
def choice__leaves_a_gap_in_the_sentence(self: Any, view: Any, action: Any) -> Choice:
    return Choice((), Text("choice.move", {"stone": "1"}))


@breaks("scenes_and_choices_fit", BlindDuel)
def choices__are_in_another_order(self: Any, view: View, actions: Any) -> Any:
    return [(duel.choice(view, action), duel.write(view, action)) for action in reversed(actions)]


@breaks("scenes_and_choices_fit", Einstein)
def groups__are_named_by_the_action_only(self: Any, view: Any) -> Any:
    return [Group(action, 1, partial(tuple, (action,))) for action in einstein.actions(view)]


@breaks("scenes_and_choices_fit", Einstein)
def groups__leave_out_the_last_action(self: Any, view: Any) -> Any:
    return [Group((view, action), 1, partial(tuple, (action,))) for action in einstein.actions(view)[:-1]]


@breaks("scenes_and_choices_fit", Einstein)
def groups__count_wrongly(self: Any, view: Any) -> Any:
    return [Group(view, 1, lambda: einstein.actions(view))] if einstein.actions(view) else []


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


breaks_facts("facts_are_sound", "facts with no seats", BlindDuel, replace(duel.facts, min_seats=0))
breaks_facts("catalogues_are_complete", "a catalogue with a gap", Einstein, _as(GapInGerman))
breaks_facts("catalogues_are_complete", "a catalogue with other names", Einstein, _as(OtherNames))
breaks_facts("rules_pages_are_complete", "a rules page with a gap", Einstein, _as(ShortPage))
