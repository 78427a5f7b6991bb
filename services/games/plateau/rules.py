"""The rules as the platform asks them: who is to act, what is legal, what an action or a system action does, how it ended."""

from services.games.interface import Draw, Flag, Outcome, Reoption, Resign, Step, SystemAction, Text
from services.games.plateau import budget, turns
from services.games.plateau.actions import Action, Ended, EndTurn, Event, Move
from services.games.plateau.board import Army
from services.games.plateau.finish import NO_PLAN, finishable, owed, plan, played
from services.games.plateau.journey import broken_by_path, broken_without_path
from services.games.plateau.moves import Candidate, able
from services.games.plateau.options import FACTS, Options
from services.games.plateau.play import army_to_move, fall, play
from services.games.plateau.position import End, Position, View, side, sides
from services.games.plateau.reach import listed, reach
from services.games.plateau.route import route
from services.games.plateau.terrain import terrain
from services.games.ranking import ranked
from services.games.refusals import GameOver, Illegal, Malformed, NotYourTurn

END_RULE = {
    End.CONQUEST: "EP-GOAL-1",
    End.ARMIES: "EP-END-1",
    End.RESIGNED: "EP-END-4",
    End.TIME: "EP-END-5",
    End.REPETITION: "EP-END-2",
    End.ROUNDS: "EP-END-3",
    End.AGREED: "EP-END-4",
}
"""The rule by which a game ended."""
END_TURN = EndTurn()


def seats(position: Position) -> int:
    """Return how many play."""
    return len(position.armies)


def to_act(position: Position) -> tuple[int, ...]:
    """Return the seat to move; nobody after the end."""
    return () if position.end is not None else (position.to_move,)


def actions(view: View) -> tuple[Action, ...]:
    """Return what the view's seat may do: end the turn if it may, and moves by army, node, target and steps.

    A move is listed by target and steps, without a path: any legal one serves.
    """
    return first_actions(view, None)


def first_actions(view: View, most: int | None) -> tuple[Action, ...]:
    """Return the first `most` of them (None: all), without the work for the others: those of the emblem are the most."""
    position = view.position
    if view.seat != position.to_move or position.end is not None:
        return ()
    listed: tuple[Action, ...] = moves(position, most)
    return (END_TURN, *listed)[:most] if budget.may_end(position.turn) else listed


def moves(position: Position, most: int | None = None) -> tuple[Move, ...]:
    """Return all moves of the seat to move after which the turn can be finished (EP-TURN-11), or the first `most`."""
    board, turn, ground = position.board, position.turn, terrain(position, position.to_move)
    lacking = owed(position)
    planned = plan(position, ground) if lacking > 1 else NO_PLAN
    found: list[Move] = []
    for army, source, free in able(position):
        is_last = army == Army.EMBLEM and turn.small > 0
        if most is not None and len(found) >= most:
            break
        enough = lacking if is_last else lacking - planned.spare(source)
        if enough <= 1:
            found += listed(board, army, source, ground, free)
            continue
        for reached in reach(board, army, source, ground):
            target, steps, quiet = reached
            if steps > free or (is_last and quiet and steps < lacking):
                continue
            if steps >= enough or finishable(played(position, Candidate(army, source, reached))):
                found.append(Move(source, target, steps))
    return tuple(found[:most])


def apply(position: Position, seat: int, action: Action, seed: bytes) -> Step[Position, Event]:
    """Return the step that an action makes. Raises Illegal (GameOver, NotYourTurn) with the rule's id."""
    require_turn(position, seat)
    if isinstance(action, EndTurn):
        require_end(position)
        after, events = turns.end(position)
    else:
        after, events = travel(position, action)
    return Step(after, events, final=position.options.touch_move)


def as_listed(action: Action) -> Action:
    """Return an action as `actions` has it: without a path, which changes nothing but what is seen."""
    return action._replace(path=()) if isinstance(action, Move) else action


def require_turn(position: Position, seat: int | None) -> None:
    """Raise GameOver or NotYourTurn unless the seat is to act."""
    if position.end is not None:
        raise GameOver("the game is over", rule=END_RULE[position.end])
    if seat != position.to_move:
        raise NotYourTurn("another seat is to act", rule="EP-TURN-1")


def require_end(position: Position) -> None:
    """Raise Illegal unless the turn has the steps that are due."""
    turn = position.turn
    if not budget.may_end(turn):
        details = {"made": str(turn.total), "due": str(turn.due)}
        raise Illegal(f"{turn.total} of {turn.due} steps have been made", rule="EP-TURN-2", details=details)


