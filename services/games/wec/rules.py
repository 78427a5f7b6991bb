"""The Turn as the platform knows it: who acts, what is legal, what an action or a system action does, how the game ended."""

from collections.abc import Iterator
from itertools import islice

from services.games.interface import Draw, Flag, Outcome, Reoption, Resign, Step, SystemAction, Text
from services.games.ranking import of_two
from services.games.refusals import GameOver, Malformed, NotYourTurn
from services.games.wec import dozing, ending, firing, items, moving, naming, reinforcing, telling, transits, writing
from services.games.wec.actions import (
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
from services.games.wec.draft import Draft
from services.games.wec.memory import kept, learned
from services.games.wec.options import Actions, Options, require_change
from services.games.wec.position import SPECTATOR, End, Item, Position, Turn, View
from services.games.wec.sight import Sight
from services.games.wec.view import view as view_of

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
MAX_EVENTS = 254
"""Results that are told as events of a step, the last; the views of a running Turn and its string have them all."""


def to_act(position: Position) -> tuple[int, ...]:
    """Return the active seat; nobody after the end."""
    return () if position.end != End.ON else (position.active,)


def actions(view: View) -> tuple[Action, ...]:
    """Return all that the view's seat may do, in a fixed order: Moves, Fires, articles, reinforcements, End Turn."""
    if view.eye != view.active or view.end != End.ON:
        return ()
    return tuple(_actions(Sight(view)))


def first_actions(view: View, most: int) -> tuple[Action, ...]:
    """Return the first so many of `actions`: an edited board can have a hundred thousand."""
    if view.eye != view.active or view.end != End.ON:
        return ()
    return tuple(islice(_actions(Sight(view)), most))


def _actions(sight: Sight) -> Iterator[Action]:
    yield from moving.moves(sight)
    yield from dozing.dozes(sight)
    if sight.options.actions != Actions.MOVES_ONLY:
        if sight.turn.fires < firing.MAX_FIRES:
            for piece in sight.own():
                if not sight.idle_reason(piece):
                    yield from firing.fires(sight, piece)
                    yield from transits.travels(sight, piece)
        yield from items.pick_ups(sight)
        yield from items.exchanges(sight)
        yield from reinforcing.reinforcements(sight)
        yield from items.drops(sight)
    if ending.may_end(sight):
        yield EndTurn()


def require_turn(end: End, active: int, seat: int | None) -> None:
    """Raise GameOver or NotYourTurn unless the seat is to act."""
    if end != End.ON:
        raise GameOver("the game is over", rule=END_RULE[end])
    if seat != active:
        raise NotYourTurn("the other side is to act", rule="WEC-GAME-4")


def require_legal(sight: Sight, action: Action) -> tuple[int, ...]:
    """Return the way of a legal Move, () for other legal actions. Raises Illegal with the rule (WEC-RUL-66)."""
    match action:
        case Move():
            return moving.require_legal(sight, action)
        case Doze():
            dozing.require_legal(sight, action)
        case Fire() | Home() | Strike():
            firing.require_legal(sight, action)
        case Travel():
            transits.require_legal(sight, action)
        case PickUp() | Drop() | Exchange():
            items.require_legal(sight, action)
        case Reinforce():
            reinforcing.require_legal(sight, action)
        case EndTurn():
            ending.require_legal(sight)
    return ()


def apply(position: Position, seat: int, action: Action, seed: bytes) -> Step[Position, Event]:
    """Return the step that an action makes; there is no chance in it (WEC-RUL-64). Raises Illegal with the rule's id."""
    require_turn(position.end, position.active, seat)
    action = turned(action)
    sight = Sight(view_of(position, seat))
    way = require_legal(sight, action)
    draft = Draft(position)
    wanted, action = action, naming.meant(position, seat, action)
    match action:
        case EndTurn():
            return _end_turn(position, draft)
        case Move():
            moving.carry_out(draft, action, way)
        case Doze():
            dozing.carry_out(draft, action)
        case Fire() | Home() | Strike():
            firing.carry_out(draft, sight, action)
        case Travel():
            transits.carry_out(draft, action)
        case PickUp() | Drop() | Exchange():
            items.carry_out(draft, action)
        case Reinforce():
            reinforcing.carry_out(draft, action)
    text = writing.action_text(sight.field, sight.view.reserves, wanted, position.turn.fires)
    return _acted(position, draft, action, text)


def _acted(position: Position, draft: Draft, action: Action, text: str) -> Step[Position, Event]:
    seat = position.active
    after = draft.hidden_now()
    draft.note_emerged(after)
    items = position.turn.items
    others = (
        _text_for(draft, action, telling.Reader(1 - seat, draft, after), [item.other for item in items]),
        _text_for(draft, action, telling.Reader(SPECTATOR, draft, after), [item.public for item in items]),
    )
    item = Item(writing.letter(action), text, others[0], others[1])
    results = telling.results(draft, after)
    draft.turn = draft.turn._replace(items=(*items, item), results=(*draft.turn.results, *results))
    texts = (text, others[0], others[1]) if seat == 0 else (others[0], text, others[1])
    events: tuple[Event, ...] = (Acted(seat, texts), *telling.happened(results, MAX_EVENTS))
    reveals = learned(draft, action, after)
    memory = kept(position, draft, after)
    return Step(draft.freeze(after, **memory._asdict()), events, reveals=reveals, retractable=retractable(position))


def retractable(position: Position) -> bool:
    """Tell whether a step may be taken back although somebody learnt something: in non-competitive games (WEC-RUL-56)."""
    return not position.options.competitive


def _text_for(draft: Draft, action: Action, reader: telling.Reader, texts: list[str]) -> str:
    """Return an action as an eye may read it; its Fires are numbered as it has read of them: no number tells of others."""
    return telling.item_text(reader, draft, action, sum(text.startswith("FI") for text in texts))


def _end_turn(position: Position, draft: Draft) -> Step[Position, Event]:
    ending.effects(draft)
    end, winner = ending.verdict(draft)
    turn = draft.turn
    if end == End.ON:
        ending.renew(draft)
        if draft.turn.exposed:
            draft.look_again()
        draft.turn = Turn()
        draft.ply += 1
    draft.lost = [End.ON, End.ON]
    unseen = draft.hidden_now()
    results = telling.results(draft, unseen)
    line = writing.line(turn._replace(results=(*turn.results, *results)), position.active, position.options)
    memory = kept(position, draft, unseen)
    draft.turn = Turn()
    history, idle = (*position.history, line), not turn.mover
    after = draft.freeze(unseen, **memory._asdict(), history=history, idle=idle, end=end, winner=winner)
    open_history = not position.options.competitive or end != End.ON
    texts = (line.full, line.full, line.full) if open_history else line.texts
    events: list[Event] = [*telling.happened(results, MAX_EVENTS), Written(position.ply, texts)]
    hides = position.options.stealth_invisible or position.options.submerged_invisible
    if end != End.ON:
        events.append(Ended(winner, end))
    return Step(after, tuple(events), reveals=hides or end != End.ON, retractable=retractable(position))


def read_by(step: Step[Position, Event], seat: int | None) -> str:
    """Return how a seat that did not act, or a spectator, reads the action that made a step; `?` where it reads nothing of it."""
    eye = SPECTATOR if seat is None else seat
    first = step.events[0]
    if isinstance(first, Acted):
        return first.texts[eye] or writing.UNKNOWN
    return writing.END


def system_action(position: Position, system_action: SystemAction[Options], seed: bytes) -> Step[Position, Event]:
    """Return the step of a system action. Raises Illegal with the rule's id, Malformed for a seat that there is not."""
    if position.end != End.ON:
        raise GameOver("the game is over", rule=END_RULE[position.end])
    match system_action:
        case Resign(seat=seat):
            return _over(position, End.RESIGNED, seat)
        case Flag(seat=seat):
            return _over(position, End.TIME, seat)
        case Draw():
            return _over(position, End.AGREED, None)
        case Reoption(options=options):
            require_change(position.options, options)
            after = _reoptioned(position, options)
            back = retractable(position) and retractable(after)
            return Step(after, reveals=options != position.options, retractable=back)


def _reoptioned(position: Position, options: Options) -> Position:
    """Return the position with other options; they may hide what was seen, and show what was not."""
    after = position._replace(options=options)
    if position.revision <= 2:
        return after._replace(names=naming.extended(after.names, after))
    draft = Draft(position)
    draft.options = options
    memory = kept(position, draft, after.unseen)
    return after._replace(projectiles=tuple(draft.projectiles), **memory._asdict())


def _over(position: Position, end: End, loser: int | None) -> Step[Position, Event]:
    if loser not in (0, 1, None):
        raise Malformed("there are the seats 0 and 1", field="seat")
    winner = None if loser is None else 1 - loser
    return Step(position._replace(end=end, winner=winner, turn=Turn()), (Ended(winner, end),), reveals=True)


def outcome(position: Position) -> Outcome | None:
    """Return how the game ended, or None while it is on."""
    if position.end == End.ON:
        return None
    name = position.end.name.lower()
    reason = Text(f"reason.{name}" if position.winner is None else f"reason.{name}.{position.winner}")
    return of_two(position.winner, reason, END_RULE[position.end])


def expire(view: View) -> Action:
    """Return what is played when the time of a Turn is over: End Turn, or first the first Move (WEC-TIME-2).

    Raises GameOver or NotYourTurn when the view's seat is not to act.
    """
    require_turn(view.end, view.active, view.eye)
    sight = Sight(view)
    if ending.may_end(sight):
        return EndTurn()
    move = next(moving.moves(sight), None)
    return move if move is not None else next(dozing.dozes(sight))
