"""Descriptions of games before one is played: the list, facts, words, prepared settings."""

import pytest

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2, games_pb2
from brettwerk_games.languages.folders import LANGUAGES
from brettwerk_games.rules.interface import AnyGame, Kind
from services.rules import any_codec
from services.rules.answers import answer, apply_action, find_game, find_games, new_position
from services.runtime import limits
from services.runtime.refusal import Refused
from services.runtime.seats import seat_in
from tests.services.rules.asking import refusal_of


def test_all_games_are_listed_in_order_and_in_pages() -> None:
    whole = answer("find_games", pb.FindGamesRequest()).games  # type: ignore[attr-defined]
    ids = [game.id for game in whole]
    assert "einstein" in ids
    assert "blind_duel" in ids
    found: list[str] = []
    token = ""
    while True:
        page = answer("find_games", pb.FindGamesRequest(page_size=1, page_token=token))
        assert isinstance(page, pb.FindGamesResponse)
        found += [game.id for game in page.games]
        token = page.next_page_token
        if not token:
            break
        assert len(page.games) == 1
    assert found == ids


def test_games_that_an_operator_names_come_first_in_that_order() -> None:
    usual = [game.id for game in find_games(pb.FindGamesRequest()).games]
    first = ("wec", "ludo", "einstein")
    found: list[str] = []
    token = ""
    while not found or token:
        page = find_games(pb.FindGamesRequest(page_size=1, page_token=token), first)
        found += [game.id for game in page.games]
        token = page.next_page_token
    assert found == ["wec", "einstein", *(game for game in usual if game not in first)]


def test_levels_are_listed_with_their_thinking_times(game: AnyGame) -> None:
    response = answer("find_game", pb.FindGameRequest(game=game.facts.id, language="en"))
    assert isinstance(response, pb.FindGameResponse)
    received = [(level.id, level.think_ms, level.least_ms, level.max_depth) for level in response.game.levels]
    assert received == [(level.id, level.think_ms, level.least_ms, level.max_depth) for level in game.facts.levels]


@pytest.mark.parametrize("language", LANGUAGES.codes())
def test_every_text_that_the_facts_name_is_in_the_catalogue(game: AnyGame, language: str) -> None:
    request = pb.FindGameRequest(game=game.facts.id, language=language)
    response = answer("find_game", request)
    assert isinstance(response, pb.FindGameResponse)
    limits.check(response)
    keys = set(_keys(response.game))
    assert keys - set(response.catalogue) == set()
    assert response.rules_page == game.facts.rules_page(language)


@pytest.mark.parametrize("language", LANGUAGES.codes())
def test_the_list_says_what_the_games_are_called(game: AnyGame, language: str) -> None:
    listed = answer("find_games", pb.FindGamesRequest(language=language))
    assert isinstance(listed, pb.FindGamesResponse)
    limits.check(listed)
    assert listed.names[game.facts.id] == game.facts.catalogue(language)["game.name"]


def test_a_list_in_no_language_has_no_names_and_one_in_an_unknown_language_is_refused() -> None:
    assert not answer("find_games", pb.FindGamesRequest()).names  # type: ignore[attr-defined]


def test_the_list_says_what_computers_are_called():
    listed = find_games(pb.FindGamesRequest(language="de"))
    assert listed.computer_names["emperado/normal"] == "Carla"
    assert not find_games(pb.FindGamesRequest()).computer_names
    assert find_games(pb.FindGamesRequest(language="fr")).computer_names["emperado/normal"] == "Carla"
    with pytest.raises(Refused, match="one of en, de, fr"):
        answer("find_games", pb.FindGamesRequest(language="xx"))


def test_the_rules_page_can_be_left_out(game: AnyGame) -> None:
    words = answer("find_game", pb.FindGameRequest(game=game.facts.id, language="en", without_rules_page=True))
    assert isinstance(words, pb.FindGameResponse)
    assert (words.rules_page, dict(words.catalogue)) == ("", dict(game.facts.catalogue("en")))


def test_the_sentences_of_the_rules_can_be_left_out(game: AnyGame) -> None:
    asked = pb.FindGameRequest(game=game.facts.id, language="de", without_rules_page=True, without_rule_sentences=True)
    words = answer("find_game", asked)
    assert isinstance(words, pb.FindGameResponse)
    all_words = game.facts.catalogue("de")
    assert dict(words.catalogue) == {key: text for key, text in all_words.items() if not key.startswith("rule.")}
    assert 0 < len(words.catalogue) < len(all_words)


