"""The parts of a step that an eye may read: the one place that decides it (WEC-RUL-53, WEC-OBS-1 to WEC-OBS-15).

All that is told of an action and of what came of it is written here for each eye, from what this eye saw just before the step and
what it sees just after it, and from nothing else. Events, the running Turn, the history of competitive games, and by them what
sessions write, review and export, take their texts from here. Steps that look the same to an eye are written the same for it.
"""

from itertools import groupby, zip_longest

from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.wec.actions import (
    Acted,
    Action,
    Doze,
    Drop,
    Event,
    Exchange,
    Fire,
    Happened,
    Home,
    Move,
    PickUp,
    Reinforce,
    Strike,
    Travel,
)
from brettwerk_games.rules.wec.board import SQUARES, name_of
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, Article
from brettwerk_games.rules.wec.lookalikes import twin
from brettwerk_games.rules.wec.notation_signs import BUMPED, HAND_SIGNS, UNSEEN, outcome_text, piece_text, place_text, shift_text
from brettwerk_games.rules.wec.notation_writer import UNKNOWN, fire_aim, fire_text
from brettwerk_games.rules.wec.piece_numbers import numbers
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Piece
from brettwerk_games.rules.wec.position import EYES, SPECTATOR, Position, Result
from brettwerk_games.rules.wec.reports import Affected, Arrived, Public, Report, Shifted
from brettwerk_games.rules.wec.view import view
from brettwerk_games.rules.wec.visibility import sees
from brettwerk_games.rules.wec.working_copy import WorkingCopy

_UNNUMBERED = 2 * WHITE_IDS
"""Comes after all numbers."""


class Reader:
    """An eye around a step: which pieces it saw just before, and which it sees just after."""

    __slots__ = ("_hidden_after", "_work", "eye")

    def __init__(self, eye: int, work: WorkingCopy, hidden_after: frozenset[int]) -> None:
        """Take the step as it was carried out, and the pieces that are then hidden from their opponents."""
        self.eye = eye
        self._work = work
        self._hidden_after = hidden_after

    @property
    def knows_twins(self) -> bool:
        """Whether pieces that look alike are written alike: up to the second revision of the rules ids put them in order."""
        return self._work.before.revision > 2

    def before(self, number: int) -> Piece | None:
        """Return a piece as it was before the step, if the eye saw it then."""
        piece = self._work.before.field.pieces.get(number)
        return piece if piece is not None and self._sees(piece, self._work.hidden_at_first) else None

    def after(self, number: int) -> Piece | None:
        """Return a piece as it is after the step, if the eye sees it then."""
        piece = self._work.field.pieces.get(number)
        return piece if piece is not None and self._sees(piece, self._hidden_after) else None

    def knows(self, number: int) -> bool:
        """Tell whether the eye sees a piece just before or just after the step."""
        return self.before(number) is not None or self.after(number) is not None

    def _sees(self, piece: Piece, hidden: frozenset[int]) -> bool:
        return sees(self.eye, piece, hidden, self._work.options)

    def on(self, place: int) -> list[Piece]:
        """Return the pieces that the eye saw on a place before the step, in its own order."""
        return sorted((p for p in self._work.before.field.on(place) if self.before(p.id) is not None), key=self.rank)

    def rank(self, piece: Piece) -> tuple[int, int, int, str]:
        """Return where a piece comes in the eye's own order: by the number that it has for it, or by what is seen of it.

        Two that look alike to the eye come at the same place.
        """
        position = self._work.before
        if (position.names or position.revision > 2) and self.before(piece.id) is None:
            return (_UNNUMBERED, piece.place, piece.kind, piece_text(piece))
        other = self._twin(piece)
        named = numbers(position, self.eye)
        return (min(named.get(one.id, one.id) for one in (piece, other) if one is not None), 0, 0, "")

    def _twin(self, piece: Piece) -> Piece | None:
        """Return the piece that the eye could not tell from one just before the step."""
        then = self.before(piece.id)
        return None if then is None else twin(self._work.before, self.eye, then)

    def name(self, number: int) -> str:
        """Return a piece as the notation describes it before the step; without the place where only its new one is seen.

        `#2` tells it from one that the eye saw beside it, if they did not look alike, and of no other.
        """
        then = self._work.before.field.pieces[number]
        if self.before(number) is None:
            now = self.after(number)
            return piece_text(then, seen=now is not None and now.place == then.place)
        text = piece_text(then)
        twins = [piece.id for piece in self.on(then.place) if piece.seat == then.seat and piece_text(piece) == text]
        is_first = twins[0] == number or self._twin(then) is not None
        return text if is_first else f"{text}#{twins.index(number) + 1}"

    def saw_end(self, piece: Piece) -> bool:
        """Tell whether a piece left the game in this step in the sight of the eye, which had seen it before."""
        if piece.id not in self._work.gone or self.before(piece.id) is None:
            return False
        return self._sees(piece, self._work.hidden)


