"""A seat's view and its actions, as arrays of fixed shape: for every game, made of what clients are told that know no game.

Actions are numbered anew in every position: number k is the k-th legal one in the game's fixed order. A numbering that were the
same in all positions would be too large: places, armies, weapons and amounts multiply to millions, of which some hundred are
legal at a time. So that the numbers mean something to a program that learns, the array `actions` describes each of them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray

from brettwerk_games.adapters.match import Match, Setting
from brettwerk_games.rules.interface import Choice, Scene, Text, Thing

Numbers: TypeAlias = NDArray[numpy.int32]
Observation: TypeAlias = dict[str, Any]
"""`observation` (a dict of `seat`, `things`, `facts` and `actions`) and `action_mask`; README.md has their shapes."""

THINGS = 16
"""How many things on a place are seen; a scene has no more of them."""
CHARACTERS = 4
NUMBERS = 3
PLACES = 2
_NUMBER = re.compile(r"-?\d+")


class Arrays:
    """The arrays of a game with its options and seats: their shapes, and those of a view."""

    def __init__(self, setting: Setting) -> None:
        """Lay out arrays for a setting. Raises Malformed or Illegal for options and seats that the game cannot have."""
        game = setting.game
        keys = sorted(game.facts.catalogue("en"))
        self.setting, self.game, self.most = setting, game, setting.most
        self.places = tuple(place.name for place in game.scene(Match(setting).view(None)).places)
        self.fact_keys = tuple(key for key in keys if key.startswith("fact."))
        self.choice_keys = tuple(key for key in keys if key.startswith("choice."))
        self.shapes = {
            "things": (len(self.places), THINGS, 2 + CHARACTERS),
            "facts": (len(self.fact_keys), 1 + NUMBERS),
            "actions": (self.most, 1 + PLACES + NUMBERS),
        }
        """Of the arrays in an observation."""
        self._place = _numbered(self.places)
        self._fact = _numbered(self.fact_keys)
        self._choice = _numbered(self.choice_keys)

    def of(self, view: Any, seat: int, legal: Sequence[Any]) -> Observation:
        """Return what the seat sees in its view, and the legal actions that it has there."""
        mask = numpy.zeros(self.most, numpy.int8)
        mask[: len(legal)] = 1
        scene = self.game.scene(view)
        choices = (choice for choice, _ in self.game.choices(view, legal))
        seen = {
            "seat": numpy.int64(seat),
            "things": self._things(scene),
            "facts": self._facts(scene),
            "actions": self._actions(choices),
        }
        return {"observation": seen, "action_mask": mask}

    def _things(self, scene: Scene) -> Numbers:
        found = numpy.zeros(self.shapes["things"], numpy.int32)
        for place in scene.places:
            row = self._place[place.name] - 1
            for number, thing in enumerate(place.things[:THINGS]):
                found[row, number] = _thing(thing)
        return found

    def _facts(self, scene: Scene) -> Numbers:
        found = numpy.full(self.shapes["facts"], -1, numpy.int32)
        for what, how in scene.facts:
            if what.key in self._fact:
                found[self._fact[what.key] - 1] = (self._fact.get(how.key, 0), *_numbers(how))
        return found

    def _actions(self, choices: Iterable[Choice]) -> Numbers:
        found = numpy.zeros(self.shapes["actions"], numpy.int32)
        for number, choice in enumerate(choices):
            touched = [self._place.get(name, 0) for name in choice.places[:PLACES]]
            found[number, 0] = self._choice.get(choice.label.key, 0)
            found[number, 1 : 1 + len(touched)] = touched
            found[number, 1 + PLACES :] = _numbers(choice.label)
        return found


def _thing(thing: Thing) -> tuple[int, ...]:
    amount = _NUMBER.search(thing.mark)
    letters = [ord(sign) for sign in thing.mark if not sign.isdigit()][:CHARACTERS]
    owner = 1 if thing.owner is None else thing.owner + 2
    return (owner, int(amount[0]) if amount else 0, *letters, *[0] * (CHARACTERS - len(letters)))


def _numbers(text: Text) -> list[int]:
    """Return the numbers that stand in a sentence, in their order; -1 for each that is missing."""
    found = [int(match[0]) for value in text.args.values() if (match := _NUMBER.match(value))][:NUMBERS]
    return found + [-1] * (NUMBERS - len(found))


def _numbered(names: Iterable[str]) -> Mapping[str, int]:
    return {name: number for number, name in enumerate(names, 1)}
