"""The spaces of a game's arrays, as PettingZoo and Gymnasium have them."""

import numpy
from gymnasium import spaces

from brettwerk_games.adapters.arrays import Arrays

_LIMIT = numpy.iinfo(numpy.int32)


def space_of_actions(arrays: Arrays) -> spaces.Discrete:
    """Return the space of actions' numbers."""
    return spaces.Discrete(arrays.most)


def space_of_observations(arrays: Arrays) -> spaces.Dict:
    """Return the space of what a seat observes."""
    boxes = {name: spaces.Box(_LIMIT.min, _LIMIT.max, shape, numpy.int32) for name, shape in arrays.shapes.items()}
    seen = spaces.Dict({"seat": spaces.Discrete(arrays.setting.seats), **boxes})
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (arrays.most,), numpy.int8)})