def item_text(reader: Reader, work: WorkingCopy, action: Action, fires: int) -> str:
    """Return what an eye reads of another side's action; empty for nothing. It read of so many Fires in this Turn before."""
    match action:
        case Move():
            return _move(reader, work, action)
        case Doze():
            return _doze(reader, work, action)
        case Fire() | Home() | Strike() | Travel():
            return _fire(reader, work, action, fires)
        case PickUp() | Drop():
            if not reader.knows(action.piece):
                return ""
            sign, code = ("^", "PU") if isinstance(action, PickUp) else ("v", "DR")
            return f"{code}:{reader.name(action.piece)}{sign}{ARTICLE_CODES[action.article]}"
        case Exchange():
            return _exchange(reader, work, action)
        case Reinforce():
            come = reader.after(action.piece)
            if come is None:
                return ""
            return f"RE:{name_of(come.square)}{NATURES[come.kind].code}{HAND_SIGNS[come.hand]}"
    return ""


def _move(reader: Reader, work: WorkingCopy, action: Move) -> str:
    """Write a Move with the place where it ended: an order is its giver's, and only they know how far it was to go.

    So of one that was stopped where it began nothing is read; the owner of what stopped it is not told of that (WEC-OBS-13).
    """
    if not _is_seen_shifted(reader, action.piece):
        return ""
    text = f"MV:{reader.name(action.piece)}->{_where(reader.after(action.piece))}"
    mover = work.before.field.pieces[action.piece]
    other = work.before.field.companion(mover) if action.carry else None
    if other is not None and _is_seen_shifted(reader, other.id):
        text += f"-TRA->{reader.name(other.id)}{_where(reader.after(other.id))}"
    return text


def _doze(reader: Reader, work: WorkingCopy, action: Doze) -> str:
    """Write a doze with those pieces that were seen to go along; without any it looks like a Move, and is written like one."""
    if not _is_seen_shifted(reader, action.piece):
        return ""
    target = _where(reader.after(action.piece))
    text = f"MV:{reader.name(action.piece)}->{target}"
    field = work.before.field
    dozer = field.pieces[action.piece]
    companion = [piece for piece in field.on(dozer.place) if piece.id != dozer.id]
    group = sorted((piece for square in action.squares for piece in field.on(square)), key=reader.rank)
    shifted = [piece for piece in (*companion, *group) if _is_seen_shifted(reader, piece.id)]
    if not shifted:
        return text
    parts = [f"{NATURES[piece.kind].code}{_where(reader.before(piece.id))}" for piece in shifted]
    return f"{text},DO>{target}{','.join(parts)}"


def _where(piece: Piece | None) -> str:
    return UNSEEN if piece is None else place_text(piece.place)


def _is_seen_shifted(reader: Reader, number: int) -> bool:
    """Tell whether an eye sees that a piece changed its place, or came into sight or went out of it."""
    before, after = reader.before(number), reader.after(number)
    return (before and before.place) != (after and after.place)


def _exchange(reader: Reader, work: WorkingCopy, action: Exchange) -> str:
    """Write an Exchange that was seen at both ends; a swap in the eye's own order, since which id is lower tells of others."""
    if not reader.knows(action.piece) or not reader.knows(action.other):
        return ""
    one, other = reader.name(action.piece), reader.name(action.other)
    given = ARTICLE_CODES[action.article]
    if action.back is None:
        return f"EX:{one}->{given}->{other}"
    taken, pieces = ARTICLE_CODES[action.back], work.before.field.pieces
    ranks = reader.rank(pieces[action.piece]), reader.rank(pieces[action.other])
    if ranks[0] > ranks[1] or (reader.knows_twins and ranks[0] == ranks[1] and given > taken):
        one, other, given, taken = other, one, taken, given
    return f"EX:{one}->{given}<=>{taken}<-{other}"


def _fire(reader: Reader, work: WorkingCopy, action: Fire | Home | Strike | Travel, fires: int) -> str:
    """Write a Fire without what it homes on and without the way of a transit, which no view of another's shows (WEC-OBS-2)."""
    if not reader.knows(action.piece):
        return ""
    match action:
        case Fire():
            code, aim = ARTICLE_CODES[action.weapon], fire_aim(work.before.field.pieces[action.piece].square, action.direction)
        case Home():
            code, aim = ARTICLE_CODES[action.weapon], f"=>{UNKNOWN}"
        case Strike():
            there = reader.on(action.square)
            code, aim = ARTICLE_CODES[Article.ROCKET], f"=>{reader.name(there[0].id) if there else UNKNOWN}"
        case Travel():
            code, aim = ARTICLE_CODES[action.transport], f"->{UNSEEN}"
    return fire_text(reader.name(action.piece), code, aim, fires)


def results(work: WorkingCopy, hidden_after: frozenset[int]) -> tuple[Result, ...]:
    """Return what a step's reports tell, in full and to each eye, and note in `work` what seats thereby know to be gone."""
    readers = [Reader(eye, work, hidden_after) for eye in EYES]
    found = []
    for report in work.reports:
        texts = [_result(reader, report) for reader in readers]
        if isinstance(report, Affected):
            work.witnessed.update((eye, report.piece.id) for eye in EYES if texts[eye] and eye != report.piece.seat)
        found.append(Result(_full(report), (texts[0], texts[1], texts[2])))
    return _in_own_order(work.reports, found, readers)


