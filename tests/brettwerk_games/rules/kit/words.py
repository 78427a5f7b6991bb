"""Checks of words: notation, choices, scenes, catalogues, facts and rules pages."""

import re
from collections.abc import Sequence
from typing import Any

from brettwerk_games.rules.interface import AnyGame, Choice, Kind, Scene, Text, Thing
from brettwerk_games.rules.refusals import GameRefusal
from tests.brettwerk_games.rules.kit.options import presets
from tests.brettwerk_games.rules.kit.play import ACTIONS, dice, is_accepted, moments_of, plies_of, read_by, some
from tests.brettwerk_games.rules.kit.refusal import LANGUAGES, explains_itself, is_explained, names_in

_RULE_ID = re.compile(r"<a id=\"([^\"]+)\"></a>")


def notation_comes_back(game: AnyGame) -> None:
    """The notation of a legal action is read as that action; no two legal actions are written alike."""
    for number, moment in enumerate(moments_of(game)):
        for seat in game.to_act(moment.position):
            view = game.view(moment.position, seat)
            legal = some(dice(number), game.actions(view), ACTIONS)
            texts = [game.write(view, action) for action in legal]
            assert len(set(texts)) == len(texts), f"two actions are written alike: {texts}"
            for action, text in zip(legal, texts, strict=True):
                assert 0 < len(text.encode()) <= 200, text
                try:
                    back = game.read(view, text)
                except GameRefusal as refusal:
                    raise AssertionError(f"{text!r} was written and cannot be read: {refusal.message}") from refusal
                assert back == action, f"{action!r} was written {text!r} and read {back!r}"


def everybody_can_write_what_happened(game: AnyGame) -> None:
    """A played action has a notation in the eyes of every seat and of spectators."""
    for ply, seats in plies_of(game):
        for seat in (*range(seats), None):
            for text in (game.write(game.view(ply.before, seat), ply.action), read_by(game, ply, seat)):
                assert 0 < len(text.encode()) <= 200, text


def nonsense_is_refused(game: AnyGame) -> None:
    """Made-up notation is refused, or it means a legal action."""
    rng = dice("nonsense")
    texts = ["", " ", "?", "pass", "0", "1", "-", "x", "\0", "é", "١", "𝟙", "A" * 5000, "1:1A1-A1", "{0}", "%s"]
    for moment in moments_of(game):
        for seat in game.to_act(moment.position):
            view = game.view(moment.position, seat)
            legal = game.actions(view)
            for text in texts + [_scrambled(rng, game.write(view, rng.choice(legal))) for _ in range(10)]:
                try:
                    action = game.read(view, text)
                except GameRefusal as refusal:
                    explains_itself(game, refusal)
                    continue
                known = action in legal or is_accepted(game, moment.position, seat, action)
                assert known, f"{text!r} was read as {action!r}, which is not legal"


def _scrambled(rng: Any, text: str) -> str:
    letters = list(text)
    at = rng.randrange(len(letters))
    match rng.randrange(4):
        case 0:
            del letters[at]
        case 1:
            letters.insert(at, rng.choice("0123456789ABCDEFGHxX-:+ "))
        case 2:
            letters[at] = rng.choice("0123456789ABCDEFGHxX-:+ ")
        case _:
            letters.reverse()
    return "".join(letters)


class Texts:
    """Checks texts of a game, each of them once: most are met thousands of times."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._met: set[tuple[str, tuple[tuple[str, str], ...]]] = set()

    def check(self, text: Text) -> None:
        known = text.key, tuple(text.args.items())
        if known not in self._met:
            is_explained(self._game, text)
            self._met.add(known)


def scenes_and_choices_fit(game: AnyGame) -> None:
    """Scenes have unique places inside the grid, choices name places of the scene, and all words are in the catalogues."""
    texts = Texts(game)
    grouped: dict[object, list[tuple[Any, Choice, str]]] = {}
    for number, moment in enumerate(moments_of(game)):
        for seat in moment.eyes:
            view = game.view(moment.position, seat)
            scene = game.scene(view)
            names = _names(scene, moment.seats)
            for place in scene.places:
                texts.check(place.label)
                _things_fit(place.things, 16, moment.seats, texts)
            for area in scene.areas:
                texts.check(area.label)
            for caption, value in scene.facts:
                texts.check(caption)
                texts.check(value)
            looked_at = some(dice(number), game.actions(view), ACTIONS)
            received = [(game.choice(view, action), game.write(view, action)) for action in looked_at]
            assert list(game.choices(view, looked_at)) == received, "told of together, actions are told of differently"
            groups = game.groups(view)
            if groups is not None:
                listed = list(groups)
                in_groups = [action for group in listed for action in group.actions()]
                assert in_groups == list(game.actions(view)), "the actions of groups are not those of the view"
                for key, size, actions in listed:
                    words = [(action, game.choice(view, action), game.write(view, action)) for action in actions()]
                    assert len(words) == size > 0, f"{key!r} has {len(words)} actions"
                    assert grouped.setdefault(key, words) == words, f"{key!r} is told otherwise in another view"
            for action in looked_at:
                choice = game.choice(view, action)
                assert set(choice.places) <= names, f"{action!r} names places that are not in the scene: {choice.places}"
                assert len(choice.places) <= 64
                texts.check(choice.label)


def _names(scene: Scene, seats: int) -> set[str]:
    """Return the names of a scene's places. Raises AssertionError for one that cannot be drawn."""
    names = {place.name for place in scene.places}
    assert len(names) == len(scene.places) <= 512, "a place has the name of another"
    assert len({(place.row, place.column) for place in scene.grid}) == len(scene.grid), "two places are drawn as one"
    assert len(scene.facts) <= 64
    assert scene.rows <= 64
    assert scene.columns <= 64
    assert all(0 < len(name.encode()) <= 16 for name in names), names
    for place in scene.grid:
        assert 0 <= place.row < scene.rows, place
        assert 0 <= place.column < scene.columns, place
    assert len(scene.areas) <= 32
    beside = [name for area in scene.areas for name in area.places]
    assert len(set(beside)) == len(beside), "a place is in two areas"
    assert set(beside) <= names, f"an area names places that are not in the scene: {set(beside) - names}"
    for area in scene.areas:
        assert 0 < len(area.places) <= 64, area
        assert area.owner is None or 0 <= area.owner < seats, area
    return names


