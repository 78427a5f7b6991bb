"""Leaks of many kinds are planted in what others may read, and each is found by the pairs that look the same."""

from typing import Any

import pytest

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import GAME, disclosure, notation_writer, rules
from brettwerk_games.rules.wec import view as viewing
from brettwerk_games.rules.wec.actions import Acted, Action, Doze, Home, Move, Travel
from brettwerk_games.rules.wec.board import name_of
from brettwerk_games.rules.wec.disclosure import Reader
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES
from brettwerk_games.rules.wec.notation_signs import UNSEEN, place_text
from brettwerk_games.rules.wec.notation_writer import fire_text, travel_aim
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import Memory, Position, Result, Turn, View
from brettwerk_games.rules.wec.reports import Affected, Arrived, Shifted
from brettwerk_games.rules.wec.working_copy import WorkingCopy
from tests.brettwerk_games.rules.wec import scenes
from tests.brettwerk_games.rules.wec.test_looks_alike import compare

MAX_ACTIONS = 400
"""Pairs among which each leak has to be found that no scene shows."""
FIRE, MOVE, DOZE, NAME, ON = disclosure._fire, disclosure._move, disclosure._doze, Reader.name, Reader.on
RESULT, BEFELL, SHIFTED, ITEM, VIEW = (
    disclosure._result,
    disclosure._befell,
    disclosure._shifted,
    disclosure.item_text,
    viewing._view,
)
APPLY = rules.apply


def target_of_a_transit(reader: Reader, work: WorkingCopy, action: Any, fires: int) -> str:
    text = FIRE(reader, work, action, fires)
    return text.replace(UNSEEN, name_of(action.square)) if isinstance(action, Travel) else text


def route_of_a_transit(reader: Reader, work: WorkingCopy, action: Any, fires: int) -> str:
    text = FIRE(reader, work, action, fires)
    return text + travel_aim(0, action.route)[6:] if isinstance(action, Travel) and text else text


def target_of_a_homing_one(reader: Reader, work: WorkingCopy, action: Any, fires: int) -> str:
    text = FIRE(reader, work, action, fires)
    if isinstance(action, Home) and text:
        return text[:-1] + place_text(work.before.field.pieces[action.target].place)
    return text


def number_of_fires(reader: Reader, work: WorkingCopy, action: Action, fires: int) -> str:
    return ITEM(reader, work, action, work.before.turn.fires)


def length_of_a_fire(reader: Reader, work: WorkingCopy, action: Any, fires: int) -> str:
    text = FIRE(reader, work, action, fires)
    return text + " " * (action.square % 3) if isinstance(action, Travel) and text else text


def order_of_a_move(reader: Reader, work: WorkingCopy, action: Move) -> str:
    text = MOVE(reader, work, action)
    return text.partition("->")[0] + f"->{place_text(action.place)}" if text else text


def passenger_that_is_hidden(reader: Reader, work: WorkingCopy, action: Move) -> str:
    text = MOVE(reader, work, action)
    return f"{text}-TRA->" if text and action.carry and "-TRA->" not in text else text


def doze_with_an_empty_list(reader: Reader, work: WorkingCopy, action: Doze) -> str:
    text = DOZE(reader, work, action)
    return text if not text or ",DO>" in text else f"{text},DO>{text.partition('->')[2]}"


def companion_of_a_doze(reader: Reader, work: WorkingCopy, action: Doze) -> str:
    text = DOZE(reader, work, action)
    dozer = work.before.field.pieces[action.piece]
    mates = [NATURES[p.kind].code for p in work.before.field.on(dozer.place) if p.id != dozer.id]
    return text + "+".join(mates) if text else text


def everything_of_a_place(self: Reader, place: int) -> list[Piece]:
    return self._work.before.field.on(place)


def place_of_the_unseen(self: Reader, number: int) -> str:
    return notation_writer.named(self._work.before.field, self._work.before.field.pieces[number])


def unseen_moves(reader: Reader, work: WorkingCopy, action: Action, fires: int) -> str:
    return ITEM(reader, work, action, fires) or ("MV:?" if isinstance(action, (Move, Doze)) else "")


def unseen_fires(reader: Reader, work: WorkingCopy, action: Action, fires: int) -> str:
    text = ITEM(reader, work, action, fires)
    return text or (fire_text("?", "", "", fires) if notation_writer.letter(action) == "F" else "")


def unseen_items(reader: Reader, work: WorkingCopy, action: Any, fires: int) -> str:
    text = ITEM(reader, work, action, fires)
    return text or (f"PU:?^{ARTICLE_CODES[action.article]}" if notation_writer.letter(action) in "PXD" else "")


def ends_of_shifts(reader: Reader, report: Shifted) -> str:
    text = SHIFTED(reader, report)
    return disclosure._full(report) if text.endswith(UNSEEN) else text


def starts_of_shifts(reader: Reader, report: Shifted) -> str:
    text = SHIFTED(reader, report)
    return disclosure._full(report) if UNSEEN in text and not text.endswith(UNSEEN) else text


def shifts_out_of_sight(reader: Reader, report: Shifted) -> str:
    return SHIFTED(reader, report) or f"?->{UNSEEN}"


def arrivals(reader: Reader, report: Any) -> str:
    return disclosure._full(report) if isinstance(report, Arrived) else RESULT(reader, report)