def _in_own_order(reports: list[Report], found: list[Result], readers: list[Reader]) -> tuple[Result, ...]:
    """Return the results with those that came about at once in each eye's own order: the order of ids tells of others."""
    texts = [list(result.texts) for result in found]
    for _, group in groupby(range(len(found)), key=lambda index: reports[index].at_once):
        indexes = list(group)
        if len(indexes) > 1 and reports[indexes[0]].at_once:
            for eye, reader in enumerate(readers):
                read = _read_of_each(eye, indexes, reports, found) if reader.knows_twins else {}
                ordered = sorted(indexes, key=lambda index: (_rank(reader, reports[index]), read.get(_about(reports[index]), ())))
                for index, source in zip(indexes, ordered, strict=True):
                    texts[index][eye] = found[source].texts[eye]
    return tuple(Result(result.full, (one, two, three)) for result, (one, two, three) in zip(found, texts, strict=True))


def _rank(reader: Reader, report: Report) -> tuple[int, int, int, str]:
    return (0, 0, 0, "") if isinstance(report, Public) else reader.rank(report.piece)


def _about(report: Report) -> int:
    return 0 if isinstance(report, Public) else report.piece.id


def _read_of_each(eye: int, indexes: list[int], reports: list[Report], found: list[Result]) -> dict[int, tuple[str, ...]]:
    """Return by piece all that an eye reads of it, which puts those in order that look alike to the eye."""
    read: dict[int, tuple[str, ...]] = {}
    for index in indexes:
        about = _about(reports[index])
        if about:
            read[about] = (*read.get(about, ()), found[index].texts[eye])
    return read


def _full(report: Report) -> str:
    match report:
        case Affected(code=code, piece=piece, stun=stun):
            return code + outcome_text(piece, stun)
        case Public(text=text):
            return text
        case Shifted(piece=piece, place=place):
            return shift_text(piece, place)
        case Arrived(piece=piece):
            return f"{NATURES[piece.kind].code}v{place_text(piece.place)}"


def _result(reader: Reader, report: Report) -> str:
    match report:
        case Affected():
            return _befell(reader, report)
        case Public(text=text):
            return text
        case Shifted():
            return _shifted(reader, report)
        case Arrived(piece=piece):
            now = reader.after(piece.id)
            is_seen = now.place == piece.place if now is not None else reader.saw_end(piece)
            return _full(report) if is_seen or piece.seat == reader.eye else ""


def _befell(reader: Reader, report: Affected) -> str:
    """Own losses always show, and what a mover of one's own met; an unseen taker is written as `?`."""
    piece, eye = report.piece, reader.eye
    if report.code == BUMPED and piece.seat == eye:
        return ""
    now = reader.after(piece.id)
    is_ours = piece.seat == eye or report.witness == eye or (now is not None and now.seat == eye)
    if not is_ours and not (report.seen[eye] and reader.knows(piece.id)):
        return ""
    by = report.code if not report.taker or reader.knows(report.taker) else UNKNOWN
    return by + outcome_text(piece, report.stun)


def _shifted(reader: Reader, report: Shifted) -> str:
    """Write a step with the ends that were seen; one from or to a place out of sight tells nothing of that place."""
    piece, place = report.piece, report.place
    if piece.seat == reader.eye:
        return _full(report)
    then, now = reader.before(piece.id), reader.after(piece.id)
    code = NATURES[piece.kind].code
    if then is None:
        return f"{code}{UNSEEN}->{place_text(place)}" if now is not None and now.place == place else ""
    ends_seen = now.square == place % SQUARES if now is not None else reader.saw_end(piece._replace(place=place))
    return _full(report) if ends_seen else f"{code}->{place_text(piece.place)}{UNSEEN}"


def happened(results: tuple[Result, ...], most: int) -> list[Happened]:
    """Return results as events, for each eye the last so many of those that it reads, one after another.

    So neither their number nor their order tells an eye of those that it does not read.
    """
    columns = [[result.texts[eye] for result in results if result.texts[eye]][-most:] for eye in EYES]
    return [Happened((black, white, public)) for black, white, public in zip_longest(*columns, fillvalue="")]


def can_hide(position: Position) -> bool:
    """Return whether pieces can be out of sight while the history is closed (WEC-RUL-53)."""
    options = position.options
    return options.competitive and (options.stealth_invisible or options.submerged_invisible)


def unaware(before: Position, step: Step[Position, Event]) -> tuple[int | None, ...]:
    """Return the seats, and None for spectators, for whom a step has not happened (WEC-RUL-53, WEC-OBS-3).

    Those are they who read nothing of an action and whose view is as it was before it. The end of the Turn stands for whatever
    they did not perceive of it, were that nothing, one thing or many. Where the history is open, everybody hears of everything.
    """
    acted = step.events[0] if step.events else None
    if not can_hide(before) or not isinstance(acted, Acted):
        return ()
    return tuple(
        seat
        for seat, eye in ((1 - acted.seat, 1 - acted.seat), (None, SPECTATOR))
        if not acted.texts[eye] and view(before, seat) == view(step.position, seat)
    )
