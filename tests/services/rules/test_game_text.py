"""A game that is over is written as a text, and the text opens into the same position; what is wrong is told with its line."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import games_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind, Reoption, Resign
from brettwerk_games.rules.optional import WritesText
from services.rules import heavy
from services.rules.any_codec import any_codec
from services.rules.game_text.parser import MAX_BYTES, Read, read_text
from services.rules.game_text.writer import write_text
from services.rules.verify import verify
from services.runtime.refusal import Refused
from services.session.domain.records import text_record
from tests.brettwerk_games.rules.wec.random_games import play as random_wec
from tests.services.rules.asking import packed
from tests.services.rules.recording import Recording, played

GAMES = registry.games()
KEPT = [game for game in GAMES.values() if isinstance(game, WritesText)]


def always() -> bool:
    return True


def loaded_of(recording: Recording) -> record_pb2.Loaded:
    options = packed(recording.game, Kind.OPTIONS, recording.options)
    return record_pb2.Loaded(variation=recording.variation, options=options)


def text_of(recording: Recording) -> str:
    game = recording.game.facts.id
    return write_text(any_codec(game), recording.seats, loaded_of(recording), always)


def read(text: str, game: str = "") -> Read:
    return read_text(game, text, always)


def refusal(text: str, game: str = "") -> Any:
    with pytest.raises(Refused) as caught:
        read(text, game)
    return caught.value.refusal


def test_einstein_and_chess_keep_texts() -> None:
    assert {game.facts.id for game in KEPT} == {"einstein", "wec"}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.facts.id)
def test_the_text_of_a_random_game_opens_into_the_same_position(kept: AnyGame, seed: int) -> None:
    recording = played(kept, seed)
    found = read(text_of(recording))
    assert found.position == recording.position
    assert [ply.action.value for ply in found.loaded.variation] == [ply.action.value for ply in recording.variation]
    again = write_text(any_codec(kept.facts.id), found.seats, found.loaded, always)
    assert read(again).position == found.position


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.facts.id)
def test_one_empty_line_parts_the_heading_from_the_game(kept: AnyGame) -> None:
    lines = text_of(played(kept, 1)).splitlines()
    (empty,) = (number for number, line in enumerate(lines) if not line)
    assert not re.match(r"\d+\. ", lines[empty - 1])
    assert lines[empty + 1].startswith("1. ")


@pytest.mark.parametrize("name", ["lot", "random", "chosen"])
def test_a_set_up_by_lot_is_the_same_again(name: str) -> None:
    game = GAMES["einstein"]
    key, value = ("first", 3) if name == "lot" else ("setup", 2 if name == "random" else 3)
    recording = Recording(game)
    message = any_codec("einstein").game.codec
    recording.options = recording.options._replace(**{key: type(getattr(recording.options, key))(value)})
    assert message
    recording.start().play(random.Random(3))
    assert read(text_of(recording)).position == recording.position


@pytest.mark.nightly
def test_a_long_game_of_chess_opens_again_with_every_kind_of_action() -> None:
    game = GAMES["wec"]
    recording = Recording(game).start()
    rng = random.Random(11)
    for _ in range(400):
        if not game.to_act(recording.position):
            break
        seat = game.to_act(recording.position)[0]
        options = game.actions(game.view(recording.position, seat))
        kind = rng.choice(sorted({type(option).__name__ for option in options}))
        recording.act(seat, rng.choice([option for option in options if type(option).__name__ == kind]))
    text = text_of(recording)
    for sign in (",FI1:", ",FI2:", ",PU:", ",EX:", ",DR:", ",OR:", ",RS:"):
        assert sign in text
    found = read(text)
    assert found.position == recording.position
    assert found.position.history == recording.position.history


def test_a_turn_that_is_not_over_and_system_actions_within_one_are_kept() -> None:
    game = GAMES["wec"]
    recording = Recording(game).start()
    recording.act(0, game.actions(game.view(recording.position, 0))[0])
    changed = recording.options._replace(stun_range=3, king_may_be_stealthy=True)
    options = packed(game, Kind.OPTIONS, changed)
    recording.system_action(games_pb2.SystemAction(options=options), Reoption(changed))
    fire = next(a for a in game.actions(game.view(recording.position, 0)) if type(a).__name__ == "Fire")
    recording.act(0, fire)
    text = text_of(recording)
    assert '{options stun_range="3" king_may_be_stealthy="on"}' in text or "stun_range" in text
    assert read(text).position == recording.position
    recording.system_action(games_pb2.SystemAction(resign=1), Resign(1))
    assert read(text_of(recording)).position == recording.position


def test_options_stand_in_the_heading() -> None:
    game = GAMES["wec"]
    recording = Recording(game)
    chosen = {"movement": 2, "doze_enemies": False, "homing_range": 5, "competitive": True}
    kinds = recording.options
    recording.options = kinds._replace(**{k: type(getattr(kinds, k))(v) for k, v in chosen.items()})
    recording.start().play(random.Random(5), 30)
    text = text_of(recording)
    for line in ('[movement "standard_chess"]', '[doze_enemies "off"]', '[homing_range "5"]', '[competitive "on"]'):
        assert line in text
    found = read(text).position
    assert not found.options.competitive
    assert found.pieces == recording.position.pieces


def test_a_text_by_hand_may_leave_out_numbers_results_and_the_heading() -> None:
    recording = played(GAMES["wec"], 2)
    lines = [re.sub(r",RS:.*?(,OR:|$)", r"\1", re.sub(r"^\d+\. ", "", line)) for line in text_of(recording).splitlines()]
    body = [line for line in lines if line and not line.startswith(("[", "{"))]
    found = read("; a comment\n\n" + "\n".join(body), "wec")
    assert found.position.history == recording.position.history


def test_the_text_that_the_documentation_shows_opens() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "texts.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    assert len(read(text).position.history) == 2


def test_a_text_is_a_record_that_holds() -> None:
    for known in KEPT:
        request = rules_pb2.ParseTextRequest(text=text_of(played(known, 4)))
        response = rules_pb2.ParseTextResponse.FromString(heavy.work(heavy.READ + request.SerializeToString(), always))
        verification = verify(text_record(response), always)
        assert verification.good, verification.fault


@pytest.mark.parametrize(
    ("change", "line", "rule"),
    [
        (lambda lines: [*lines[:5], "MV:?", *lines[5:]], 6, "WEC-RUL-53"),
        (lambda lines: [*lines[:5], "nonsense", *lines[5:]], 6, "WEC-RUL-52"),
        (lambda lines: [*lines[:4], lines[3], *lines[4:]], 5, ""),
        (lambda lines: [*lines[:4], lines[4] + ",RS:FK*RP(6,4)0W", *lines[5:]], 5, "WEC-RUL-52"),
        (lambda lines: ['[Rules "9"]', *lines[2:]], 1, ""),
        (lambda lines: [lines[0], '[flame_range "9"]', *lines[2:]], 2, ""),
        (lambda lines: [lines[0], '[nothing "9"]', *lines[2:]], 2, ""),
        (lambda lines: [lines[0], "[nothing]", *lines[2:]], 2, ""),
        (lambda lines: [lines[0], lines[0], *lines[2:]], 2, ""),
        (lambda lines: [lines[0], '[Start "!"]', *lines[2:]], 2, ""),
        (lambda lines: [lines[0], '[Start "AAAA"]', *lines[2:]], 2, ""),
        (lambda lines: [*lines[:4], "{resign 3}"], 5, ""),
        (lambda lines: [*lines[:4], "{dance}"], 5, ""),
        (lambda lines: [*lines[:4], "{options flame_range=7}"], 5, ""),
        (lambda lines: [*lines[:4], "{options %}"], 5, ""),
        (lambda lines: [*lines[:4], "{resign 1}", lines[4]], 6, "WEC-RUL-55"),
    ],
)
def test_a_fault_is_refused_with_its_line_and_its_cause(change: Any, line: int, rule: str) -> None:
    lines = text_of(played(GAMES["wec"], 6)).splitlines()
    assert lines[0] == '[Game "wec"]'
    received = refusal("\n".join(change(lines)), "wec")
    assert received.details["line"] == str(line), received
    assert received.message.startswith(f"line {line}: ")
    assert received.field == "text"
    assert rule in ("", received.rule)


def test_dice_that_cannot_be_are_refused() -> None:
    lines = text_of(played(GAMES["einstein"], 6)).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("1. "))
    wrong = re.sub(r"1\. (\d):", lambda found: f"1. {int(found[1]) % 6 + 1}:", lines[first])
    assert refusal("\n".join([*lines[:first], wrong])).details["line"] == str(first + 1)


def test_a_text_of_another_game_or_of_none_is_refused() -> None:
    text = text_of(played(GAMES["wec"], 6))
    assert "wec" in refusal(text, "einstein").message
    assert refusal("", "").details["what"] == "game"
    assert refusal('[Game "plateau"]').details["line"] == "1"
    assert refusal("", "emperado").message


def test_texts_are_bounded_in_bytes_lines_and_time() -> None:
    assert "bytes" in refusal("x" * (MAX_BYTES + 1), "wec").message
    assert "lines" in refusal("\n" * 30_000, "wec").message
    with pytest.raises(Refused) as caught:
        read_text("wec", text_of(played(GAMES["wec"], 6)), lambda: False)
    assert "too long" in caught.value.refusal.message


def test_an_edited_board_is_kept() -> None:
    game = GAMES["wec"]
    middle = list(random_wec(3, Recording(game).options, 12))[-1]
    start = middle._replace(pieces=tuple(p._replace(transit=None) for p in middle.pieces), projectiles=())
    first = game.new(middle.options, 2, start, bytes(32)).position
    options = packed(game, Kind.OPTIONS, middle.options)
    version = game.facts.rules_version
    loaded = record_pb2.Loaded(
        variation=[record_pb2.Ply(seed=bytes(32), rules_version=version)],
        options=options,
        start_position=packed(game, Kind.POSITION, start),
    )
    found = read(write_text(any_codec("wec"), 2, loaded, always))
    assert found.position == first