def _things_fit(things: Sequence[Thing], most: int, seats: int, texts: Texts) -> None:
    assert len(things) <= most
    for thing in things:
        assert len(thing.mark.encode()) <= 16, thing
        assert thing.owner is None or 0 <= thing.owner < seats, thing
        assert 1 <= thing.count <= 1000, thing
        texts.check(thing.label)


def narrations_fit(game: AnyGame) -> None:
    """Everybody is told in words of the catalogues what has happened, at places of the scene, whatever view it is told with."""
    texts = Texts(game)
    for ply, seats in plies_of(game):
        for seat in (*range(seats), None):
            before, after = (game.view(position, seat) for position in (ply.before, ply.step.position))
            names = {place.name for place in game.scene(after).places}
            for event in ply.step.events:
                shown = game.show(event, seat)
                if shown is None:
                    continue
                said = game.tell(after, shown)
                if said is not None:
                    texts.check(said.text)
                    assert len(said.places) <= 64
                    assert set(said.places) <= names, f"{shown!r} names places that are not in the scene: {said.places}"
                    _things_fit(said.things, 64, seats, texts)
                try:
                    game.tell(before, shown)
                except GameRefusal as refusal:
                    explains_itself(game, refusal)


def catalogues_are_complete(game: AnyGame) -> None:
    """English and German have the same keys with the same names in them, and all that the facts need."""
    facts = game.facts
    keys = ["game.name", "game.summary", *(f"seat.{seat}.name" for seat in range(len(facts.seats)))]
    for option in facts.options:
        keys += [f"option.{option.key}.label", f"option.{option.key}.help", f"group.{option.group}"]
        keys += [f"option.{option.key}.{choice}" for choice in option.choices]
        keys += [f"rule.{option.rule}"] if option.rule else []
    for level in facts.levels:
        keys += [f"level.{level.id}.label", f"level.{level.id}.description"]
    keys += [f"phrase.{phrase}" for phrase in facts.phrases]
    for order in facts.orders:
        keys += [f"order.{order.kind}.label", f"order.{order.kind}.help"]
        keys += [f"order.{order.kind}.{field.key}" for field in order.fields]
        keys += [f"order.{order.kind}.{field.key}.{choice}" for field in order.fields for choice in field.choices]
    english, german = (facts.catalogue(language) for language in LANGUAGES)
    assert english.keys() == german.keys(), f"only in one language: {english.keys() ^ german.keys()}"
    unheard = facts._texts(LANGUAGES[1]).keys() - english.keys()
    assert not unheard, f"only in German, where nobody asks for them: {unheard}"
    missing = [key for key in keys if key not in english]
    assert not missing, f"the catalogues have no {missing}"
    assert len(english) <= 2000
    for key in english:
        for texts in (english, german):
            assert texts[key].strip(), f"{key} is empty"
            assert len(texts[key].encode()) <= 4000, key
        assert names_in(english[key]) == names_in(german[key]), f"{key} has other names in German"


def rules_pages_are_complete(game: AnyGame) -> None:
    """Both rules pages have one anchor for each rule of the catalogue, the same and in the same order."""
    anchors = [_RULE_ID.findall(game.facts.rules_page(language)) for language in LANGUAGES]
    assert anchors[0] == anchors[1], "the rules pages differ"
    assert len(set(anchors[0])) == len(anchors[0]), "a rule stands twice on the page"
    rules = {key.removeprefix("rule.") for key in game.facts.catalogue("en") if key.startswith("rule.")}
    assert rules <= set(anchors[0]), f"not on the rules page: {rules - set(anchors[0])}"
    for language in LANGUAGES:
        assert len(game.facts.rules_page(language).encode()) <= 200_000


def facts_are_sound(game: AnyGame) -> None:
    """Seats, options and levels are within the contract, and option values fit the options message."""
    facts = game.facts
    assert re.fullmatch(r"[a-z][a-z_]{0,31}", facts.id), facts.id
    assert facts.folder.name == facts.id, "the folder has the game's name"
    assert facts.rules_version
    assert len(facts.rules_version) <= 16
    assert 1 <= facts.min_seats <= len(facts.seats) <= 6
    assert 0 < facts.max_actions <= 16_000, "a session has room for 16,000 actions"
    assert len({option.key for option in facts.options}) == len(facts.options)
    for option in facts.options:
        match option.kind:
            case "switch":
                assert option.preset in (0, 1), option
            case "choice":
                assert 1 <= option.preset <= len(option.choices), option
            case "number":
                assert option.min <= option.preset <= option.max, option
                assert option.step >= 1, option
                assert (option.preset - option.min) % option.step == 0, option
            case "line":
                assert len(option.preset_line.encode()) <= option.max, option
    assert facts.levels, "a game has computer players"
    assert len({level.id for level in facts.levels}) == len(facts.levels)
    assert all(0 <= level.least_ms <= level.think_ms > 0 and level.max_depth >= 0 for level in facts.levels)
    for seats in range(facts.min_seats, len(facts.seats) + 1):
        options = presets(game, seats)
        assert game.codec.decode(Kind.OPTIONS, game.codec.encode(Kind.OPTIONS, options)) == options