def test_a_caller_who_only_watches_gets_the_words_and_fields_that_it_asks_for(game: AnyGame) -> None:
    parts = [games_pb2.Game.FIELD_OPTIONS, games_pb2.Game.FIELD_LEVELS, games_pb2.Game.FIELD_ORDERS, games_pb2.Game.FIELD_PHRASES]
    asked = pb.FindGameRequest(game=game.facts.id, language="en", key_prefixes=["game.name", "seat."], leave_out=parts)
    found, whole = find_game(asked), find_game(pb.FindGameRequest(game=game.facts.id, language="en"))
    words = {key: text for key, text in whole.catalogue.items() if key == "game.name" or key.startswith("seat.")}
    assert dict(found.catalogue) == words
    assert len(words) > len(found.game.seats)
    left = games_pb2.Game()
    left.CopyFrom(whole.game)
    for name in ("options", "presets", "levels", "orders", "phrases"):
        left.ClearField(name)
    assert found.game == left
    assert (found.rules_page, found.contract) == (whole.rules_page, whole.contract)
    assert find_game(pb.FindGameRequest(game=game.facts.id, language="en")).game.levels, "what is kept stays whole"


def test_a_part_of_a_later_release_stays(game: AnyGame) -> None:
    asked = pb.FindGameRequest(game=game.facts.id, language="en", without_rules_page=True)
    whole = find_game(asked)
    asked.leave_out.append(99)  # type: ignore[arg-type]
    assert find_game(asked) == whole


def _keys(message: object) -> list[str]:
    """Return the keys of all texts in a message, at any depth."""
    if isinstance(message, games_pb2.Text):
        return [message.key]
    found = []
    for field, value in message.ListFields():  # type: ignore[attr-defined]
        if field.message_type is not None:
            for one in value if field.is_repeated else [value]:
                found += _keys(one)
    return found


def test_facts_of_einstein_are_listed_as_they_are() -> None:
    response = answer("find_game", pb.FindGameRequest(game="einstein", language="en"))
    assert isinstance(response, pb.FindGameResponse)
    game = response.game
    assert (game.min_seats, len(game.seats), game.chance, game.hidden, game.draws) == (2, 2, True, False, False)
    assert game.options_type == "brettwerk.v1.EinsteinOptions"
    assert [option.key for option in game.options] == ["setup", "first", "show_roll"]
    setup, first, roll = game.options
    assert [(choice.number, choice.label.key) for choice in setup.choice.choices] == [
        (1, "option.setup.standard"),
        (2, "option.setup.random"),
        (3, "option.setup.chosen"),
    ]
    assert first.changeable == games_pb2.OptionSpec.CHANGEABLE_BEFORE_START
    assert roll.changeable == games_pb2.OptionSpec.CHANGEABLE_ALWAYS
    assert roll.WhichOneof("values") == "switch"
    assert not roll.switch.preset
    assert game.seats[1].computer_by_default


def test_an_option_that_is_a_seats_own_names_it() -> None:
    """WEC-OPT-3."""
    game = find_game(pb.FindGameRequest(game="wec", language="en")).game
    owners = {option.key: seat_in(option, "owner_seat") for option in game.options}
    assert {key: seat for key, seat in owners.items() if seat is not None} == {"government_black": 0, "government_white": 1}


@pytest.mark.parametrize("language", ["", "xx", "EN", "../../etc"])
def test_a_language_that_there_is_not_is_malformed(language: str) -> None:
    refusal = refusal_of("find_game", pb.FindGameRequest(game="einstein", language=language))
    assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "language")


def test_a_game_serves_options_that_can_be_chosen_as_one() -> None:
    """EMP-PARAM-9."""
    game = find_game(pb.FindGameRequest(game="emperado", language="de"))
    (preset,) = game.game.presets
    options = any_codec.any_codec("emperado").unpack(Kind.OPTIONS, preset.options, "options")
    assert (options.solidarity, options.coalition, options.country_handicap) == (-5, 20, -3)
    assert (preset.rule, preset.max_seats) == ("EMP-PARAM-9", 4)
    assert game.catalogue[preset.label.key] == "Anfänger"
    assert game.catalogue[preset.help.key]
    asked = pb.NewPositionRequest(game="emperado", seats=4, options=preset.options, step_seed=bytes(32))
    assert new_position(asked).step.to_act == [0]


def test_only_a_game_that_asks_is_told_who_plays() -> None:
    asked = pb.NewPositionRequest(game="einstein", seats=2, step_seed=bytes(32))
    position = new_position(asked).step.position
    received = pb.ApplyActionRequest(
        game="einstein", position=position, system_action=games_pb2.SystemAction(computers=1), step_seed=bytes(32)
    )
    with pytest.raises(Refused):
        apply_action(received)
