"""Checks of the turn: who may do what, how games begin, go on and end."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from brettwerk_games.rules.interface import AnyGame, Draw, Flag, Kind, Reoption, Resign, Step
from brettwerk_games.rules.options import OptionFacts
from brettwerk_games.rules.refusals import GameOver, GameRefusal, Illegal, Malformed
from tests.brettwerk_games.rules.kit.endings import agree
from tests.brettwerk_games.rules.kit.options import build, combinations, draw, presets, values
from tests.brettwerk_games.rules.kit.play import (
    ACTIONS,
    BY_DAY,
    PLIES,
    Played,
    dice,
    games_of,
    go_on,
    is_accepted,
    moments_of,
    play,
    plies_of,
    pool_of,
    seed_of,
    some,
)
from tests.brettwerk_games.rules.kit.refusal import explains_itself, is_explained, refused

WHOLE_GAMES, SHORT_GAMES = (1, 12) if BY_DAY else (3, 60)
"""How many games are played to their end, and how many at least where they are short, so that rare ends come."""
SHORT = 300
"""Most actions of a short game, which is played with all combinations of options."""
SIDE_BY_SIDE = 60
"""In so many games, which go on with the same lots, an option must change something: one of them is enough."""
FOREIGN = 24
"""How many foreign actions are tried in each position."""


def legal_actions_are_listed(game: AnyGame) -> None:
    """Those to act have actions, each once and always in the same order; the others and spectators have none."""
    for moment in moments_of(game):
        waiting = game.to_act(moment.position)
        assert game.seats(moment.position) == moment.seats, f"{game.seats(moment.position)} seats, and {moment.seats} play"
        assert set(waiting) <= set(range(moment.seats)), f"{waiting} are to act in a game of {moment.seats} seats"
        assert len(set(waiting)) == len(waiting), f"{waiting} names a seat twice"
        for seat in moment.eyes:
            legal = tuple(game.actions(game.view(moment.position, seat)))
            assert legal == tuple(game.actions(game.view(moment.position, seat))), "the order of the actions changes"
            assert len(set(legal)) == len(legal), "an action is listed twice"
            assert bool(legal) == (seat in waiting), f"seat {seat} has {len(legal)} actions, and {waiting} are to act"
            for most in (1, len(legal) // 2 + 1, len(legal) + 1):
                first = tuple(game.first_actions(game.view(moment.position, seat), most))
                assert first == legal[:most], f"the first {most} actions are others"


def legal_actions_are_accepted(game: AnyGame) -> None:
    """Every listed action can be played, and playing leaves the position before as it was."""
    for number, moment in enumerate(moments_of(game)):
        before = game.codec.encode(Kind.POSITION, moment.position)
        for seat in game.to_act(moment.position):
            for action in some(dice(number), game.actions(game.view(moment.position, seat)), ACTIONS):
                try:
                    step = game.apply(moment.position, seat, action, seed_of(number))
                except GameRefusal as refusal:
                    raise AssertionError(f"the legal {action!r} was refused: {refusal.message}") from refusal
                assert step.position != moment.position, f"{action!r} did nothing"
                assert len(step.events) <= 256
        assert game.codec.encode(Kind.POSITION, moment.position) == before, "a position was changed in place"


def other_actions_are_refused(game: AnyGame) -> None:
    """Actions legal elsewhere and not here are refused with a rule, or taken by a game that does not list everything."""
    tried = 0
    for number, moment in enumerate(moments_of(game)):
        for seat in game.to_act(moment.position):
            legal = set(game.actions(game.view(moment.position, seat)))
            foreign = [action for action in pool_of(game) if action not in legal]
            for action in some(dice(number), foreign, FOREIGN):
                if is_accepted(game, moment.position, seat, action):
                    continue
                refused(game, game.apply, moment.position, seat, action, seed_of())
                tried += 1
    assert tried, "no foreign action was found to try"


def seats_take_turns(game: AnyGame) -> None:
    """Where several play, it is not always the same seat that acts."""
    acted: dict[int, set[int]] = {}
    for played in games_of(game):
        acted.setdefault(played.seats, set()).update(ply.seat for ply in played.plies)
    for seats, who in acted.items():
        assert len(who) > 1 or seats == 1, f"of {seats} seats only {who} acts in random games"


def other_seats_wait(game: AnyGame) -> None:
    """A seat that is not to act is refused, whatever it sends."""
    for number, moment in enumerate(moments_of(game)):
        waiting = game.to_act(moment.position)
        candidates = [a for seat in waiting for a in some(dice(number), game.actions(game.view(moment.position, seat)), 4)]
        for seat in set(range(moment.seats)) - set(waiting):
            for action in candidates:
                refused(game, game.apply, moment.position, seat, action, seed_of())


def games_end_within_their_bound(game: AnyGame) -> None:
    """Random games come to an end within facts.max_actions; exactly then there is an outcome, and nobody plays on."""
    for number, played in enumerate(_whole_games(game)):
        assert len(played.plies) <= game.facts.max_actions, f"a game went on for more than {game.facts.max_actions} actions"
        for position in played.positions[:-1]:
            assert game.to_act(position), "nobody is to act before the end"
            assert game.outcome(position) is None, "a game has an outcome and goes on"
        last = played.last
        assert not game.to_act(last), "a game stopped and somebody is to act"
        outcome = game.outcome(last)
        assert outcome is not None, "a game ended without an outcome"
        agree(game, last)
        is_explained(game, outcome.reason)
        assert f"rule.{outcome.rule}" in game.facts.catalogue("en"), f"the game ended by {outcome.rule}, which nobody can read"
        for seat in range(played.seats):
            for action in some(dice(number), pool_of(game), 6):
                refusal = refused(game, game.apply, last, seat, action, seed_of())
                assert isinstance(refusal, GameOver), "after the end, the refusal says so"


def _whole_games(game: AnyGame) -> Iterator[Played]:
    """Yield random games that are played to their end, or for one action more than they may take."""
    most = game.facts.max_actions + 1
    if game.facts.max_actions > SHORT:
        yield from (play(game, ("whole", number), most, preset=number == 0) for number in range(WHOLE_GAMES))
        return
    chosen = combinations(game, dice("whole"))
    for number in range(max(SHORT_GAMES, len(chosen))):
        yield play(game, ("whole", number), most, chosen=chosen[number % len(chosen)])


def equal_seeds_give_equal_games(game: AnyGame) -> None:
    """Nothing but the seeds decides; without chance not even they do, and with it somewhere they do."""
    for played in games_of(game):
        assert game.new(played.options, played.seats, None, played.seed) == played.first
        for ply in played.plies:
            assert game.apply(ply.before, ply.seat, ply.action, ply.seed) == ply.step
    if not game.facts.chance:
        for ply, _ in plies_of(game):
            assert game.apply(ply.before, ply.seat, ply.action, seed_of("another")) == ply.step, "a game without chance used it"
    else:
        assert any(_draws(game, played) for played in games_of(game)), "a game with chance used it nowhere"


def _draws(game: AnyGame, played: Played) -> bool:
    """Tell whether anything in a game is otherwise with another seed."""
    other = seed_of("another")
    if game.new(played.options, played.seats, None, other) != played.first:
        return True
    return any(game.apply(ply.before, ply.seat, ply.action, other) != ply.step for ply in played.plies)


def expiry_names_a_legal_action(game: AnyGame) -> None:
    """When time is over, the rules name an action that the seat could have played."""
    for moment in moments_of(game):
        for seat in game.to_act(moment.position):
            view = game.view(moment.position, seat)
            assert game.expire(view) in game.actions(view), "the action for a turn whose time is over is not legal"
            assert game.expire(view) == game.expire(view)


def system_actions_follow_the_rules(game: AnyGame) -> None:
    """Resigning and flags are known; a draw is exactly where the facts say so; after the end nothing is done."""
    for played in games_of(game):
        for position in some(dice("system actions"), played.positions, 6):
            over = not game.to_act(position)
            for system_action in (*(kind(seat) for seat in range(played.seats) for kind in (Resign, Flag)), Draw()):
                if over or (isinstance(system_action, Draw) and not game.facts.draws):
                    refused(game, game.system_action, position, system_action, seed_of())
                    continue
                try:
                    step = game.system_action(position, system_action, seed_of())
                except Illegal as refusal:
                    explains_itself(game, refusal)
                    continue
                if not isinstance(system_action, Draw):
                    assert system_action.seat not in game.to_act(step.position), f"after {system_action} the seat is still to act"
                outcome = game.outcome(step.position)
                assert (outcome is not None) == (not game.to_act(step.position))
                if outcome:
                    is_explained(game, outcome.reason)


def options_are_kept(game: AnyGame) -> None:
    """Every combination of options begins a game or is refused with a rule; the presets and each value alone do begin one."""
    rng = dice("combinations")
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        begin = game.new(presets(game, seats), seats, None, seed_of())
        assert game.to_act(begin.position), "a game is over before it begins"
        for chosen in combinations(game, rng):
            options = game.codec.decode(Kind.OPTIONS, build(game, seats, chosen))
            try:
                step = game.new(options, seats, None, seed_of(seats))
            except Illegal as refusal:
                explains_itself(game, refusal)
                continue
            assert game.to_act(step.position), f"with {chosen} the game is over before it begins"
            for option in game.facts.options:
                if option.changeable == "always" and option.kind in ("switch", "choice"):
                    other = {**chosen, option.key: option.preset}
                    changed = game.codec.decode(Kind.OPTIONS, build(game, seats, other))
                    try:
                        game.system_action(step.position, Reoption(changed), seed_of())
                    except Illegal as refusal:
                        explains_itself(game, refusal)


def options_change_something(game: AnyGame) -> None:
    """Every option changes something that players are told, in random games with and without other options.

    Where random games are seldom over, so that what is rare in them is not met, and of options that can be changed at any time,
    since they may be for clients only, it is enough that they change a first position.
    """
    over = sum(game.outcome(played.last) is not None for played in games_of(game))
    are_short = 2 * over >= len(games_of(game))
    for option in game.facts.options:
        others = [value for value in values(option) if value != option.preset]
        assert (
            option.kind == "line"
            or not others
            or any(
                _changes(game, option, value, number, plays=are_short and option.changeable == "before_start")
                for number in range(SIDE_BY_SIDE)
                for value in others
            )
        ), f"the option {option.key} changes nothing"


def _changes(game: AnyGame, option: OptionFacts, value: int | str, number: int, *, plays: bool) -> bool:
    """Tell whether a value of an option changes a first position, or, where it `plays`, a game.

    Other options are as at first in the first game, and drawn by lot in the others.
    """
    rng = dice("option", option.key, number)
    seats, chosen = rng.randint(game.facts.min_seats, len(game.facts.seats)), draw(game, rng) if number else {}
    either: list[Step[Any, Any]] = []
    for each in (option.preset, value):
        try:
            options = game.codec.decode(Kind.OPTIONS, build(game, seats, {**chosen, option.key: each}))
            either.append(game.new(options, seats, None, seed_of(number)))
        except GameRefusal:
            continue
    if len(either) < 2:
        return bool(either)  # beside the other options, one of the two values is refused
    if not plays:
        return bool(either[0] != either[1])
    return any(here != there for here, there in zip_longest(*(_course(game, step, number) for step in either)))


def _course(game: AnyGame, step: Step[Any, Any], label: object) -> Iterator[tuple[Any, ...]]:
    """Yield what players are told in a game, move by move, without how positions keep it."""
    rng = dice("course", label)
    for number in range(PLIES):
        position, waiting = step.position, game.to_act(step.position)
        events = [game.codec.encode(Kind.EVENT, event) for event in step.events]
        yield waiting, game.outcome(position), game.scene(game.view(position, None)), events, step.final, step.reveals
        if not waiting:
            return
        view = game.view(position, waiting[0])
        legal = game.actions(view)
        yield tuple(game.write(view, action) for action in legal)
        step = game.apply(position, waiting[0], legal[rng.randrange(len(legal))], seed_of(label, number))


def options_for_the_start_stay(game: AnyGame) -> None:
    """Changes that are possible before the start only are refused afterwards, with a rule."""
    seats = game.facts.min_seats
    position = game.new(presets(game, seats), seats, None, seed_of()).position
    for option in game.facts.options:
        if option.changeable == "before_start" and option.kind in ("switch", "choice"):
            value = 1 - option.preset if option.kind == "switch" else option.preset % len(option.choices) + 1
            changed = game.codec.decode(Kind.OPTIONS, build(game, seats, {option.key: value}))
            refused(game, game.system_action, position, Reoption(changed), seed_of())


def seats_are_counted(game: AnyGame) -> None:
    """Too few or too many seats begin no game."""
    for seats in (game.facts.min_seats - 1, len(game.facts.seats) + 1):
        try:
            game.new(presets(game, max(seats, 1)), seats, None, seed_of())
        except (Malformed, Illegal) as refusal:
            explains_itself(game, refusal)
        else:
            raise AssertionError(f"a game of {seats} seats began")


def start_positions_are_checked(game: AnyGame) -> None:
    """A position of a game can be started from, or is refused with a rule; where there are no start positions, always."""
    began = 0
    for number, moment in enumerate(moments_of(game)):
        options = presets(game, moment.seats)
        try:
            step = game.new(options, moment.seats, moment.position, seed_of(number))
        except (Illegal, Malformed) as refusal:
            explains_itself(game, refusal)
            continue
        assert game.facts.start_positions, "a game without start positions began from one"
        assert game.to_act(moment.position), "a game that is over was begun"
        assert game.to_act(step.position)
        for ply in go_on(game, step.position, ("from", number), 20):
            assert game.codec.decode(Kind.POSITION, game.codec.encode(Kind.POSITION, ply.step.position)) == ply.step.position
        began += 1
    assert began or not game.facts.start_positions, "no position could be started from"
