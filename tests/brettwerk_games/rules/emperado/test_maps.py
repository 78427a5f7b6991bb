"""Games on other maps than the usual world (EMP-MAP-6): what a map may be, and that the rules hold on one."""

import copy
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.v1 import emperado_pb2 as pb
from brettwerk_games.languages.folders import LANGUAGES
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.emperado import maps
from brettwerk_games.rules.emperado.actions import Attack, Move, Place
from brettwerk_games.rules.emperado.check_map import main
from brettwerk_games.rules.emperado.deal import shares
from brettwerk_games.rules.emperado.legal import groups
from brettwerk_games.rules.emperado.map_faults import faults
from brettwerk_games.rules.emperado.maps import WORLDS, read_map
from brettwerk_games.rules.emperado.notation import parse
from brettwerk_games.rules.emperado.options import Options, Win
from brettwerk_games.rules.emperado.position import GHOST, fault
from brettwerk_games.rules.emperado.reinforcement import continent_bonuses, country_bonus
from brettwerk_games.rules.emperado.world import USUAL, read_world
from brettwerk_games.rules.interface import Kind, Reoption
from brettwerk_games.rules.refusals import Illegal, Malformed
from tests.brettwerk_games.rules.emperado import plain
from tests.brettwerk_games.rules.emperado.test_rules import steps
from tests.brettwerk_games.rules.emperado.worlds import EMPERADO, SEED, dealt
from tests.night import examples

ISLANDS = WORLDS["five_islands"]
FILE = EMPERADO.facts.folder / "maps" / "five_islands.json"
RAW = json.loads(FILE.read_text(encoding="utf-8"))
ON_ISLANDS = Options(map="five_islands")


def changed(change: Callable[[Any], Any], folder: Path) -> Path:
    """Return the file of the islands after a change."""
    raw = copy.deepcopy(RAW)
    change(raw)
    path = folder / "islands.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


def wrong_with(file: Path) -> Sequence[str]:
    try:
        return faults(read_world(file, "islands"))
    except ValueError as error:
        return (str(error),)


def test_maps_that_come_along_and_the_usual_world_can_be_played_on() -> None:
    assert all(not faults(world) for world in WORLDS.values())
    assert {path.stem for path in FILE.parent.glob("*.json")} == set(WORLDS) - {""}
    assert (ISLANDS.count, ISLANDS.max_seats, USUAL.max_seats) == (24, 5, 6)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "cannot be reached": lambda raw: raw["links"].clear(),
    "linked twice": lambda raw: raw["links"].append(raw["links"][0]),
    "which is no country": lambda raw: raw["links"][0].update(a="atlantis"),
    "no continent": lambda raw: raw["countries"][0].update(continent="atlantis"),
    "has no country": lambda raw: raw["continents"].append({**raw["continents"][0], "id": "atlantis"}),
    "6 to 60 countries": lambda raw: raw.update(countries=raw["countries"][:5], links=raw["links"][:4]),
    "1 to 10 continents": lambda raw: raw["continents"].extend(
        {**raw["continents"][0], "id": f"more_{number}"} for number in range(9)
    ),
    "at most 31 armies": lambda raw: raw["continents"][0].update(bonus=30),
    "whole number of armies": lambda raw: raw["continents"][0].update(bonus=-1),
    "#rrggbb": lambda raw: raw["continents"][0].update(colour="red"),
    "no id": lambda raw: raw["continents"].append({**raw["continents"][0], "id": "North Isle"}),
    "each only once": lambda raw: raw["countries"].append(raw["countries"][0]),
    "no English name": lambda raw: raw["countries"][0].pop("name_en"),
    "is no name:": lambda raw: raw["countries"][0].update(name_en="<b>Ice</b>"),
    "at most 40 bytes": lambda raw: raw["countries"][0].update(name_de="x" * 41),
    "no word of it": lambda raw: raw["countries"][0].update(notation="Fertig"),
    "in the notation": lambda raw: raw["countries"][0].update(notation="Eis-Kap"),
    "at most 16 bytes": lambda raw: raw["countries"][0].update(notation="Kap der guten Hoffnung"),
    "the same name": lambda raw: raw["countries"][0].update(name_en="Seal Bay"),
    "outside the map": lambda raw: raw["countries"][0].update(label=[700, 10]),
    "3 points or more": lambda raw: raw["countries"][0]["shape"][0].__delitem__(slice(2, None)),
    "at most 5000 points": lambda raw: raw["countries"][0].update(shape=[[[1, 1]] * 5001]),
    "wide and high": lambda raw: raw.update(size=[600, 5000]),
    "lacks something": lambda raw: raw.pop("links"),
    "no number or no text": lambda raw: raw["continents"][0].update(colour=7),
    "has it otherwise": lambda raw: raw.update(countries=7),
}


