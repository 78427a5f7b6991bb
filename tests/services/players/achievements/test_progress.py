"""For what games count, and how far a player is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brettwerk.v1 import profiles_pb2 as pb
from brettwerk.v1 import record_pb2
from services.players.achievements.conditions import Condition, Played
from services.players.calls import Caller
from services.players.profiles.profiles import Profiles
from services.players.ratings.pools import DAY_MS
from tests.services.players.intake.finished_games import computer, kept, log, outcome, person, session_id
from tests.services.players.intake.place import Place

START_MS = 1_700_000_000_000
ANNA = Caller("anna", "Anna", "192.0.2.1")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


def played(**known: Any) -> Played:
    defaults: dict[str, Any] = {
        "result": "won",
        "reason": "corner",
        "seats": 2,
        "seat": 0,
        "place": 1,
        "levels": frozenset({"easy"}),
    }
    defaults |= {"persons": 0, "has_partner": False, "competitive": False, "own": ["1:1A1-B1", "2:2A2xB2"], "others": ["x"]}
    return Played(**(defaults | known))


@pytest.mark.parametrize(
    ("received", "counts", "counts_not"),
    [
        ({"result": ["won"]}, {}, {"result": "lost"}),
        ({"reason": ["corner"]}, {}, {"reason": "capture"}),
        ({"seats": [3, 6]}, {"seats": 4}, {}),
        ({"seat": [1]}, {"seat": 1}, {}),
        ({"place": [2]}, {"place": 2}, {}),
        ({"level": ["best", "easy"]}, {}, {"levels": frozenset({"normal"})}),
        ({"persons": 2}, {"persons": 2}, {"persons": 1}),
        ({"partner": True}, {"has_partner": True}, {}),
        ({"competitive": True}, {"competitive": True}, {}),
        ({"plies": [3, 3]}, {}, {"others": []}),
        ({"own": [1, 2]}, {}, {"own": ["a"] * 3}),
        ({"written": [{"by": "own", "match": "x", "least": 1}]}, {}, {"own": ["1:1A1-B1"]}),
        ({"written": [{"by": "own", "match": "x", "most": 0}]}, {"own": ["1:1A1-B1"]}, {}),
        ({"written": [{"by": "others", "match": "^x$"}]}, {}, {"others": ["y"]}),
        ({"written": [{"by": "any", "match": "x", "least": 2}]}, {}, {"others": []}),
        ({"written": [{"by": "last", "match": "x"}]}, {}, {"own": ["2:2A2xB2", "1:1A1-B1"]}),
    ],
)
def test_a_condition_holds_when_all_of_it_does(received: dict[str, Any], counts: dict[str, Any], counts_not: dict[str, Any]):
    assert Condition(received).holds(played(**counts))
    assert not Condition(received).holds(played(**counts_not))
    assert not Condition({**received, "result": ["drawn"]}).holds(played(**counts))


@pytest.mark.parametrize("received", [{"colour": 1}, {"seats": [3, 2]}, {"written": [{"by": "me", "match": "x"}]}])
def test_an_unknown_condition_is_refused(received: dict[str, Any]):
    with pytest.raises(ValueError):
        Condition(received)


async def reached(place: Place, caller: Caller = ANNA) -> dict[str, tuple[int, int, int]]:
    """Return progress, goal and when it was reached, of what was begun."""
    asked = pb.ListAchievementsRequest(language="en")
    received: Any = (await Profiles(place.store).list_achievements(asked, caller)).response
    return {one.id: (one.progress, one.goal, one.reached_at_ms) for one in received.achievements if one.progress}


async def keep(place: Place, number: int, opponent: str, winner: int | None, *own: str, day: int = 0) -> str:
    other = computer(opponent[1:]) if opponent.startswith("@") else person(opponent)
    acted = [record_pb2.Ply(actor=1, notation=notation) for notation in own]
    entries = [*log(person("anna"), other, plies=0), *(record_pb2.Entry(acted=record_pb2.Acted(ply=ply)) for ply in acted)]
    ended = outcome(*([] if winner is None else [winner]))
    at_ms = START_MS + day * DAY_MS + number
    await place.archive.keep(kept(number, person("anna"), other, ended=ended, entries=entries, finished_at_ms=at_ms))
    return session_id(number)


async def test_games_count_for_what_was_done_in_them_and_goals_are_reached_in_their_order(place: Place):
    ids = [await keep(place, number, "@strong", 0, "1:1B2xA1", day=number) for number in range(6)]
    ids.append(await keep(place, 6, "bert", 1, day=6))
    place.taking.take(ids[3:])  # in whatever order
    place.taking.take(ids)
    found = await reached(place)
    at = [START_MS + day * DAY_MS + day for day in range(7)]
    assert found["einstein/first"] == (1, 1, at[0])
    assert found["einstein/one"] == (1, 1, at[0])
    assert found["einstein/strong"] == (1, 1, at[0])
    assert found["einstein/corner"] == (6, 10, 0)
    assert found["einstein/row"] == found["overall/row"] == (5, 5, at[4])
    assert found["overall/week"] == (7, 7, at[6])
    assert found["overall/ten"] == (7, 10, 0)
    assert found["overall/people"] == (1, 5, 0)
    assert found["overall/all_games"] == (1, 4, 0)
    assert "einstein/peaceful" not in found and "einstein/six" not in found
    before = place.rows()
    place.taking.rebuild()
    assert place.rows() == before


async def test_an_action_that_was_taken_back_does_not_count(place: Place):
    acted = record_pb2.Entry(acted=record_pb2.Acted(ply=record_pb2.Ply(actor=1, notation="1:1B2xA1")))
    entries = [*log(person("anna"), computer(), plies=0), acted, record_pb2.Entry(undone=record_pb2.Undone(plies=0))]
    await place.archive.keep(kept(1, person("anna"), computer(), ended=outcome(0), entries=entries))
    place.taking.take([session_id(1)])
    found = await reached(place)
    assert "einstein/first" in found and "einstein/one" not in found


async def test_playing_both_sides_or_from_an_edited_position_reaches_nothing(place: Place):
    edited = record_pb2.Entry(created=record_pb2.Created(game="einstein", seats=2))
    edited.created.start_position.type_url = "type.googleapis.com/brettwerk.v1.EinsteinPosition"
    entries = [edited, *log(person("anna"), computer())]
    await place.archive.keep(kept(1, person("anna"), person("anna"), ended=outcome(0)))
    await place.archive.keep(kept(2, person("anna"), computer(), ended=outcome(0), entries=entries))
    place.taking.take([session_id(1), session_id(2)])
    assert {one for one in await reached(place) if not one.endswith("/row")} == set()


async def test_they_are_described_in_both_languages(place: Place):
    asked = [pb.ListAchievementsRequest(language=language) for language in ("en", "de")]
    answers: list[Any] = [(await Profiles(place.store).list_achievements(one, ANNA)).response for one in asked]
    received = [answer.achievements for answer in answers]
    assert [one.id for one in received[0]] == [one.id for one in received[1]]
    assert all(one.text != other.text for one, other in zip(*received, strict=True))


async def test_a_caller_without_a_player_is_shown_all_of_them_without_progress(place: Place):
    # Computers have results without a player, which are nobody's.
    await place.archive.keep(kept(1, person("anna"), computer(), ended=outcome(1), entries=log(person("anna"), computer())))
    place.taking.take([session_id(1)])
    asked = pb.ListAchievementsRequest(language="en")
    shown: Any = (await Profiles(place.store).list_achievements(asked, Caller("", "", ""))).response
    known: Any = (await Profiles(place.store).list_achievements(asked, ANNA)).response
    assert [one.id for one in shown.achievements] == [one.id for one in known.achievements]
    assert not any(one.progress or one.reached_at_ms for one in shown.achievements)
