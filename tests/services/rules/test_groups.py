"""Lists that are joined of groups, against choices that are encoded one by one."""

import random
from typing import Any

import pytest

from brettwerk.v1 import games_pb2, sessions_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import Position
from brettwerk_games.rules.interface import Kind
from services.rules import steps as step_messages
from services.rules.any_codec import GROUP_BYTES, AnyCodec, Recent
from services.rules.scenes import text_of
from tests.brettwerk_games.rules.emperado.test_rules import steps
from tests.brettwerk_games.rules.emperado.worlds import A, B, world

GAME = registry.games()["emperado"]


def listed(any_codec: AnyCodec, view: Any) -> bytes:
    return step_messages._listed(any_codec, view)


def plain(view: Any, most: int) -> bytes:
    update, legal = sessions_pb2.Update(), GAME.actions(view)
    for action in legal[:most]:
        choice = GAME.choice(view, action)
        message = games_pb2.ActionChoice(notation=GAME.write(view, action), places=choice.places, label=text_of(choice.label))
        message.action.CopyFrom(AnyCodec(GAME).pack(Kind.ACTION, action))
        update.actions.append(message)
    update.more_actions = len(legal) > most
    return update.SerializeToString(deterministic=True)


def positions(most: int = 60) -> list[Position]:
    rng, found = random.Random("groups"), []
    for seats in (2, 4, 6):
        found += [step.position for _, _, step in steps(Options(), seats, rng.randrange(1000), most)]
    return found


@pytest.mark.parametrize("most", [1, 2, 7, 40, 256])
def test_lists_are_the_same_wherever_they_are_cut(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(step_messages, "ACTIONS", most)
    any_codec = AnyCodec(GAME)
    for position in positions():
        view = GAME.view(position, position.to_move)
        assert listed(any_codec, view) == plain(view, most)
        assert listed(any_codec, view) == plain(view, most), "found again"


def test_lists_are_cut_between_groups_too() -> None:
    """Done, and two attacks."""
    view = GAME.view(world("Peru A2, Bolivien A1, Brasilien B1", rest="A", armies=1), A)
    any_codec = AnyCodec(GAME)
    whole = [group.size for group in GAME.groups(view) or ()]
    for most in range(sum(whole) + 2):
        groups, is_cut = step_messages._first(GAME.groups(view) or (), most)
        assert [action for group in groups for action in group.actions()] == list(GAME.actions(view)[:most])
        assert is_cut == (most < sum(whole))
    assert listed(any_codec, view) == plain(view, 256)


def test_a_whole_world_has_more_actions_than_are_listed() -> None:
    view = GAME.view(world(rest="A", armies=200, lands={B: [0]}), A)
    assert len(GAME.actions(view)) > 256
    assert listed(AnyCodec(GAME), view) == plain(view, 256)


def test_a_seat_that_is_not_to_act_is_told_nothing() -> None:
    assert listed(AnyCodec(GAME), GAME.view(world("Peru A8"), B)) == b""


def test_little_room_changes_nothing_that_is_shown() -> None:
    any_codec = AnyCodec(GAME)
    any_codec.groups = Recent(20 * GROUP_BYTES, lambda data: len(data) + GROUP_BYTES)
    for position in positions(40):
        view = GAME.view(position, position.to_move)
        assert listed(any_codec, view) == plain(view, 256)
        assert len(any_codec.groups) <= 20
