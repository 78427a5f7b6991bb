"""The Turn as the platform knows it: who acts, what is legal, what an action or a system action does, how the game ended."""

from collections.abc import Iterator
from itertools import islice

from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.turn_game import Turns
from brettwerk_games.rules.wec import (
    disclosure,
    doze_push,
    items,
    move_execution,
    notation_writer,
    piece_numbers,
    reinforcement,
    transits,
    turn_end,
    weapon_fire,
)
from brettwerk_games.rules.wec.actions import (
    Acted,
    Action,
    Doze,
    Drop,
    Ended,
    EndTurn,
    Event,
    Exchange,
    Fire,
    Home,
    Move,
    PickUp,
    Reinforce,
    Strike,
    Travel,
    Written,
    turned,
)
from brettwerk_games.rules.wec.memory import kept, learned
from brettwerk_games.rules.wec.options import Actions, Options, require_change
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.position import SPECTATOR, End, Item, Position, Turn, View
from brettwerk_games.rules.wec.view import view as view_of
from brettwerk_games.rules.wec.working_copy import WorkingCopy

END_RULE = {
    End.TAKEN: "WEC-WIN-1",
    End.DESTROYED: "WEC-WIN-1",
    End.CONVERTED: "WEC-WIN-1",
    End.RESIGNED: "WEC-RUL-55",
    End.TIME: "WEC-TIME-1",
    End.AGREED: "WEC-RUL-55",
    End.STUCK: "WEC-RUL-48",
    End.BOUND: "WEC-BOUND-1",
}
"""The rule by which a game ended."""
TURNS = Turns(
    end_rules=END_RULE,
    rule="WEC-GAME-4",
    message="the other side is to act",
    resigned=End.RESIGNED,
    time=End.TIME,
    agreed=End.AGREED,
)
MAX_EVENTS = 254
"""Results that are told as events of a step, the last; the views of a running Turn and its string have them all."""


def actions(view: View) -> tuple[Action, ...]:
    """Return all that the view's seat may do, in a fixed order: Moves, Fires, articles, reinforcements, End Turn.

    >>> len(actions(view)), actions(view)[0]
    (266, Move(piece=2, place=10, carry=False))
    """
    if view.eye != view.active or view.end != End.ON:
        return ()
    return tuple(_actions(Perspective(view)))


def first_actions(view: View, most: int) -> tuple[Action, ...]:
    """Return the first so many of `actions`: an edited board can have a hundred thousand.

    >>> len(first_actions(view, 5))
    5
    """
    if view.eye != view.active or view.end != End.ON:
        return ()
    return tuple(islice(_actions(Perspective(view)), most))


def _actions(perspective: Perspective) -> Iterator[Action]:
    yield from move_execution.moves(perspective)
    yield from doze_push.dozes(perspective)
    if perspective.options.actions != Actions.MOVES_ONLY:
        if perspective.turn.fires < weapon_fire.MAX_FIRES:
            for piece in perspective.own():
                if not perspective.idle_reason(piece):
                    yield from weapon_fire.fires(perspective, piece)
                    yield from transits.travels(perspective, piece)
        yield from items.pick_ups(perspective)
        yield from items.exchanges(perspective)
        yield from reinforcement.reinforcements(perspective)
        yield from items.drops(perspective)
    if turn_end.may_end(perspective):
        yield EndTurn()


def require_legal(perspective: Perspective, action: Action) -> tuple[int, ...]:
    """Return the way of a legal Move, () for other legal actions. Raises Illegal with the rule (WEC-RUL-66).

    >>> require_legal(Perspective(view), Move(piece=2, place=10))
    (10,)
    >>> require_legal(Perspective(view), Move(piece=2, place=99))
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: the piece cannot go there
    """
    match action:
        case Move():
            return move_execution.require_legal(perspective, action)
        case Doze():
            doze_push.require_legal(perspective, action)
        case Fire() | Home() | Strike():
            weapon_fire.require_legal(perspective, action)
        case Travel():
            transits.require_legal(perspective, action)
        case PickUp() | Drop() | Exchange():
            items.require_legal(perspective, action)
        case Reinforce():
            reinforcement.require_legal(perspective, action)
        case EndTurn():
            turn_end.require_legal(perspective)
    return ()


def apply(position: Position, seat: int, action: Action, seed: bytes) -> Step[Position, Event]:
    """Return the step that an action of a seat makes. Raises Illegal (GameOver, NotYourTurn) with the rule's id.

    >>> apply(position, 1, EndTurn(), SEED)
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.NotYourTurn: the other side is to act
    """
    TURNS.require_turn(position, seat)
    return act(position, action, seed)


def act(position: Position, action: Action, seed: bytes) -> Step[Position, Event]:
    """Return the step that an action of the active seat makes; there is no chance in it (WEC-RUL-64). Raises Illegal.

    >>> step = act(position, Move(piece=2, place=10), SEED)
    >>> step.events
    (Acted(seat=0, texts=('MV:DO(1,2)->(2,1)', 'MV:DO(1,2)->(2,1)', 'MV:DO(1,2)->(2,1)')),)
    """
    seat, action = position.active, turned(action)
    perspective = Perspective(view_of(position, seat))
    way = require_legal(perspective, action)
    work = WorkingCopy(position)
    wanted, action = action, piece_numbers.meant(position, seat, action)
    match action:
        case EndTurn():
            return _end_turn(position, work)
        case Move():
            move_execution.carry_out(work, action, way)
        case Doze():
            doze_push.carry_out(work, action)
        case Fire() | Home() | Strike():
            weapon_fire.carry_out(work, perspective, action)
        case Travel():
            transits.carry_out(work, action)
        case PickUp() | Drop() | Exchange():
            items.carry_out(work, action)
        case Reinforce():
            reinforcement.carry_out(work, action)
    text = notation_writer.action_text(perspective.field, perspective.view.reserves, wanted, position.turn.fires)
    return _acted(position, work, action, text)


