"""Properties of every game, in games drawn at random."""

import random
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.emperado.actions import (
    Action,
    Attack,
    Done,
    Eliminated,
    Enter,
    Entered,
    Event,
    Exchanged,
    Fought,
    Move,
    Moved,
    Place,
    Placed,
    Received,
)
from brettwerk_games.rules.emperado.cards import sets
from brettwerk_games.rules.emperado.options import CapturedCards, CaptureMove, CardExchange, Luck, Options, Undo, Win
from brettwerk_games.rules.emperado.position import GHOST, Position, fault, is_active, seats_in
from brettwerk_games.rules.emperado.world import NEIGHBOURS
from brettwerk_games.rules.interface import Flag, Kind, Resign, Step
from brettwerk_games.rules.refusals import Illegal
from tests.brettwerk_games.rules.emperado.worlds import EMPERADO
from tests.night import examples

OPTIONS = st.builds(
    Options,
    start_armies=st.integers(1, 9),
    ghost_armies=st.integers(1, 9),
    card_bonus_start=st.integers(1, 20),
    capture_move=st.sampled_from(CaptureMove),
    card_exchange=st.sampled_from(CardExchange),
    captured_cards=st.sampled_from(CapturedCards),
    undo=st.sampled_from(Undo),
    win=st.sampled_from(Win),
    auto_draw=st.booleans(),
    max_rounds=st.sampled_from((0, 20)),
    solidarity=st.integers(-9, 99),
    coalition=st.integers(-9, 99),
    country_handicap=st.integers(-9, 99),
    info_time=st.integers(0, 100),
    table_time=st.integers(0, 100),
    graphic_time=st.integers(0, 100),
    computers=st.tuples(*[st.booleans()] * 6),
    luck=st.sampled_from(Luck),
    map=st.just(""),
)


def lively(rng: random.Random, position: Position) -> Action:
    """Return a legal action drawn so that countries fall and turns end: any amount, and attacks where they may succeed."""
    legal = EMPERADO.actions(EMPERADO.view(position, position.to_move))
    action = rng.choice(legal)
    match action:
        case Place(country=country):
            return Place(country, rng.randint(1, 2 * position.to_place))
        case Move(source=source, target=target):
            return Done() if rng.random() < 0.5 else Move(source, target, rng.randint(1, 2 * position.armies[source]))
        case Attack(source=source, target=target) if position.armies[source] > 2 * position.armies[target]:
            return Attack(source, target, rng.randint(0, 40))
        case Attack():
            return Done() if rng.random() < 0.2 else action
        case _:
            return action


def steps(options: Options, seats: int, seed: int, most: int) -> Iterator[tuple[Position, Action, Step[Position, Event]]]:
    """Yield the steps of a random game: position before, action, step."""
    rng = random.Random(seed)
    position = EMPERADO.new(options, seats, None, rng.randbytes(SEED_BYTES)).position
    for _ in range(most):
        if not EMPERADO.to_act(position):
            return
        action = lively(rng, position)
        step = EMPERADO.apply(position, position.to_move, action, rng.randbytes(SEED_BYTES))
        yield position, action, step
        position = step.position


games = given(OPTIONS, st.integers(2, 6), st.integers(0, 2**32))


@games
@settings(max_examples=examples(15), deadline=None)
def test_positions_stay_sound_and_every_country_keeps_an_army(options: Options, seats: int, seed: int) -> None:
    for _, _, step in steps(options, seats, seed, 300):
        after = step.position
        assert fault(after) is None
        assert min(after.armies) >= 1
        assert all(len(after.parties) > owner >= GHOST for owner in after.owners)


@games
@settings(max_examples=examples(15), deadline=None)
def test_armies_come_and_go_as_the_events_say(options: Options, seats: int, seed: int) -> None:
    for before, action, step in steps(options, seats, seed, 300):
        armies = list(before.armies)
        received = 0
        for event in step.events:
            match event:
                case Placed(country=country, armies=number, before=there):
                    assert armies[country] == there
                    armies[country] += number
                case Fought(source=source, target=target):
                    assert (armies[source], armies[target]) == (event.attackers, event.defenders)
                    armies[source] -= event.attackers_lost + event.entered
                    armies[target] += event.entered - event.defenders_lost
                case Moved(source=source, target=target, armies=number):
                    armies[source] -= number
                    armies[target] += number
                case Entered(source=source, target=target, armies=number):
                    assert before.entry is not None
                    armies[source] -= number - before.entry.least
                    armies[target] += number - before.entry.least
                case Received():
                    received += event.basic + event.continents + event.countries + event.cards
                case Exchanged(paid=paid) if not isinstance(action, Done):
                    received += paid
        assert tuple(armies) == step.position.armies
        if step.position.end is None:
            spent = sum(event.armies for event in step.events if isinstance(event, Placed))
            left = 0 if isinstance(action, Done) else before.to_place - spent
            assert step.position.to_place == left + received


@games
@settings(max_examples=examples(15), deadline=None)
def test_only_the_attacked_country_changes_hands_and_only_when_it_is_captured(options: Options, seats: int, seed: int) -> None:
    for before, action, step in steps(options, seats, seed, 300):
        changed = [country for country, owner in enumerate(step.position.owners) if owner != before.owners[country]]
        captured = [event.target for event in step.events if isinstance(event, Fought) and event.entered]
        assert changed == captured
        if captured:
            assert isinstance(action, Attack)
            assert step.position.owners[action.target] == before.to_move
            assert step.position.captured or step.position.end


