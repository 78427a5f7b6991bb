"""Checks of the bytes: what is sent comes back, equal values have equal bytes, and garbage is told apart."""

import random
from collections.abc import Iterator
from typing import Any

from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.refusals import GameRefusal, Malformed
from tests.amounts import examples
from tests.brettwerk_games.rules.kit.options import build, wrong_values
from tests.brettwerk_games.rules.kit.play import dice, games_of, go_on, moments_of, plies_of, seed_of, some
from tests.brettwerk_games.rules.kit.refusal import explains_itself

GARBAGE = examples(150, 38)
"""How many broken messages of each kind are tried."""


def samples(game: AnyGame) -> Iterator[tuple[Kind, Any]]:
    """Yield values of every kind from the random games."""
    for played in games_of(game):
        yield Kind.OPTIONS, played.options
        for event in played.first.events:
            yield Kind.EVENT, event
    for moment in moments_of(game):
        yield Kind.POSITION, moment.position
        for seat in moment.eyes:
            view = game.view(moment.position, seat)
            yield Kind.VIEW, view
            for action in some(dice("wire"), game.actions(view), 12):
                yield Kind.ACTION, action
    for ply, seats in plies_of(game):
        for event in ply.step.events:
            yield Kind.EVENT, event
            for seat in (*range(seats), None):
                shown = game.show(event, seat)
                if shown is not None:
                    yield Kind.EVENT, shown


def bytes_come_back(game: AnyGame) -> None:
    """Values survive the way out and back, and bytes the way in and out."""
    for kind, value in samples(game):
        data = game.codec.encode(kind, value)
        back = game.codec.decode(kind, data)
        assert back == value, f"{kind} came back changed: {value!r} as {back!r}"
        assert game.codec.encode(kind, back) == data, f"the bytes of {value!r} are not canonical"


def kinds_are_typed(game: AnyGame) -> None:
    """Every kind has a message name of its own."""
    names = [game.codec.type_name(kind) for kind in Kind]
    assert len(set(names)) == len(names), names
    assert all(names), names


def decoded_views_say_the_same(game: AnyGame) -> None:
    """A view that was sent allows what the view itself allows: nothing rides along beside the bytes."""
    for moment in moments_of(game):
        for seat in moment.eyes:
            view = game.view(moment.position, seat)
            sent = game.codec.decode(Kind.VIEW, game.codec.encode(Kind.VIEW, view))
            assert tuple(game.actions(sent)) == tuple(game.actions(view))
            assert game.scene(sent) == game.scene(view)


def logs_replay(game: AnyGame) -> None:
    """Options, actions and seeds, as bytes, rebuild the last position exactly."""
    code = game.codec
    for played in games_of(game):
        log = [(ply.seat, code.encode(Kind.ACTION, ply.action), ply.seed) for ply in played.plies]
        options = code.decode(Kind.OPTIONS, code.encode(Kind.OPTIONS, played.options))
        position = game.new(options, played.seats, None, played.seed).position
        for seat, action, seed in log:
            stored = code.decode(Kind.POSITION, code.encode(Kind.POSITION, position))
            position = game.apply(stored, seat, code.decode(Kind.ACTION, action), seed).position
        assert code.encode(Kind.POSITION, position) == code.encode(Kind.POSITION, played.last)


def broken(rng: random.Random, data: bytes) -> bytes:
    """Return bytes that are cut, flipped, doubled or made up."""
    match rng.randrange(5):
        case 0:
            return data[: rng.randrange(len(data) + 1)]
        case 1:
            return rng.randbytes(rng.randrange(40))
        case 2:
            at = rng.randrange(len(data) + 1)
            return data[:at] + rng.randbytes(rng.randrange(1, 4)) + data[at:]
        case _:
            flipped = bytearray(data or b"\0")
            for _ in range(rng.randrange(1, 4)):
                flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
            return bytes(flipped)


def garbage_is_malformed(game: AnyGame) -> None:
    """Broken bytes are Malformed, or they are a proper value that the rules can be asked about."""
    rng = dice("garbage")
    good: dict[Kind, list[bytes]] = {kind: [b""] for kind in Kind}
    for kind, value in samples(game):
        good[kind].append(game.codec.encode(kind, value))
    for kind in Kind:
        for _ in range(GARBAGE):
            data = broken(rng, rng.choice(good[kind]))
            try:
                value = game.codec.decode(kind, data)
            except Malformed as refusal:
                explains_itself(game, refusal)
                continue
            again = game.codec.encode(kind, value)
            assert game.codec.decode(kind, again) == value, f"{data!r} is a {kind} that does not come back"
            _ask(game, kind, value)


def _ask(game: AnyGame, kind: Kind, value: Any) -> None:
    try:
        if kind is Kind.POSITION:
            game.outcome(value)
            for seat in (*game.to_act(value), None):
                _ask(game, Kind.VIEW, game.view(value, seat))
        elif kind is Kind.VIEW:
            game.scene(value)
            for action in some(dice("ask"), game.actions(value), 6):
                game.write(value, action)
    except GameRefusal as refusal:
        explains_itself(game, refusal)


def broken_start_positions_are_refused(game: AnyGame) -> None:
    """An edited position that can be read begins a game that can be played, or is refused."""
    if not game.facts.start_positions:
        return
    rng = dice("starts")
    for number in range(GARBAGE):
        moment = rng.choice(moments_of(game))
        data = broken(rng, game.codec.encode(Kind.POSITION, moment.position))
        options = rng.choice(games_of(game)).options
        try:
            start = game.codec.decode(Kind.POSITION, data)
            first = game.new(options, moment.seats, start, seed_of(number)).position
        except GameRefusal as refusal:
            explains_itself(game, refusal)
            continue
        assert game.to_act(first), "a start position is over before it begins"
        for _ in go_on(game, first, ("broken", number), 12):
            pass


def wrong_options_are_refused(game: AnyGame) -> None:
    """A value out of an option's range is refused."""
    seats = game.facts.min_seats
    for option in game.facts.options:
        for value in wrong_values(option):
            try:
                options = game.codec.decode(Kind.OPTIONS, build(game, seats, {option.key: value}))
                game.new(options, seats, None, seed_of())
            except GameRefusal as refusal:
                explains_itself(game, refusal)
            else:
                raise AssertionError(f"{option.key} took {value!r}")