def _acted(position: Position, work: WorkingCopy, action: Action, text: str) -> Step[Position, Event]:
    seat = position.active
    after = work.hidden_now()
    work.note_emerged(after)
    items = position.turn.items
    others = (
        _text_for(work, action, disclosure.Reader(1 - seat, work, after), [item.other for item in items]),
        _text_for(work, action, disclosure.Reader(SPECTATOR, work, after), [item.public for item in items]),
    )
    item = Item(notation_writer.letter(action), text, others[0], others[1])
    results = disclosure.results(work, after)
    work.turn = work.turn._replace(items=(*items, item), results=(*work.turn.results, *results))
    texts = (text, others[0], others[1]) if seat == 0 else (others[0], text, others[1])
    events: tuple[Event, ...] = (Acted(seat, texts), *disclosure.happened(results, MAX_EVENTS))
    reveals = learned(work, action, after)
    memory = kept(position, work, after)
    return Step(work.freeze(after, **memory._asdict()), events, reveals=reveals, retractable=retractable(position))


def retractable(position: Position) -> bool:
    """Tell whether a step may be taken back although somebody learnt something: in non-competitive games (WEC-RUL-56).

    >>> retractable(position)
    True
    >>> retractable(position._replace(options=Options(competitive=True)))
    False
    """
    return not position.options.competitive


def _text_for(work: WorkingCopy, action: Action, reader: disclosure.Reader, texts: list[str]) -> str:
    """Return an action as an eye may read it; its Fires are numbered as it has read of them: no number tells of others."""
    return disclosure.item_text(reader, work, action, sum(text.startswith("FI") for text in texts))


def _end_turn(position: Position, work: WorkingCopy) -> Step[Position, Event]:
    turn_end.effects(work)
    end, winner = turn_end.verdict(work)
    turn = work.turn
    if end == End.ON:
        turn_end.renew(work)
        reinforcement.keep_open(work)
        if work.turn.exposed:
            work.look_again()
        work.turn = Turn()
        work.ply += 1
    work.lost = [End.ON, End.ON]
    unseen = work.hidden_now()
    results = disclosure.results(work, unseen)
    line = notation_writer.line(turn._replace(results=(*turn.results, *results)), position.active, position.options)
    memory = kept(position, work, unseen)
    work.turn = Turn()
    history, idle = (*position.history, line), not turn.mover
    after = work.freeze(unseen, **memory._asdict(), history=history, idle=idle, end=end, winner=winner)
    open_history = not position.options.competitive or end != End.ON
    texts = (line.full, line.full, line.full) if open_history else line.texts
    events: list[Event] = [*disclosure.happened(results, MAX_EVENTS), Written(position.ply, texts)]
    hides = position.options.stealth_invisible or position.options.submerged_invisible
    if end != End.ON:
        events.append(Ended(winner, end))
    return Step(after, tuple(events), reveals=hides or end != End.ON, retractable=retractable(position))


def read_by(step: Step[Position, Event], seat: int | None) -> str:
    """Return how a seat that did not act, or a spectator, reads the action that made a step; `?` where it reads nothing of it.

    >>> step = act(position, Move(piece=2, place=10), SEED)
    >>> read_by(step, 1)
    'MV:DO(1,2)->(2,1)'
    """
    eye = SPECTATOR if seat is None else seat
    first = step.events[0]
    if isinstance(first, Acted):
        return first.texts[eye] or notation_writer.UNKNOWN
    return notation_writer.END


def reoption(position: Position, options: Options) -> Step[Position, Event]:
    """Return the step with other options. Raises Illegal with the rule's id.

    >>> reoption(position, Options(stun_range=3)).position.options.stun_range
    3
    >>> reoption(position, Options(stun_range=12))
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: stun_range is 12, not from 1 to 9
    """
    require_change(position.options, options)
    after = _reoptioned(position, options)
    back = retractable(position) and retractable(after)
    return Step(after, reveals=options != position.options, retractable=back)


def _reoptioned(position: Position, options: Options) -> Position:
    """Return the position with other options; they may hide what was seen, and show what was not."""
    after = position._replace(options=options)
    if position.revision <= 2:
        return after._replace(names=piece_numbers.extended(after.names, after))
    work = WorkingCopy(position)
    work.options = options
    memory = kept(position, work, after.unseen)
    return after._replace(projectiles=tuple(work.projectiles), **memory._asdict())


def over(position: Position, end: End, winner: int | None) -> Step[Position, Event]:
    """Return the step in which the game ends from outside of the Turn.

    >>> over(position, End.AGREED, None).events
    (Ended(winner=None, end=<End.AGREED: 6>),)
    """
    return Step(position._replace(end=end, winner=winner, turn=Turn()), (Ended(winner, end),), reveals=True)


def due(view: View) -> Action:
    """Return what is played when the time of a Turn is over: End Turn, or first the first Move (WEC-TIME-2).

    >>> due(view)
    Move(piece=2, place=10, carry=False)
    """
    perspective = Perspective(view)
    if turn_end.may_end(perspective):
        return EndTurn()
    move = next(move_execution.moves(perspective), None)
    return move if move is not None else next(doze_push.dozes(perspective))
