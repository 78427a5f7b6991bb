"""Seeds that are held: what an attack throws hangs on how many throws there were, and on nothing else (EMP-UNDO-3)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.v1 import emperado_pb2
from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import Attack, Done, Fought, Move, Place, Throw
from brettwerk_games.rules.emperado.battle import HeldDice, losses
from brettwerk_games.rules.emperado.options import CapturedCards, CaptureMove, Options, Undo
from brettwerk_games.rules.emperado.position import Position, hold
from brettwerk_games.rules.emperado.seat_kinds import seated
from brettwerk_games.rules.interface import Kind, Reoption, Step
from tests.brettwerk_games.rules.emperado.worlds import ARGENTINIEN, BOLIVIEN, BRASILIEN, EMPERADO, PERU, SEED, world
from tests.night import examples

HONOUR = Options(undo=Undo.HONOUR)
ARMIES = "Peru A30, Bolivien B20, Brasilien A30, Argentinien B20, Venezuela A9"
seeds = st.binary(min_size=32, max_size=32)
attacks = st.sampled_from([(PERU, BOLIVIEN), (BRASILIEN, BOLIVIEN), (BRASILIEN, ARGENTINIEN)])


def held(seed: bytes, options: Options = HONOUR, **fields: Any) -> Position:
    return hold(world(ARMIES, options=options, **fields))


def fought(step: Step[Position, Any]) -> Fought:
    event = step.events[0]
    assert isinstance(event, Fought)
    return event


def harmless(position: Position, kind: str, seed: bytes) -> Position:
    """Return the position after something that throws no dice."""
    if kind == "move":
        source = next(country for country in (BRASILIEN, PERU) if position.armies[country] > 2)
        target = PERU if source == BRASILIEN else BRASILIEN
        if source in position.blocked:
            return position
        return EMPERADO.apply(position, 0, Move(source, target, 1), seed).position
    if kind == "parameter":
        changed = position.options._replace(coalition=(position.options.coalition + 1) % 99)
        return EMPERADO.system_action(position, Reoption(changed), seed).position
    if kind == "players":
        return seated(position, [False, True, True], seed).position
    return position


@given(seeds, attacks, st.lists(st.sampled_from(["move", "parameter", "players", "nothing"]), max_size=4), st.integers(1, 6))
@settings(max_examples=examples(150), deadline=None)
def test_harmless_actions_do_not_change_the_next_throw(
    seed: bytes, where: tuple[int, int], between: list[str], throws: int
) -> None:
    position = held(seed)
    first = fought(EMPERADO.apply(position, 0, Attack(*where, throws), seed))
    for kind in between:
        position = harmless(position, kind, seed)
    if where[0] in position.blocked:
        return
    again = fought(EMPERADO.apply(position, 0, Attack(*where, throws), seed))
    assert again.last == first.last
    assert (again.attackers_lost, again.defenders_lost) == (first.attackers_lost, first.defenders_lost)


@given(seeds, st.lists(st.integers(1, 5), min_size=1, max_size=6))
@settings(max_examples=examples(80), deadline=None)
def test_a_series_throws_what_its_parts_do(seed: bytes, parts: list[int]) -> None:
    whole = EMPERADO.apply(held(seed), 0, Attack(PERU, BOLIVIEN, sum(parts)), seed)
    position = held(seed)
    thrown: list[Throw] = []
    for throws in parts:
        if position.owners[BOLIVIEN] == 0 or position.armies[PERU] < 2:
            break
        step = EMPERADO.apply(position, 0, Attack(PERU, BOLIVIEN, throws), seed)
        position = step.position
        thrown += fought(step).last
    assert tuple(thrown[-20:]) == fought(whole).last
    assert position.armies == whole.position.armies
    assert position.thrown == whole.position.thrown == fought(whole).throws


@given(seeds, st.integers(0, 1000), st.integers(2, 5), st.integers(1, 4))
def test_fewer_dice_are_the_first_of_those_that_lie_ready(seed: bytes, thrown: int, attackers: int, defenders: int) -> None:
    """However many dice the throws before had."""
    dice = Dice(seed, "throws")
    dice.go_to(2 * thrown)
    ready = [dice.roll() for _ in range(6)]
    found = HeldDice(seed, thrown).throw(attackers, defenders)
    assert sorted(found.attacker) == sorted(ready[: min(3, attackers - 1)])
    assert sorted(found.defender) == sorted(ready[3 : 3 + min(3, defenders)])
    before = HeldDice(seed, thrown - 1) if thrown else None
    if before:
        before.throw(2, 1)
        assert before.throw(attackers, defenders) == found


def test_held_dice_are_fair() -> None:
    dice = HeldDice(SEED, 0)
    won = [losses(dice.throw(50, 50))[1] for _ in range(20_000)]
    for pairs, chance in enumerate((0.3830, 0.2647, 0.2147, 0.1376)):
        assert won.count(pairs) / len(won) == pytest.approx(chance, abs=0.015)


def test_another_seed_throws_otherwise() -> None:
    one, two = ([HeldDice(seed, number).throw(50, 50) for number in range(20)] for seed in (SEED, SEED[::-1]))
    assert sum(ours == theirs for ours, theirs in zip(one, two, strict=True)) < 3


def test_where_every_action_has_a_seed_of_its_own_all_is_as_it_was() -> None:
    """Games of the first revision of the rules: their positions are the same bytes, and their dice the same."""
    position = world(ARMIES)
    assert position.thrown is None
    step = EMPERADO.apply(position, 0, Attack(PERU, BOLIVIEN, 3), SEED)
    dice = Dice(SEED, "dice")
    rolls = [dice.roll() for _ in range(6)]
    assert sorted(fought(step).last[0].attacker) == sorted(rolls[:3])
    assert sorted(fought(step).last[0].defender) == sorted(rolls[3:])
    assert step.position.thrown is None
    message = emperado_pb2.EmperadoPosition.FromString(EMPERADO.codec.encode(Kind.POSITION, step.position))
    assert not message.HasField("thrown")


@given(st.none() | st.integers(0, 500_000_000))
def test_throws_are_counted_in_what_is_stored_and_seen_by_all(thrown: int | None) -> None:
    position = world(ARMIES)._replace(thrown=thrown)
    assert EMPERADO.codec.decode(Kind.POSITION, EMPERADO.codec.encode(Kind.POSITION, position)) == position
    for seat in (None, 0, 1):
        assert EMPERADO.view(position, seat).position.thrown == thrown


def test_counting_begins_once() -> None:
    once = held(SEED)
    assert once.thrown == 0
    later = once._replace(thrown=7)
    assert hold(later) == later


@pytest.mark.parametrize(
    ("undo", "reveals", "retractable"), [(Undo.SAFE, True, False), (Undo.OFF, True, False), (Undo.HONOUR, True, True)]
)
def test_others_are_asked_before_an_attack_is_taken_back_by_honour(undo: Undo, reveals: bool, retractable: bool) -> None:
    """EMP-UNDO-3: honour is enough only for who sits there alone."""
    step = EMPERADO.apply(held(SEED, Options(undo=undo)), 0, Attack(PERU, BOLIVIEN, 1), SEED)
    assert (step.reveals, step.retractable) == (reveals, retractable)


def test_cards_that_were_won_are_not_given_back() -> None:
    options = Options(undo=Undo.HONOUR, captured_cards=CapturedCards.TAKE, capture_move=CaptureMove.ALL)
    position = world("Peru A90, Bolivien C1", cards={2: (1, 1, 0)}, options=options)
    step = EMPERADO.apply(position, 0, Attack(PERU, BOLIVIEN, 0), SEED)
    assert step.position.parties[0].cards == 2
    assert step.reveals and not step.retractable


def test_the_end_of_a_turn_is_for_good() -> None:
    step = EMPERADO.apply(held(SEED), 0, Done(), SEED)
    assert step.reveals and not step.retractable
    placed = EMPERADO.apply(step.position, 1, Place(BOLIVIEN, 1), SEED)
    assert not placed.reveals
