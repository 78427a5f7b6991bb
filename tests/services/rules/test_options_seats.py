"""Options that belong to one seat: the governments of Weaponized Chess (WEC-NET-5), and games that have none."""

from typing import Any

import pytest

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec.options import Government, Options
from services.rules.answers import answer
from services.runtime.refusal import Refused
from tests.services.rules.asking import packed

WEC = registry.games()["wec"]


def options(value: Options) -> Any:
    return packed(WEC, Kind.OPTIONS, value)


def split(before: Options, wanted: Options, seat: int) -> pb.SplitOptionsResponse:
    request = pb.SplitOptionsRequest(game="wec", seats=2, options=options(before), wanted=options(wanted), seat=seat)
    response = answer("split_options", request)
    assert isinstance(response, pb.SplitOptionsResponse)
    return response


def deal(order: tuple[int, ...], **fields: Any) -> pb.DealOptionsResponse:
    response = answer("deal_options", pb.DealOptionsRequest(order=order, **fields))
    assert isinstance(response, pb.DealOptionsResponse)
    return response


def test_a_change_is_parted_into_what_is_whose() -> None:
    before = Options(government_white=Government.THEOCRACY)
    wanted = before._replace(government_black=Government.DEMOCRACY, stun_range=4)
    parts = split(before, wanted, 0)
    assert parts.own == options(before._replace(government_black=Government.DEMOCRACY))
    assert parts.common == options(before._replace(stun_range=4))
    assert not parts.is_anothers
    parts = split(before, wanted, 1)
    assert not parts.HasField("own") and parts.is_anothers
    parts = split(before, before, 0)
    assert not parts.HasField("own") and not parts.HasField("common") and not parts.is_anothers


def test_missing_options_are_those_of_the_preset() -> None:
    wanted = Options(government_black=Government.DEMOCRACY)
    response = answer("split_options", pb.SplitOptionsRequest(game="wec", seats=2, wanted=options(wanted)))
    assert isinstance(response, pb.SplitOptionsResponse)
    assert response.own == options(wanted) and not response.HasField("common")
    with pytest.raises(Refused):
        answer("split_options", pb.SplitOptionsRequest(game="wec", seats=2))


def test_options_of_a_seat_go_along_with_its_person() -> None:
    before = Options(government_black=Government.DEMOCRACY, stun_range=4)
    after = before._replace(government_black=Government.MONARCHY, government_white=Government.DEMOCRACY)
    assert deal((1, 0), game="wec", options=options(before)).options == options(after)
    assert not deal((0, 1), game="wec", options=options(before)).HasField("options")
    assert not deal((1, 0), game="wec").HasField("options")
    with pytest.raises(Refused):
        deal((1, 1), game="wec")


@pytest.mark.parametrize("name", sorted(registry.games()))
def test_every_game_can_be_dealt(name: str) -> None:
    assert not deal((1, 0), game=name).HasField("options")


@pytest.mark.parametrize("name", sorted(registry.games()))
def test_options_of_a_seat_exist_for_every_seat(name: str) -> None:
    facts = registry.games()[name].facts
    owned = [option for option in facts.options if option.seat is not None]
    for each in {option.each for option in owned}:
        assert each
        assert sorted(o.seat for o in owned if o.each == each and o.seat is not None) == list(range(len(facts.seats)))
