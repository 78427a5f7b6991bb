"""Messages given in another form than the rules write come back as the rules write them; their own messages do not."""

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import games_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options
from services.rules.answers import answer
from services.rules.any_codec import any_codec
from services.rules.heavy import play_variation
from services.rules.plies import play_on
from tests.brettwerk_games.rules.kit.play import plies_of
from tests.services.rules.asking import SEED, packed

UNKNOWN_FIELD = bytes([0xF8, 0x7F, 1])
"""Field 2047 as the number 1: bytes that no game knows, and that protobuf reads over."""


def otherwise(message: AnyMessage) -> AnyMessage:
    """Return the same in another form: a blind duel's values are no protobuf, and only their type can be named otherwise."""
    unknown = b"" if "duel" in message.type_url.lower() else UNKNOWN_FIELD
    return AnyMessage(type_url="example.org/types/" + message.type_url.rpartition("/")[2], value=message.value + unknown)


def presets(game: AnyGame) -> AnyMessage:
    """Return the presets as the rules write them."""
    value = game.codec.decode(Kind.OPTIONS, preset_options(game, game.facts.min_seats))
    return any_codec(game.facts.id).pack(Kind.OPTIONS, value)


def test_an_action_in_another_form_comes_back_as_the_rules_write_it(game: AnyGame) -> None:
    for ply, _ in plies_of(game)[:20]:
        position, action = packed(game, Kind.POSITION, ply.before), packed(game, Kind.ACTION, ply.action)
        steps = []
        for given in (action, otherwise(action)):
            request = pb.ApplyActionRequest(
                game=game.facts.id, position=position, action=pb.SeatAction(seat=ply.seat, action=given), step_seed=ply.seed
            )
            response = answer("apply_action", request)
            assert isinstance(response, pb.ApplyActionResponse)
            steps.append(response.step)
        assert not steps[0].HasField("canonical")
        assert steps[1].canonical == action
        steps[1].ClearField("canonical")
        assert steps[0] == steps[1]


def test_options_come_back_whole_whether_they_were_given_or_not(game: AnyGame) -> None:
    seats = game.facts.min_seats
    preset = presets(game)
    for given in (None, preset, otherwise(preset)):
        response = answer("new_position", pb.NewPositionRequest(game=game.facts.id, seats=seats, step_seed=SEED, options=given))
        assert isinstance(response, pb.NewPositionResponse)
        assert response.options == preset
        assert not response.HasField("start_position")


def test_a_start_position_comes_back_as_the_rules_write_it(game: AnyGame) -> None:
    if not game.facts.start_positions:
        pytest.skip("this game begins in one position")
    seats = game.facts.min_seats
    request = pb.NewPositionRequest(game=game.facts.id, seats=seats, step_seed=SEED)
    first = answer("new_position", request)
    assert isinstance(first, pb.NewPositionResponse)
    request.start_position.CopyFrom(otherwise(first.step.position))
    again = answer("new_position", request)
    assert isinstance(again, pb.NewPositionResponse)
    assert again.start_position == any_codec(game.facts.id).pack(
        Kind.POSITION, any_codec(game.facts.id).unpack(Kind.POSITION, first.step.position, "start_position")
    )


@pytest.mark.parametrize("name", ["einstein", "emperado", "plateau", "wec"])
def test_a_change_of_options_comes_back_as_the_rules_write_it(name: str) -> None:
    game = registry.games()[name]
    seats = game.facts.min_seats
    preset = presets(game)
    response = answer("split_options", pb.SplitOptionsRequest(game=game.facts.id, seats=seats, wanted=otherwise(preset)))
    assert isinstance(response, pb.SplitOptionsResponse)
    assert response.wanted == preset


def test_a_variation_in_another_form_comes_back_ply_by_ply() -> None:
    game = any_codec("einstein")
    options = game.pack(Kind.OPTIONS, game.game.codec.decode(Kind.OPTIONS, preset_options(game.game, 2)))
    begun = answer("new_position", pb.NewPositionRequest(game="einstein", seats=2, step_seed=SEED))
    assert isinstance(begun, pb.NewPositionResponse)
    position = game.unpack(Kind.POSITION, begun.step.position, "position")
    loaded = record_pb2.Loaded(options=otherwise(options), variation=[record_pb2.Ply(seed=SEED)])
    actions = []
    for number in range(4):
        seat = game.game.to_act(position)[0]
        action = game.game.actions(game.game.view(position, seat))[0]
        actions.append(game.pack(Kind.ACTION, action))
        given = otherwise(actions[-1]) if number % 2 else actions[-1]
        loaded.variation.add(actor=seat + 1, action=given, seed=SEED)
        position = game.game.apply(position, seat, action, SEED).position
    loaded.variation.add(seed=SEED, system_action=games_pb2.SystemAction(options=otherwise(options)))
    request = pb.PlayVariationRequest(game="einstein", seats=2, writes=True)
    played = play_variation(request, loaded, lambda: True)
    assert played.options == options
    assert {one.ply: one.content for one in played.canonical} == {2: actions[1], 4: actions[3], 5: options}
    on = pb.PlayOnResponse()
    list(play_on(pb.PlayOnRequest(game="einstein", position=begun.step.position, plies=loaded.variation[1:]), on))
    assert [step.canonical for step in on.steps if step.HasField("canonical")] == [actions[1], actions[3], options]