def what_befell_the_unseen(reader: Reader, report: Affected) -> str:
    return BEFELL(reader, report) or report.code


def takers(reader: Reader, report: Affected) -> str:
    text = BEFELL(reader, report)
    return report.code + text[1:] if text.startswith("?") else text


def number_of_results(work: WorkingCopy, after: frozenset[int]) -> tuple[Result, ...]:
    found: tuple[Result, ...] = RESULTS(work, after)
    return tuple(Result(r.full, (r.texts[0] or " ", r.texts[1] or " ", r.texts[2] or " ")) for r in found)


RESULTS = disclosure.results


def that_there_was_no_move(turn: Turn, eye: int, seat: int, options: Any) -> str:
    shown = [(item.letter, text) for item in turn.items if (text := notation_writer.item_for(item, eye, seat))]
    if not turn.mover:
        return "MV:--"
    return notation_writer.compose(shown, [result.texts[eye] for result in turn.results if result.texts[eye]], "MV:?")


def number_of_items(turn: Turn, eye: int, seat: int, options: Any) -> str:
    return FOR_EYE(turn, eye, seat, options) + "." * (len(turn.items) % 2)


FOR_EYE = notation_writer._for_eye


def undo_of_what_was_hidden(work: WorkingCopy, action: Action, after: frozenset[int]) -> bool:
    return bool(work.hidden_at_first - after)


def of_view(change: Any) -> Any:
    def spoilt(position: Position, eye: int) -> View:
        seen: View = VIEW(position, eye)
        changed: View = change(position, eye, seen)
        return changed

    return spoilt


def their_last_move(position: Position, eye: int, seen: View) -> View:
    return seen._replace(idle=position.idle)


def their_memory(position: Position, eye: int, seen: View) -> View:
    return seen._replace(memory=Memory(seen.memory.marks, (*seen.memory.gone, len(position.pieces))))


def their_strings(position: Position, eye: int, seen: View) -> View:
    return seen._replace(history=tuple(line.full for line in position.history))


def lengths_of_their_strings(position: Position, eye: int, seen: View) -> View:
    return seen._replace(history=tuple("x" * len(line.full) for line in position.history))


def their_items(position: Position, eye: int, seen: View) -> View:
    return seen._replace(turn=seen.turn._replace(items=position.turn.items))


def their_ways(piece: Piece) -> Piece:
    return piece


def ids_of_pieces(view: View, position: Position) -> View:
    return view


def refusals(position: Position, seat: int, action: Any, seed: bytes) -> Any:
    seen = {piece.id for piece in GAME.view(position, seat).pieces}
    if getattr(action, "place", -1) in {piece.place for piece in position.pieces if piece.id not in seen}:
        raise Illegal("something is in the way", rule="WEC-MOVE-5")
    return APPLY(position, seat, action, seed)


def readings(step: Any, seat: int | None) -> str:
    first = step.events[0]
    return max(first.texts, key=len) if isinstance(first, Acted) else "END"


LEAKS: list[tuple[Any, str, Any]] = [
    (disclosure, "_fire", target_of_a_transit),
    (disclosure, "_fire", route_of_a_transit),
    (disclosure, "_fire", target_of_a_homing_one),
    (disclosure, "_fire", length_of_a_fire),
    (disclosure, "_move", order_of_a_move),
    (disclosure, "_move", passenger_that_is_hidden),
    (disclosure, "_doze", doze_with_an_empty_list),
    (disclosure, "_doze", companion_of_a_doze),
    (disclosure, "item_text", number_of_fires),
    (disclosure, "item_text", unseen_moves),
    (disclosure, "item_text", unseen_fires),
    (disclosure, "item_text", unseen_items),
    (disclosure, "_shifted", ends_of_shifts),
    (disclosure, "_shifted", starts_of_shifts),
    (disclosure, "_shifted", shifts_out_of_sight),
    (disclosure, "_result", arrivals),
    (disclosure, "_befell", what_befell_the_unseen),
    (disclosure, "_befell", takers),
    (disclosure, "results", number_of_results),
    (Reader, "on", everything_of_a_place),
    (Reader, "name", place_of_the_unseen),
    (notation_writer, "_for_eye", that_there_was_no_move),
    (notation_writer, "_for_eye", number_of_items),
    (rules, "learned", undo_of_what_was_hidden),
    (viewing, "_view", of_view(their_last_move)),
    (viewing, "_view", of_view(their_memory)),
    (viewing, "_view", of_view(their_strings)),
    (viewing, "_view", of_view(lengths_of_their_strings)),
    (viewing, "_view", of_view(their_items)),
    (viewing, "_shown_to_others", their_ways),
    (viewing, "renamed", ids_of_pieces),
    (rules, "apply", refusals),
    (rules, "read_by", readings),
]


def look_everywhere() -> None:
    for name in scenes.SCENES:
        scenes.look(name)
    compare(MAX_ACTIONS)


@pytest.mark.nightly
@pytest.mark.parametrize(("where", "name", "leak"), LEAKS)
def test_a_planted_leak_is_found(where: Any, name: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, name, leak)
    with pytest.raises((AssertionError, Illegal)):  # what is offered may be refused
        look_everywhere()
