import contextlib
from collections.abc import Callable
from dataclasses import replace

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import emperado_pb2, errors_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.messages import MessageCodec
from services.rules import answers
from services.rules.any_codec import MAX_SMALL_BYTES, AnyCodec
from services.runtime.refusal import Refused, is_newer
from tests.brettwerk_games.rules.kit.play import games_of, plies_of
from tests.services.rules.asking import packed


def test_a_position_that_comes_back_is_not_decoded_again(game: AnyGame) -> None:
    any_codec = AnyCodec(game)
    for position in games_of(game)[0].positions:
        message = any_codec.pack(Kind.POSITION, position)
        assert any_codec.unpack_stored(message, "position") is position
        other = AnyCodec(game).unpack_stored(message, "position")
        assert other == position
        assert packed(game, Kind.POSITION, other) == message


def test_values_come_out_as_they_went_in(game: AnyGame) -> None:
    any_codec = AnyCodec(game)
    for ply, _ in plies_of(game):
        for kind, value in (
            (Kind.POSITION, ply.before),
            (Kind.VIEW, game.view(ply.before, ply.seat)),
            (Kind.ACTION, ply.action),
            *((Kind.EVENT, event) for event in ply.step.events),
        ):
            message = any_codec.pack(kind, value)
            assert message == packed(game, kind, value)
            assert any_codec.unpack(kind, message, "x") == value
            assert AnyCodec(game).unpack(kind, message, "x") == value


@pytest.mark.parametrize("prefix", ["", "/", "type.googleapis.com/", "example.org/types/"])
def test_the_part_before_the_name_of_a_type_does_not_matter(duel: AnyGame, prefix: str) -> None:
    position = games_of(duel)[0].first.position
    message = packed(duel, Kind.POSITION, position)
    message.type_url = prefix + duel.codec.type_name(Kind.POSITION)
    assert AnyCodec(duel).unpack(Kind.POSITION, message, "position") == position


def test_another_type_is_refused_and_both_are_named(duel: AnyGame) -> None:
    message = packed(duel, Kind.VIEW, duel.view(games_of(duel)[0].first.position, 0))
    with pytest.raises(Refused) as caught:
        AnyCodec(duel).unpack(Kind.POSITION, message, "position")
    refusal = caught.value.refusal
    assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "position")
    assert duel.codec.type_name(Kind.VIEW) in refusal.message
    assert duel.codec.type_name(Kind.POSITION) in refusal.message


def test_a_missing_value_is_refused(duel: AnyGame) -> None:
    with pytest.raises(Refused, match="missing"):
        AnyCodec(duel).unpack(Kind.ACTION, AnyMessage(), "action")


@pytest.mark.parametrize("kind", [Kind.OPTIONS, Kind.ACTION])
def test_a_value_that_is_small_in_every_game_carries_nothing_large_along(duel: AnyGame, kind: Kind) -> None:
    message = AnyMessage(type_url=f"type.googleapis.com/{duel.codec.type_name(kind)}", value=bytes(MAX_SMALL_BYTES + 1))
    with pytest.raises(Refused) as caught:
        AnyCodec(duel).unpack(kind, message, "x")
    assert caught.value.refusal.field == "x.value"


@given(data=st.binary(max_size=64), kind=st.sampled_from(Kind))
def test_any_bytes_are_a_value_or_refused(data: bytes, kind: Kind) -> None:
    game = registry.games()["einstein"]
    message = AnyMessage(type_url=f"type.googleapis.com/{game.codec.type_name(kind)}", value=data)
    with contextlib.suppress(Refused):
        value = AnyCodec(game).unpack(kind, message, "it")
        assert AnyCodec(game).unpack(kind, AnyCodec(game).pack(kind, value), "it") == value
        return
    with pytest.raises(Refused) as caught:
        AnyCodec(game).unpack(kind, message, "it")
    assert caught.value.reason == errors_pb2.REASON_MALFORMED
    assert caught.value.refusal.field.startswith("it")


def newer_refusals_of(carry: Callable[[], object]) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        carry()
    assert is_newer(caught.value.refusal), caught.value.refusal
    return caught.value.refusal


@pytest.mark.parametrize("known", registry.games().values(), ids=registry.games())
def test_a_position_with_a_field_of_a_newer_release_is_not_played_on_without_it(known: AnyGame) -> None:
    position = games_of(known)[0].first.position
    request = rules_pb2.ViewPositionRequest(game=known.facts.id, position=packed(known, Kind.POSITION, position))
    whole = answers.answer("view_position", request)
    request.position.value += b"\xaa\x3e\x03new"
    refusal = newer_refusals_of(lambda: answers.answer("view_position", request))
    assert refusal.details["newer"] == "position"
    applying = rules_pb2.ApplyActionRequest(game=known.facts.id, position=request.position, step_seed=bytes(32))
    applying.system_action.resign = 0
    newer_refusals_of(lambda: answers.answer("apply_action", applying))
    assert isinstance(whole, rules_pb2.ViewPositionResponse)
    applying.position.CopyFrom(whole.step.position)
    answers.answer("apply_action", applying)


def test_a_field_of_a_newer_release_is_found_in_the_parts_of_a_position_too() -> None:
    position = emperado_pb2.EmperadoPosition.FromString(
        packed(registry.games()["emperado"], Kind.POSITION, games_of(registry.games()["emperado"])[0].first.position).value
    )
    field = next(field for field, value in position.ListFields() if field.message_type is not None)
    value = getattr(position, field.name)
    (value[0] if field.is_repeated else value).MergeFromString(b"\xaa\x3e\x03new")
    codec = registry.games()["emperado"].codec
    assert isinstance(codec, MessageCodec)
    assert not codec.knows_all(Kind.POSITION, position.SerializeToString())


def test_a_game_and_a_revision_of_its_rules_that_are_not_known_here_are_left_to_others(game: AnyGame) -> None:
    position = packed(game, Kind.POSITION, games_of(game)[0].first.position)
    view = rules_pb2.ViewPositionRequest(game="a game of tomorrow", position=position)
    assert newer_refusals_of(lambda: answers.answer("view_position", view)).details["newer"] == "game"
    applying = rules_pb2.ApplyActionRequest(game=game.facts.id, position=position, step_seed=bytes(32), rules_version="99")
    applying.system_action.resign = 0
    newer_refusals_of(lambda: answers.answer("apply_action", applying))
    applying.rules_version, applying.held = game.facts.rules_version, game.facts.holds_seeds
    answers.answer("apply_action", applying)


def test_rules_play_the_earlier_revisions_that_they_name(duel: AnyGame) -> None:
    facts = replace(duel.facts, rules_version="3", also_plays=("2",))
    assert [facts.plays(version) for version in ("1", "2", "3", "4")] == [False, True, True, False]


def test_a_seed_that_is_not_held_where_it_must_be_comes_from_an_earlier_release(game: AnyGame) -> None:
    position = packed(game, Kind.POSITION, games_of(game)[0].first.position)
    applying = rules_pb2.ApplyActionRequest(game=game.facts.id, position=position, step_seed=bytes(32))
    applying.system_action.resign = 0
    applying.rules_version, applying.held = game.facts.rules_version, not game.facts.holds_seeds
    if game.facts.holds_seeds:
        assert newer_refusals_of(lambda: answers.answer("apply_action", applying)).details["newer"] == "way of holding seeds"
        applying.rules_version = game.facts.also_plays[0]
        answers.answer("apply_action", applying)
    else:
        with pytest.raises(Refused) as caught:
            answers.answer("apply_action", applying)
        assert caught.value.refusal.field == "held"
