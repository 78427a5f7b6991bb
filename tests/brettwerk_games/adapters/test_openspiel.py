"""OpenSpiel's own tests try the games, and its own Liar's dice is the same game as one that is written for ours."""

import pickle
import random
import re
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability

import brettwerk_games
from brettwerk_games import OWN
from brettwerk_games.adapters.openspiel import load_game, register
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.adapters.liars_dice import LiarsDice
from tests.night import by_day, examples

EXAMPLES = re.findall(r"```python\n(.*?)```", (Path(brettwerk_games.__file__).parent / "README.md").read_text("utf-8"), re.DOTALL)
CHOSEN = {"einstein": {"first": 3, "setup": 2}, "emperado": {"max_rounds": 30}, "plateau": {}, "wec": {}}
"""Options with more chance than the presets (lot and set-up), and games that end soon."""
SMALL = {sides: register(LiarsDice(sides)) for sides in (2, 3)}


@pytest.fixture(scope="module")
def api_test() -> Any:
    """OpenSpiel's api_test, which is a program and reads what it was called with."""
    from absl import flags
    from open_spiel.integration_tests import api_test

    flags.FLAGS(["api_test"])
    return api_test


def played(state: Any, dice: random.Random, most: int = 10_000) -> Any:
    """Return a state after random play."""
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(dice.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
    return state


def whole(*states: Any) -> Iterator[tuple[Any, ...]]:
    """Yield all states of a tree, or those at the same places of several."""
    yield states
    for actions in zip(*(state.legal_actions() for state in states), strict=True):
        yield from whole(*(state.child(action) for state, action in zip(states, actions, strict=True)))


def test_openspiel_plays_whole_games_of_einstein_and_finds_nothing_wrong() -> None:
    for options in ({}, CHOSEN["einstein"], {"setup": 3}):
        pyspiel.random_sim_test(load_game("einstein", options=options), examples(8), True, False)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", OWN)
def test_openspiel_plays_whole_games_and_finds_nothing_wrong(game: str) -> None:
    pyspiel.random_sim_test(load_game(game, options=CHOSEN[game]), 1, True, False)


@pytest.mark.parametrize("game", by_day(OWN, "wec"))
def test_openspiels_api_test_finds_nothing_wrong(game: str, api_test: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    some = api_test.sample_some_states.sample_some_states
    monkeypatch.setattr(
        api_test.sample_some_states, "sample_some_states", lambda game, max_states: some(game, max_states=examples(160))
    )
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": load_game(game, most_actions=64), "game_name": game})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun > 4
    assert not [said for _, said in (*result.errors, *result.failures)]


def test_an_outcome_of_chance_is_as_likely_as_the_rules_make_it() -> None:
    state = load_game("einstein", options=CHOSEN["einstein"]).new_initial_state()
    seen = []
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        seen.append(len(outcomes))
        state.apply_action(outcomes[-1][0])
    assert seen == [2, 720, 720, 6]


def test_the_winner_is_rewarded_and_the_loser_pays() -> None:
    state = played(load_game("einstein").new_initial_state(), random.Random(3))
    assert sorted(state.returns()) == [-1, 1]
    assert state.legal_actions() == []


@pytest.mark.parametrize("game", OWN)
def test_a_state_is_stored_and_copied_with_all_that_it_knows(game: str) -> None:
    state = played(load_game(game).new_initial_state(), random.Random(5), 70)
    loaded = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]
    for other in (state.clone(), loaded, pickle.loads(pickle.dumps(state))):
        assert str(other) == str(state)
        assert received(other) == received(state)


def test_seats_and_options_are_openspiels_parameters() -> None:
    chosen = {"players": 3, "options": "card_exchange:2;auto_draw:1", "most_actions": 32}
    game = pyspiel.load_game("brettwerk_emperado", chosen)
    assert str(game) == str(load_game("emperado", 3, {"card_exchange": 2, "auto_draw": True}, 32))
    assert (game.num_players(), game.num_distinct_actions()) == (3, 32)
    state = played(game.new_initial_state(), random.Random(1), 100)
    assert max(state.legal_actions(), default=0) < 32


def test_options_and_seats_that_a_game_cannot_have_are_refused() -> None:
    with pytest.raises(LookupError, match="there is no game chess, but einstein"):
        load_game("chess")
    with pytest.raises(Malformed, match="no option secrets"):
        load_game("einstein", options={"secrets": 1})
    for options in ("first", "first:", "first:white", "first:2;:"):
        with pytest.raises(Malformed, match="is no option: they are written as first:2"):
            pyspiel.load_game("brettwerk_einstein", {"options": options})
    with pytest.raises(Malformed, match="two play this game"):
        load_game("einstein", seats=3)


def test_observers_see_what_openspiel_asks_for_or_there_are_none() -> None:
    game = load_game("wec")
    kinds, private = pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    spectator = game.make_py_observer(kinds(public_info=True, perfect_recall=False, private_info=private.NONE))
    state = played(game.new_initial_state(), random.Random(1), 30)
    assert spectator is not None
    assert spectator.string_from(state, 0) == spectator.string_from(state, 1) != state.observation_string(0)
    assert game.make_py_observer(kinds(public_info=False, perfect_recall=False, private_info=private.SINGLE_PLAYER)) is None
    assert game.make_py_observer(kinds(public_info=True, perfect_recall=False, private_info=private.ALL_PLAYERS)) is None
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"words": True})


def received(state: Any) -> list[str]:
    return [state.information_state_string(seat) for seat in range(state.num_players())]


def theirs(sides: int) -> Any:
    return pyspiel.load_game("liars_dice", {"numdice": 1, "dice_sides": sides})


@pytest.mark.parametrize("sides", [2, 3])
def test_seats_can_tell_the_same_states_apart_as_in_openspiels_liars_dice(sides: int) -> None:
    """At each place of both trees: the same chances, actions and returns, and equal information in one where in the other."""
    pairs: set[tuple[str, str]] = set()
    for ours, other in whole(SMALL[sides]().new_initial_state(), theirs(sides).new_initial_state()):
        assert ours.current_player() == other.current_player()
        assert ours.returns() == other.returns()
        if ours.is_chance_node():
            assert [chance for _, chance in ours.chance_outcomes()] == pytest.approx(
                [chance for _, chance in other.chance_outcomes()]
            )
        elif not ours.is_terminal():
            assert len(ours.legal_actions()) == len(other.legal_actions())
            player = ours.current_player()
            pairs.add((ours.information_state_string(player), other.information_state_string(player)))
    assert len(pairs) == len({ours for ours, _ in pairs}) == len({other for _, other in pairs}) > sides * 2 ** (2 * sides - 1)


def test_openspiel_solves_a_game_and_says_how_far_it_can_be_exploited() -> None:
    ours, other = SMALL[2](), theirs(2)
    assert exploitability.nash_conv(ours, policy.UniformRandomPolicy(ours)) == pytest.approx(
        exploitability.nash_conv(other, policy.UniformRandomPolicy(other))
    )
    solver = cfr.CFRPlusSolver(ours)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(ours, solver.average_policy()) < 0.01


def test_the_example_of_the_readme_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = (each for each in EXAMPLES if "pyspiel" in each)
    exec(example, {})
    assert capsys.readouterr().out in ("[1.0, -1.0]\n", "[-1.0, 1.0]\n")


def test_a_program_that_used_the_games_ends_well() -> None:
    """OpenSpiel lets go of what it was given after Python has ended: nothing of ours may be needed then."""
    code = "from brettwerk_games.adapters.openspiel import load_game; state = load_game('einstein').new_initial_state()"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