@pytest.mark.parametrize("said", CHANGES)
def test_a_map_that_cannot_be_played_on_is_told_from_one_that_can(said: str, tmp_path: Path) -> None:
    assert any(said in wrong for wrong in wrong_with(changed(CHANGES[said], tmp_path)))
    with pytest.raises(ValueError, match=r"\w"):
        read_map(tmp_path / "islands.json", "islands")


def test_a_map_has_room_in_the_contract(tmp_path: Path) -> None:
    def many(raw: Any) -> None:
        ids = [country["id"] for country in raw["countries"]]
        raw["links"] = [{"a": a, "b": b} for number, a in enumerate(ids) for b in ids[:number]]

    with pytest.raises(ValueError, match="at most 111 links"):
        read_map(changed(many, tmp_path), "islands")


def test_maps_are_checked_by_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FILE)]) == 0
    assert "24 countries, for 2 to 5 seats" in capsys.readouterr().out
    assert main([str(changed(CHANGES["cannot be reached"], tmp_path)), str(tmp_path / "none.json")]) == 2
    assert "cannot be reached" in capsys.readouterr().out


def test_a_map_of_a_package_that_cannot_be_played_on_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = changed(CHANGES["cannot be reached"], tmp_path)
    monkeypatch.setattr(maps, "_files", lambda: iter([("good", FILE), ("broken", broken), ("good", FILE)]))
    assert list(maps._installed()) == ["", "good"]
    assert "the map broken is left out: birch_wood cannot be reached" in caplog.text
    assert "another map of this name" in caplog.text


def test_a_package_brings_a_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "map_package").mkdir()
    (tmp_path / "map_package" / "__init__.py").touch()
    (tmp_path / "map_package" / "isles.json").write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")
    info = tmp_path / "map_package-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: map-package\nVersion: 1\n")
    points = ["isles = map_package:isles.json", "lost = map_package:lost.json", "none = no_package.inner:none.json"]
    (info / "entry_points.txt").write_text("\n".join(["[brettwerk.emperado_maps]", *points]))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert list(maps._installed()) == ["", "five_islands", "isles"]
    assert [each.getMessage().split()[2] for each in caplog.records] == ["lost", "none"]


@pytest.mark.parametrize("name", ["atlantis", "FIVE_ISLANDS", "../map"])
def test_a_map_that_is_not_here_is_refused(name: str) -> None:
    with pytest.raises(Malformed) as refused:
        dealt(2, options=Options(map=name))
    assert (refused.value.rule, refused.value.field, refused.value.details["known"]) == ("EMP-MAP-6", "map", "five_islands")
    with pytest.raises(Malformed):
        EMPERADO.board_of(Options(map=name), 2)


def test_a_map_is_for_as_many_as_are_dealt_two_countries() -> None:
    assert [shares(seats, ISLANDS.count)[0] for seats in range(2, 7)] == [11, 7, 4, 2, 1]
    with pytest.raises(Malformed) as refused:
        dealt(6, options=ON_ISLANDS)
    assert (refused.value.rule, refused.value.field) == ("EMP-MAP-6", "seats")


@pytest.mark.parametrize("seats", range(2, 6))
def test_all_countries_of_the_map_are_dealt(seats: int) -> None:
    position = dealt(seats, options=ON_ISLANDS)
    assert len(position.owners) == 24
    assert [position.owners.count(seat) for seat in range(seats)] == list(shares(seats, 24))
    assert position.owners.count(GHOST) == 24 - sum(shares(seats, 24))
    assert fault(position) is None


@given(st.integers(2, 5), st.integers(0, 2**32), st.sampled_from(Win))
@settings(max_examples=examples(15), deadline=None)
def test_games_on_the_map_stay_sound_and_are_described_as_in_the_plain_way(seats: int, seed: int, win: Win) -> None:
    for _, _, step in steps(ON_ISLANDS._replace(win=win), seats, seed, 150):
        position = step.position
        assert fault(position) is None
        data = EMPERADO.codec.encode(Kind.POSITION, position)
        assert EMPERADO.codec.decode(Kind.POSITION, data) == position
        views = [EMPERADO.view(position, seat) for seat in (*range(seats), None)]
        for view, parts in zip(views, EMPERADO.codec.encode_views(views, data), strict=True):
            assert b"".join(parts) == EMPERADO.codec.encode(Kind.VIEW, view)
            assert EMPERADO.codec.encode(Kind.VIEW, view) == plain.view_message(view).SerializeToString(deterministic=True)
            assert EMPERADO.actions(view) == tuple(plain.actions(view))
            for action in EMPERADO.actions(view)[:9]:
                assert EMPERADO.read(view, EMPERADO.write(view, action)) == action