@games
@settings(max_examples=examples(15), deadline=None)
def test_a_seat_gets_one_card_for_a_turn_with_captures_and_keeps_four_at_most(options: Options, seats: int, seed: int) -> None:
    for before, action, step in steps(options, seats, seed, 400):
        seat, after = before.to_move, step.position
        if isinstance(action, Done) and after.end is None and after.to_move != seat:
            assert after.parties[seat].cards == before.parties[seat].cards + before.captured
            assert after.parties[seat].fresh == before.captured
        if isinstance(action, Done) and after.end is None and options.card_exchange == CardExchange.AUTO:
            assert not sets(after.parties[after.to_move])
            assert after.parties[after.to_move].cards <= 4


@games
@settings(max_examples=examples(15), deadline=None)
def test_turns_pass_in_the_order_of_letters_and_rounds_count_them(options: Options, seats: int, seed: int) -> None:
    for before, action, step in steps(options, seats, seed, 300):
        after = step.position
        if after.end is not None:
            continue
        if not isinstance(action, Done):
            assert (after.to_move, after.round) == (before.to_move, before.round)
            continue
        standing = seats_in(after)
        later = [seat for seat in standing if seat > before.to_move]
        assert after.to_move == (later[0] if later else standing[0])
        assert after.round == before.round + (not later)


@games
@settings(max_examples=examples(15), deadline=None)
def test_an_army_that_was_moved_stays_for_the_turn(options: Options, seats: int, seed: int) -> None:
    for before, action, step in steps(options, seats, seed, 300):
        if isinstance(action, Attack | Move):
            assert action.source not in before.blocked
        if isinstance(action, Move):
            assert step.position.blocked == before.blocked | {action.target}
        elif not isinstance(action, Done) and step.position.end is None:
            assert step.position.blocked == before.blocked
        elif isinstance(action, Done):
            assert not step.position.blocked


@games
@settings(max_examples=examples(15), deadline=None)
def test_eliminated_seats_are_out_for_good(options: Options, seats: int, seed: int) -> None:
    for before, _, step in steps(options, seats, seed, 400):
        gone = {event.seat for event in step.events if isinstance(event, Eliminated)}
        assert set(seats_in(before)) - set(seats_in(step.position)) == gone
        assert all(step.position.owners.count(seat) == 0 for seat in gone)


@games
@settings(max_examples=examples(15), deadline=None)
def test_actions_are_accepted_if_and_only_if_the_rules_allow_them(options: Options, seats: int, seed: int) -> None:
    rng = random.Random(seed)
    for before, _, _ in steps(options, seats, seed, 60):
        source, target = rng.randrange(60), rng.randrange(60)
        for action in (Attack(source, target, 1), Move(source, target, 1), Place(source, 1), Enter(1), Done()):
            assert is_accepted(before, action) == allowed(before, action), action


def is_accepted(position: Position, action: Action) -> bool:
    try:
        EMPERADO.apply(position, position.to_move, action, bytes(SEED_BYTES))
    except Illegal:
        return False
    return True


def allowed(position: Position, action: Action) -> bool:
    """The rules once more, as short as they can be said (EMP-TURN-3, EMP-REINF-8, EMP-ATTACK-1, -2, -11, EMP-MOVE-1)."""
    own = [owner == position.to_move for owner in position.owners]
    placing, entering = bool(position.to_place), position.entry is not None
    hand = position.parties[position.to_move]
    match action:
        case Enter(armies=armies):
            return position.entry is not None and armies >= position.entry.least
        case Place(country=country):
            return placing and own[country] and not (position.exchanging and hand.cards >= 5)
        case Attack(source=source, target=target) | Move(source=source, target=target):
            able = own[source] and is_active(position, source) and target in NEIGHBOURS[source]
            return not placing and not entering and able and own[target] == isinstance(action, Move)
        case _:
            return not placing and not entering


@games
@settings(max_examples=examples(15), deadline=None)
def test_the_undo_option_decides_which_actions_can_be_taken_back(options: Options, seats: int, seed: int) -> None:
    for before, action, step in steps(options, seats, seed, 150):
        taken = step.position.parties[before.to_move].cards > before.parties[before.to_move].cards
        match action:
            case Done():
                assert step.reveals
            case Attack():
                assert step.reveals
                assert step.retractable == (options.undo == Undo.HONOUR and not taken)
            case _:
                assert step.reveals == (options.undo == Undo.OFF)


@games
@settings(max_examples=examples(15), deadline=None)
def test_the_game_stays_sound_when_a_party_leaves_at_any_moment(options: Options, seats: int, seed: int) -> None:
    rng = random.Random(seed)
    for before, _, _ in steps(options, seats, seed, 120):
        seat = rng.choice(seats_in(before))
        step = EMPERADO.system_action(before, rng.choice((Resign, Flag))(seat), rng.randbytes(SEED_BYTES))
        after = step.position
        assert fault(after) is None
        assert after.armies == before.armies
        assert seat not in EMPERADO.to_act(after)
        assert EMPERADO.codec.decode(Kind.POSITION, EMPERADO.codec.encode(Kind.POSITION, after)) == after
        assert len(seats_in(after)) > 1 or after.winner == seats_in(after)[0]
        if seat != before.to_move and after.end is None:
            assert (after.to_move, after.to_place, after.entry) == (before.to_move, before.to_place, before.entry)
