import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2
from brettwerk_games.rules.refusals import Ambiguous, GameOver, GameRefusal, Illegal, Malformed, NotYourTurn
from services.rules.answers import answer
from services.rules.any_codec import refused
from services.runtime.refusal import Refused
from tests.services.rules.asking import act, new, seen, system_step


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (Malformed, errors_pb2.REASON_MALFORMED),
        (Ambiguous, errors_pb2.REASON_AMBIGUOUS),
        (Illegal, errors_pb2.REASON_ILLEGAL),
        (NotYourTurn, errors_pb2.REASON_NOT_YOUR_TURN),
        (GameOver, errors_pb2.REASON_GAME_OVER),
        (GameRefusal, errors_pb2.REASON_ILLEGAL),
    ],
)
def test_each_refusal_of_a_game_has_its_reason_and_keeps_what_it_says(error: type[GameRefusal], reason: int) -> None:
    refusal = refused(error("no", rule="X-1", details={"stone": "3"}, field="move")).refusal
    assert (refusal.reason, refusal.message, refusal.rule, dict(refusal.details), refusal.field) == (
        reason,
        "no",
        "X-1",
        {"stone": "3"},
        "move",
    )


@pytest.mark.parametrize(("field", "path"), [("move.stone", "action.move.stone"), ("", "action")])
def test_the_path_of_a_malformed_field_begins_with_what_was_looked_at(field: str, path: str) -> None:
    assert refused(Malformed("no", field=field), "action").refusal.field == path


def test_an_illegal_action_names_its_rule_and_details() -> None:
    step = new("einstein")
    wrong = AnyMessage(type_url=seen(step, 0).actions[0].action.type_url, value=bytes.fromhex("0a0408011018"))
    with pytest.raises(Refused) as caught:
        act("einstein", step.position, 0, wrong)
    refusal = caught.value.refusal
    assert refusal.reason == errors_pb2.REASON_ILLEGAL
    assert refusal.rule.startswith("EWN-")
    assert refusal.details["stone"] == "1"


def test_a_seat_out_of_turn_and_a_game_that_is_over_say_so() -> None:
    step = new("einstein")
    action = seen(step, 0).actions[0].action
    with pytest.raises(Refused) as caught:
        act("einstein", step.position, 1, action)
    assert caught.value.reason == errors_pb2.REASON_NOT_YOUR_TURN
    over = system_step("einstein", step.position, resign=1)
    with pytest.raises(Refused) as caught:
        act("einstein", over.position, 0, action)
    assert caught.value.reason == errors_pb2.REASON_GAME_OVER


@pytest.mark.parametrize(
    ("notation", "reason", "field"),
    [
        ("what", errors_pb2.REASON_MALFORMED, "notation"),
        ("", errors_pb2.REASON_MALFORMED, "notation"),
        ("E5", errors_pb2.REASON_ILLEGAL, ""),
    ],
)
def test_notation_that_cannot_be_is_refused(notation: str, reason: int, field: str) -> None:
    view = seen(new("einstein"), 0).view
    with pytest.raises(Refused) as caught:
        answer("parse_notation", pb.ParseNotationRequest(game="einstein", view=view, notation=notation))
    assert (caught.value.reason, caught.value.refusal.field) == (reason, field)