def test_continents_and_countries_pay_as_the_map_says() -> None:
    position = dealt(3, options=ON_ISLANDS)._replace(owners=(0,) * 24, round=2)
    assert continent_bonuses(position) == [14, 0, 0]
    assert country_bonus(position, 0) == 1 + (24 - 8) // 3
    west = tuple(0 if country in ISLANDS.continents[1].countries else 1 for country in range(24))
    assert continent_bonuses(position._replace(owners=west)) == [2, 12, 0]


def test_the_whole_world_is_all_of_the_map() -> None:
    position = dealt(2, options=ON_ISLANDS._replace(win=Win.WHOLE_WORLD))
    target = next(iter(ISLANDS.neighbours[0]))
    owners = tuple(1 if country == target else 0 for country in range(24))
    position = position._replace(owners=owners, armies=(200,) * target + (1,) + (200,) * (23 - target), to_place=0)
    step = EMPERADO.apply(position, 0, Attack(0, target, 0), SEED)
    assert step.position.winner == 0


def test_countries_that_the_map_does_not_have_are_refused() -> None:
    position = dealt(2, options=ON_ISLANDS)
    with pytest.raises(Malformed):
        EMPERADO.apply(position, 0, Place(24, 1), SEED)
    for wrong in ({"blocked": frozenset({30})}, {"owners": (*position.owners, 0)}, {"options": Options()}):
        assert fault(position._replace(**wrong)) is not None
    message = pb.EmperadoPosition.FromString(EMPERADO.codec.encode(Kind.POSITION, position))
    message.options.map = "atlantis"
    with pytest.raises(Malformed) as refused:
        EMPERADO.codec.decode(Kind.POSITION, message.SerializeToString())
    assert refused.value.field == "options.map"


def test_a_prepared_start_is_one_of_its_map() -> None:
    start = dealt(2, options=ON_ISLANDS)
    assert EMPERADO.new(ON_ISLANDS, 2, start, bytes(SEED_BYTES)).position.owners == start.owners
    with pytest.raises(Illegal) as refused:
        EMPERADO.new(Options(), 2, start, bytes(SEED_BYTES))
    assert refused.value.rule == "EMP-START-1"


def test_the_map_is_settled_before_the_start() -> None:
    with pytest.raises(Illegal) as refused:
        EMPERADO.system_action(dealt(2), Reoption(ON_ISLANDS), SEED)
    assert refused.value.details["option"] == "map"


def test_names_are_read_in_all_languages_of_the_map() -> None:
    view = EMPERADO.view(dealt(2, options=ON_ISLANDS)._replace(to_place=0), 0)
    ice, birch = 0, 1
    for text in ("Eiskap => Birkenwald 2", "ice cape => birch wood 2", "cap des glaces => bois des bouleaux 2"):
        assert parse(view, text) == Move(ice, birch, 2)
    usual = EMPERADO.view(dealt(2), 0)
    with pytest.raises(Malformed):
        parse(usual, "Eiskap +3")


def test_the_board_and_the_plain_board_have_the_map() -> None:
    board = EMPERADO.board_of(ON_ISLANDS, 2)
    assert (len(board.places), len(board.groups), board.width, board.height) == (24, 5, 600, 480)
    assert [place.label for place in board.places] == [f"country.five_islands.{country.id}" for country in ISLANDS.countries]
    assert all(place.outlines for place in board.places)
    assert [group.colour for group in board.groups] == [continent.colour for continent in ISLANDS.continents]
    scene = EMPERADO.scene(EMPERADO.view(dealt(2, options=ON_ISLANDS), 0))
    assert [place.name for place in scene.places] == [country.notation for country in ISLANDS.countries]


@pytest.mark.parametrize("language", LANGUAGES.codes())
def test_catalogues_have_the_words_of_the_map(language: str) -> None:
    catalogue = EMPERADO.facts.catalogue(language)
    assert catalogue["option.map.five_islands"] == ISLANDS.names[language]
    for country in ISLANDS.countries:
        assert catalogue[f"country.{country.key}"] == country.names[language]
        assert country.names[language] in catalogue[f"active.{country.key}"]
    for continent in ISLANDS.continents:
        assert catalogue[f"continent.{continent.key}"] == continent.names[language]


def test_actions_about_the_same_numbers_are_told_apart_by_their_map() -> None:
    found: dict[object, list[str]] = {}
    for options in (Options(), ON_ISLANDS):
        position = dealt(2, options=options)
        owners = tuple(int(country > 8) for country in range(position.world.count))
        view = EMPERADO.view(position._replace(to_place=0, owners=owners), 0)
        for key, _, made in groups(view):
            words = [EMPERADO.write(view, action) for action in made()]
            assert found.setdefault(key, words) == words


def test_the_usual_world_is_the_bytes_it_was() -> None:
    message = pb.EmperadoPosition.FromString(EMPERADO.codec.encode(Kind.POSITION, dealt(2)))
    assert not message.options.map
