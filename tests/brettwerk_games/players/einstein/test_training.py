import hashlib
import random
import struct
from array import array

import pytest

from brettwerk_games.players.einstein.evaluation import PATH, WEIGHTS, expanded, read_weights
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.kernels.selfplay import Gamer
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.training import start, train
from tests.brettwerk_games.players.einstein.conftest import needs_compiler


@pytest.mark.nightly
def test_the_same_seed_gives_the_same_weights():
    found = [train({}, games=4, batch=2, depth=1, rates=(0.02, 0.001), seed=3) for _ in range(2)]
    assert found[0] == found[1]
    assert any(found[0])
    assert len(found[0]) == WEIGHTS


@needs_compiler
def test_weights_are_the_same_in_every_process():
    found = train({}, games=400, batch=200, depth=1, rates=(0.02, 0.001), seed=3)
    digest = hashlib.sha256(struct.pack(f"<{WEIGHTS}h", *found)).hexdigest()
    assert digest == "6b853fa0a7d560370adf3bae0d1b753ab629ee26f5b0792b6df9b38cfc0917af"


def test_learnt_weights_keep_the_symmetries_of_the_game():
    weights = read_weights(PATH)
    engine = Engine(layout(), expanded(weights), {}, 4)
    dice = random.Random(5)
    for _ in range(20):
        mover, other = start(dice)
        reverse = sum((mover >> 5 * stone & 31) << 5 * (5 - stone) for stone in range(6))
        assert engine.logit(mover, other) == engine.logit(reverse, other)


def test_the_evaluation_of_the_package_foresees_what_looking_ahead_finds():
    engine = Engine(layout(), expanded(read_weights(PATH)), {}, 12)
    engine.begin(10**12, 10**12, lambda: False)
    dice = random.Random(7)
    positions, chances = array("Q", bytes(16 * 64)), array("f", bytes(4 * 64))
    errors = []
    for _ in range(30):
        met = min(8, Gamer(engine).play(start(dice), dice.randrange(1, 2**32), 3, 0.0, positions, chances))
        errors += [engine.chance(positions[2 * i], positions[2 * i + 1], 0) - chances[i] for i in range(met)]
    assert (sum(error**2 for error in errors) / len(errors)) ** 0.5 < 0.07