def travel(position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after a move, and what happened. Raises Illegal with the rule that forbids it."""
    army, path = way(position, move)
    after, events = play(position, army, path)
    if not finishable(after):
        made, due = after.turn.total, after.turn.due
        details = {"made": str(made), "due": str(due)}
        raise Illegal(f"the turn would stop at {made} steps of {due}", rule="EP-TURN-11", details=details)
    return after, events


def way(position: Position, move: Move) -> tuple[Army, tuple[int, ...]]:
    """Return the army of a move and its path, the given one or any. Raises Illegal with the rule that forbids it."""
    seat, board, turn = position.to_move, position.board, position.turn
    if max(move.source, move.target, *move.path) >= len(board.names):
        raise Illegal("there is no such node on this board", rule="EP-BOARD-2")
    army = army_to_move(position, move.source)
    names = {"source": board.names[move.source], "node": board.names[move.target]}
    if army is None:
        raise Illegal(f"no army of yours stands on {names['source']}", rule="EP-ARMY-4", details=names)
    if turn.moved >> move.source & 1:
        raise Illegal(f"the army on {names['source']} has moved", rule="EP-TURN-3", details=names)
    if move.steps < 1:
        raise Illegal("a move has at least one step", rule="EP-MOVE-5", details=names)
    free = budget.allowance(turn, army)
    if move.steps > free:
        details = {**names, "steps": str(move.steps), "free": str(free)}
        rule = budget.forbidding_rule(turn, army, move.steps)
        raise Illegal(f"{move.steps} steps are too many, {free} are left", rule=rule, details=details)
    if move.path and (move.path[0], move.path[-1], len(move.path) - 1) != (move.source, move.target, move.steps):
        raise Illegal("the path is not that of the move", rule="EP-MOVE-1", details=names)
    given = move.path if move.steps > 1 else (move.source, move.target)
    if given:
        broken = broken_by_path(position, seat, army, given)
        if broken:
            raise broken
        return army, given
    path = route(board, army, move.source, move.target, move.steps, terrain(position, seat))
    if path is None:
        raise broken_without_path(position, seat, army, move)
    return army, path


def system_action(position: Position, system_action: SystemAction[Options], seed: bytes) -> Step[Position, Event]:
    """Return the step of a system action: who gives up or runs out of time is out (EP-MULTI-7), a draw ends the game (EP-END-4).

    Of the options, only touch move can change. Raises Illegal with the rule's id, Malformed for a seat that there is not.
    """
    if position.end is not None:
        raise GameOver("the game is over", rule=END_RULE[position.end])
    match system_action:
        case Resign(seat=seat):
            return _leave(position, seat, End.RESIGNED)
        case Flag(seat=seat):
            return _leave(position, seat, End.TIME)
        case Draw():
            return Step(position._replace(end=End.AGREED), (Ended(None, End.AGREED),))
        case Reoption(options=options):
            for name, rule in FACTS.settled.items():
                if getattr(options, name) != getattr(position.options, name):
                    raise Illegal(f"{name} is settled before the start", rule=rule)
            return Step(position._replace(options=options))


def _leave(position: Position, seat: int, end: End) -> Step[Position, Event]:
    if not 0 <= seat < len(position.armies):
        raise Malformed("there is no such seat", field="seat")
    if seat in position.fallen:
        raise Illegal("this empire is already out", rule="EP-MULTI-7")
    after, events = fall(position, seat, None, end)
    if after.end is None and seat == position.to_move:
        after, more = turns.begin(after._replace(to_move=turns.next_seat(after)))
        events += more
    return Step(after, events)


def outcome(position: Position) -> Outcome | None:
    """Return how the game ended, or None while it is on.

    Places follow the order of falling (EP-MULTI-1): the winner, the others that stand, then those who fell last. In a draw all
    that stand are first. Partners share a place and win together (EP-MULTI-8); in a draw all four are first.
    """
    if position.end is None:
        return None
    winner, end = position.winner, position.end
    reason, rule = f"reason.{end.name.lower()}", END_RULE[end]
    everybody = range(len(position.armies))
    if position.options.alliance:
        won = None if winner is None else side(position, winner)
        merits = [int(side(position, seat) == won) for seat in everybody]
        text = Text(reason if won is None else f"{reason}.side.{won}")
        return ranked(merits, text, rule, is_draw=won is None, sides=sides(position))
    merits = [_merit(position, seat) for seat in everybody]
    text = Text(reason if winner is None else f"{reason}.seat.{winner}")
    return ranked(merits, text, rule, is_draw=winner is None)


def _merit(position: Position, seat: int) -> int:
    """Return how well a seat that plays alone did: who fell later did better, and best who stands or has won."""
    standing = position.fallen.index(seat) if seat in position.fallen else len(position.fallen)
    return standing + (seat == position.winner)


def expire(view: View) -> Action:
    """Return what is played when the time of a turn is over: its end if it may end, else the first longest move (EP-TIME-1).

    Raises GameOver or NotYourTurn when the view's seat is not to act.
    """
    require_turn(view.position, view.seat)
    if budget.may_end(view.position.turn):
        return END_TURN
    legal = moves(view.position)
    if not legal:
        require_end(view.position)
    return max(legal, key=lambda move: move.steps)
