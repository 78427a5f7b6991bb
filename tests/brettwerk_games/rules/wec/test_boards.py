"""Prepared boards: every one is sound, named, served, and can be played (WEC-SCEN-1, WEC-RUL-65)."""

import math
import random

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import wec_pb2
from brettwerk_games.players.wec import EASY, WecPlayer
from brettwerk_games.rules.facts import PresetFacts
from brettwerk_games.rules.interface import Kind as Wire
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.wec import GAME, boards, edited_start, rules
from brettwerk_games.rules.wec.board import SQUARES
from brettwerk_games.rules.wec.kinds import PRIMARIES, Article
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried
from brettwerk_games.rules.wec.position import End
from brettwerk_games.rules.wec.start import new
from brettwerk_games.rules.wec.view import view
from services.rules import facts
from services.rules.answers import answer
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.services.ai.matches import play

PRESETS = [preset for preset in GAME.facts.presets if preset.board]


def options_of(preset: PresetFacts) -> Options:
    options = GAME.codec.decode(Wire.OPTIONS, preset_options(GAME, 2, preset.options))
    assert isinstance(options, Options)
    return options


def test_there_are_enough_and_each_is_offered() -> None:
    assert len(PRESETS) >= 6
    assert sorted(preset.board for preset in PRESETS) == boards.names()


@pytest.mark.parametrize("preset", GAME.facts.presets, ids=lambda preset: preset.id)
def test_every_one_is_named_and_described_in_both_languages(preset: PresetFacts) -> None:
    for language in ("en", "de"):
        texts = GAME.facts.catalogue(language)
        assert texts[f"preset.{preset.id}.label"]
        assert texts[f"preset.{preset.id}.help"]
        assert f'<a id="{preset.rule}"></a>' in GAME.facts.rules_page(language)
    new(options_of(preset), 2, boards.board(preset.board) if preset.board else None, SEED)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_board_is_sound_and_both_sides_can_move(preset: PresetFacts) -> None:
    options = options_of(preset)
    start = boards.board(preset.board)
    warned = edited_start.warnings(start, options)
    assert warned == (("primaries.0", "primaries.1") if preset.board == "two_kings" else ())
    first = new(options, 2, start, SEED).position
    assert first.edited
    assert len(first.pieces) == len(start.pieces)
    for seat in (0, 1):
        assert any(piece.kind in PRIMARIES and piece.seat == seat for piece in first.pieces)
    assert GAME.codec.decode(Wire.POSITION, GAME.codec.encode(Wire.POSITION, start)) == start


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_prepared_boards_have_no_win_in_the_first_turn(preset: PresetFacts) -> None:
    position = new(options_of(preset), 2, boards.board(preset.board), SEED).position
    player = WecPlayer(GAME, EASY)
    while position.ply == 1 and position.end == End.ON:
        action = player.think(view(position, 0), math.inf, 1).action
        position = rules.apply(position, 0, action, SEED).position
    assert position.end == End.ON


@pytest.mark.nightly
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_the_computer_plays_it_to_its_end(preset: PresetFacts) -> None:
    start = new(options_of(preset), 2, boards.board(preset.board), SEED).position
    players = (WecPlayer(GAME, EASY), WecPlayer(GAME, EASY))
    assert play(GAME, start, players, random.Random(preset.id).getrandbits(30), 3000).end != End.ON


def test_mirrored_boards_are_the_same_for_both_sides() -> None:
    for preset in PRESETS:
        start = boards.board(preset.board)
        if preset.board == "last_stand":
            continue
        black = [(p.kind, p.place % SQUARES, p.hand, [a.kind for a in p.articles]) for p in start.pieces if p.id < WHITE_IDS]
        white = [
            (p.kind, SQUARES - 1 - p.place % SQUARES, p.hand, [a.kind for a in p.articles])
            for p in start.pieces
            if p.id > WHITE_IDS
        ]
        assert black == white
        kinds = [[article.kind for article in lying] for lying in start.ground]
        assert [sorted(lying) for lying in kinds] == [sorted(lying) for lying in reversed(kinds)]


def test_every_warning_is_a_sentence_in_both_languages() -> None:
    preset = PRESETS[0]
    first = new(options_of(preset), 2, boards.board(preset.board), SEED).position
    full = ((Carried(Article.BIKE), Carried(Article.BIKE)),) * SQUARES
    calm = tuple(piece._replace(stunned=5) for piece in first.pieces)
    received = edited_start.start_warnings(first._replace(pieces=calm, ground=full))
    assert [text.key for text in received] == ["warning.stuck.0", "warning.stuck.1", "warning.crowded"]
    for language in ("en", "de"):
        assert {text.key for text in received} <= GAME.facts.catalogue(language).keys()


def test_a_check_of_a_start_tells_the_warnings() -> None:
    preset = next(preset for preset in PRESETS if preset.id == "two_kings")
    start = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.WecPosition")
    start.value = GAME.codec.encode(Wire.POSITION, boards.board(preset.board))
    response = answer("try_start", rules_pb2.TryStartRequest(game="wec", seats=2, start_position=start))
    assert isinstance(response, rules_pb2.TryStartResponse)
    assert [warning.key for warning in response.warnings] == ["warning.primaries.0", "warning.primaries.1"]


def test_the_rules_service_serves_them() -> None:
    served = {preset.id: preset for preset in facts.game("wec").presets}
    for preset in PRESETS:
        position = wec_pb2.WecPosition()
        assert served[preset.id].start_position.Unpack(position)
        assert len(position.pieces) == len(boards.board(preset.board).pieces)
    assert not served["chess"].HasField("start_position")


@pytest.mark.parametrize("text", ["X FP(2,3)", "B FP", "B QQ(1,1)", "B FP(2,3)?"])
def test_text_that_is_no_piece_is_not_read(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        boards._piece(text)


def test_a_board_that_there_is_not() -> None:
    with pytest.raises(KeyError):
        boards.board("../facts")
