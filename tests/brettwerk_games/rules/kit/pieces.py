"""Checks of what the rules service makes of a step for updates: encoded pieces tell each audience what the game itself says.

BRETTWERK_PIECES_GAMES sets how many random games of each game are looked at, every ply of them; of four games, 250 each make
a thousand.
"""

import os
from collections.abc import Iterator
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import games_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.fields import block, tag
from brettwerk_games.rules.interface import AnyGame, Kind, Step
from services.rules.any_codec import AnyCodec
from services.rules.steps import EVERYBODY, SPECTATOR, UNWRITTEN, fill_step, written
from tests.brettwerk_games.rules.kit.play import PLIES, Ply, dice, moments_of, play, plies_of, read_by, remembered
from tests.brettwerk_games.rules.kit.secrets import look_alikes

GAMES = int(os.environ.get("BRETTWERK_PIECES_GAMES", "1"))
LISTED = 256
_HAPPENING = tag(sessions_pb2.Update, "happening")


def plies(game: AnyGame) -> Iterator[tuple[Ply, int]]:
    """Yield plies, each with the number of seats: some of games that other checks look at, and all of games of their own."""
    yield from plies_of(game)
    for number in range(GAMES):
        played = play(game, ("pieces", number), PLIES, preset=number % 2 == 1)
        yield from ((ply, played.seats) for ply in played.plies)


any_codec_of = remembered(AnyCodec)


def audience(seat: int | None) -> int:
    return SPECTATOR if seat is None else seat


def shown(game: AnyGame, step: Step[Any, Any], audiences: int, ply: Ply | None = None) -> rules_pb2.Step:
    """Return what the rules service answers."""
    any_codec, message = any_codec_of(game), rules_pb2.Step()
    notation = UNWRITTEN if ply is None else written(any_codec, ply.before, ply.seat, ply.action, ply.step, audiences)
    fill_step(any_codec, step, message, notation, audiences)
    return message


def joined(step: rules_pb2.Step, seat: int | None) -> bytes:
    """Return what an audience is told, as a session service joins it."""
    bit = 1 << audience(seat)
    happening, view, actions = (
        b"".join(piece.data for piece in pieces if piece.audiences & bit) for pieces in (step.happening, step.view, step.actions)
    )
    return block(_HAPPENING, happening) + view + actions


def received(game: AnyGame, step: Step[Any, Any], seat: int | None, ply: Ply | None = None) -> sessions_pb2.Update:
    """Return what an audience may know, field by field, of what the game itself says."""

    def packed(kind: Kind, value: Any) -> AnyMessage:
        return AnyMessage(type_url=f"type.googleapis.com/{game.codec.type_name(kind)}", value=game.codec.encode(kind, value))

    view = game.view(step.position, seat)
    update = sessions_pb2.Update(view=packed(Kind.VIEW, view))
    update.happening.notation = "" if ply is None else read_by(game, ply, seat)
    for event in (game.show(event, seat) for event in step.events[:LISTED]):
        if event is not None:
            update.happening.events.append(packed(Kind.EVENT, event))
    if seat in game.to_act(step.position):
        legal = game.actions(view)
        for action in legal[:LISTED]:
            choice, label = game.choice(view, action), games_pb2.Text()
            label.key = choice.label.key
            for name, value in choice.label.args.items():
                label.args[name] = value
            update.actions.append(
                games_pb2.ActionChoice(
                    action=packed(Kind.ACTION, action),
                    notation=game.write(view, action),
                    places=choice.places,
                    label=label,
                    effects=map(games_pb2.Effect.ValueType, choice.effects),
                )
            )
        update.more_actions = len(legal) > LISTED
    return update


def pieces_tell_what_the_game_tells(game: AnyGame) -> None:
    """Joined, the pieces of each audience that was asked for are its part of an update, byte for byte; no other is named."""
    rng = dice("pieces")
    for ply, seats in plies(game):
        asked = rng.choice((EVERYBODY, rng.randrange(EVERYBODY), 1 << ply.seat))
        step = shown(game, ply.step, asked, ply)
        there = asked & ((1 << seats) - 1 | 1 << SPECTATOR)
        assert step.audiences == there
        for pieces in (step.view, step.happening, step.actions):
            assert all(piece.audiences and piece.data and not piece.audiences & ~there for piece in pieces), "not asked for"
        for pieces in (step.happening, step.actions):
            assert len({piece.data for piece in pieces}) == len(pieces), "the same bytes are sent twice"
        for seat in (*range(seats), None):
            if there >> audience(seat) & 1:
                data, plain = joined(step, seat), received(game, ply.step, seat, ply)
                assert sessions_pb2.Update.FromString(data) == plain, f"seat {seat} is told otherwise than by the game"
                assert data == plain.SerializeToString(deterministic=True), f"what seat {seat} is told is not canonical"


def pieces_of_look_alikes_are_the_same(game: AnyGame) -> None:
    """Positions that look alike to a seat give it the same bytes, whoever else is shown them."""
    for number, moment in enumerate(moments_of(game)):
        for seat in moment.eyes:
            here = joined(shown(game, Step(moment.position), EVERYBODY), seat)
            assert joined(shown(game, Step(moment.position), 1 << audience(seat)), seat) == here, "others change what it is told"
            for other in look_alikes(game, moment.position, seat, number):
                assert joined(shown(game, Step(other), EVERYBODY), seat) == here, f"its bytes tell seat {seat} what is hidden"
