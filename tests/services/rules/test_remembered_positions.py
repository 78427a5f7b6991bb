from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.presets import preset_options
from services.rules.any_codec import POSITIONS, any_codec
from tests.services.rules.asking import SEED, act, new, refusal_of, seen, system_step


def remembered(game: str, position: AnyMessage) -> bool:
    return (any_codec(game), position.value) in POSITIONS


def test_the_position_after_an_action_is_remembered_in_place_of_the_one_before() -> None:
    for game in ("einstein", "emperado", "plateau", "wec"):
        POSITIONS.clear()
        before = new(game)
        for _ in range(5):
            seat = before.to_act[0]
            after = act(game, before.position, seat, seen(before, seat).actions[0].action)
            assert not remembered(game, before.position)
            assert remembered(game, after.position)
            assert len(POSITIONS) == 1
            before = after


def test_an_action_on_a_position_that_was_forgotten_makes_the_same_step() -> None:
    first = new("wec")
    action = seen(first, first.to_act[0]).actions[0].action
    assert act("wec", first.position, first.to_act[0], action) == act("wec", first.position, first.to_act[0], action)


def test_a_position_on_which_an_action_is_refused_stays_remembered() -> None:
    first = new("plateau")
    done = pb.SeatAction(seat=1 - first.to_act[0], action=seen(first, first.to_act[0]).actions[0].action)
    request = pb.ApplyActionRequest(game="plateau", position=first.position, action=done, step_seed=SEED)
    assert refusal_of("apply_action", request).reason == errors_pb2.REASON_NOT_YOUR_TURN
    assert remembered("plateau", first.position)


def test_a_position_that_a_system_action_leaves_as_it_is_stays_remembered() -> None:
    game = registry.games()["plateau"]
    options = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.PlateauOptions", value=preset_options(game, 2))
    first = new("plateau")
    again = system_step("plateau", first.position, options=options)
    assert again.position == first.position
    assert remembered("plateau", first.position)
