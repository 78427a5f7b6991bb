"""The rules as the platform asks them: who is to act, what is legal, what an action or a system action does, how it ended."""

from collections.abc import Sequence

from brettwerk_games.rules.interface import Outcome, Step
from brettwerk_games.rules.plateau import budget, turns
from brettwerk_games.rules.plateau.actions import Action, Ended, EndTurn, Event, Move
from brettwerk_games.rules.plateau.board import Army
from brettwerk_games.rules.plateau.finish import NO_PLAN, finishable, owed, plan, played
from brettwerk_games.rules.plateau.journey import broken_by_path, broken_without_path
from brettwerk_games.rules.plateau.moves import Candidate, able
from brettwerk_games.rules.plateau.options import FACTS, Options
from brettwerk_games.rules.plateau.play import army_to_move, fall, play
from brettwerk_games.rules.plateau.position import End, Position, View, side, sides
from brettwerk_games.rules.plateau.reach import EVERYWHERE, listed, reach
from brettwerk_games.rules.plateau.route import route
from brettwerk_games.rules.plateau.terrain import terrain
from brettwerk_games.rules.ranking import ranked
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.turn_game import Turns, require_settled

END_RULE = {
    End.CONQUEST: "EP-GOAL-1",
    End.ARMIES: "EP-END-1",
    End.RESIGNED: "EP-END-4",
    End.TIME: "EP-END-5",
    End.REPETITION: "EP-END-2",
    End.ROUNDS: "EP-END-3",
    End.AGREED: "EP-END-4",
    End.TURNS: "EP-END-6",
}
"""The rule by which a game ended."""
TURNS = Turns(end_rules=END_RULE, rule="EP-TURN-1", resigned=End.RESIGNED, time=End.TIME, agreed=End.AGREED)
END_TURN = EndTurn()


def legal(position: Position, most: int | None = None) -> tuple[Action, ...]:
    """Return what the seat to move may do: end the turn if it may, and moves by army, node, target and steps.

    A move is listed by target and steps, without a path: any legal one serves. `most` are the first so many, without the work
    for the others: those of the emblem are the most.

    >>> len(legal(position)), legal(position, most=1)
    (214, (Move(source=1, target=2, steps=1, path=()),))
    """
    listed: tuple[Action, ...] = moves(position, most)
    return (END_TURN, *listed)[:most] if budget.may_end(position.turn) else listed


def first_actions(view: View, most: int) -> tuple[Action, ...]:
    """Return the first so many of what the view's seat may do.

    >>> first_actions(view, 2)
    (Move(source=1, target=2, steps=1, path=()), Move(source=1, target=3, steps=2, path=()))
    """
    position = view.position
    return () if view.seat != position.to_move or position.end else legal(position, most)


def moves(position: Position, most: int | None = None) -> tuple[Move, ...]:
    """Return all moves of the seat to move after which the turn can be finished (EP-TURN-11), or the first `most`.

    >>> moves(position, most=1)
    (Move(source=1, target=2, steps=1, path=()),)
    """
    board, turn, ground = position.board, position.turn, terrain(position, position.to_move)
    lacking = owed(position)
    planned = plan(position, ground) if lacking > 1 else NO_PLAN
    found: list[Move] = []
    for army, source, free in able(position):
        is_last = army == Army.EMBLEM and turn.small > 0
        if most is not None and len(found) >= most:
            break
        enough = max(1, lacking if is_last else lacking - planned.spare(source))
        within: Sequence[Move] = listed(board, army, source, ground, enough, free)
        if enough > 1:
            # Shorter moves are asked one by one; the turn's last one must end the game, as walking never does.
            short = reach(board, army, source, ground, min(free, enough - 1), ground.ends if is_last else EVERYWHERE)
            good = [each for each in short if finishable(played(position, Candidate(army, source, each)))]
            if good:
                within = sorted((*within, *(Move(source, each.target, each.steps) for each in good)))
        found += within
    return tuple(found[:most])


def act(position: Position, action: Action, seed: bytes) -> Step[Position, Event]:
    """Return the step that an action of the seat to move makes. Raises Illegal with the rule's id.

    >>> step = act(position, moves(position)[0], SEED)
    >>> step.events
    (Moved(seat=0, army=<Army.TWO: 0>, path=(1, 2), captured=None, conquered=None),)
    >>> step.position.turn.total, step.position.turn.due
    (1, 6)
    """
    if isinstance(action, EndTurn):
        require_end(position)
        after, events = turns.end(position)
    else:
        after, events = travel(position, action)
    return Step(after, events, final=position.options.touch_move)


def as_listed(action: Action) -> Action:
    """Return an action as `actions` has it: without a path, which changes nothing but what is seen.

    >>> as_listed(Move(source=1, target=3, steps=2, path=(1, 2, 3)))
    Move(source=1, target=3, steps=2, path=())
    """
    return action._replace(path=()) if isinstance(action, Move) else action


def require_end(position: Position) -> None:
    """Raise Illegal unless the turn has the steps that are due.

    >>> require_end(position)
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: 0 of 6 steps have been made
    """
    turn = position.turn
    if not budget.may_end(turn):
        details = {"made": str(turn.total), "due": str(turn.due)}
        raise Illegal(f"{turn.total} of {turn.due} steps have been made", rule="EP-TURN-2", details=details)


def travel(position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after a move, and what happened. Raises Illegal with the rule that forbids it.

    >>> after, events = travel(position, Move(source=1, target=2, steps=1))
    >>> [after.board.names[node] for node in events[0].path]
    ['A2', 'A3']
    """
    army, path = way(position, move)
    after, events = play(position, army, path)
    if not finishable(after):
        made, due = after.turn.total, after.turn.due
        details = {"made": str(made), "due": str(due)}
        raise Illegal(f"the turn would stop at {made} steps of {due}", rule="EP-TURN-11", details=details)
    return after, events


def way(position: Position, move: Move) -> tuple[Army, tuple[int, ...]]:
    """Return the army of a move and its path, the given one or any. Raises Illegal with the rule that forbids it.

    >>> way(position, Move(source=1, target=3, steps=2))
    (<Army.TWO: 0>, (1, 2, 3))
    """
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


def over(position: Position, end: End, winner: int | None) -> Step[Position, Event]:
    """Return the step in which the game is over: a draw that was agreed (EP-END-4).

    >>> over(position, End.AGREED, None).events
    (Ended(winner=None, end=<End.AGREED: 7>),)
    """
    return Step(position._replace(winner=winner, end=end), (Ended(winner, end),))


def reoption(position: Position, options: Options) -> Step[Position, Event]:
    """Return the step with other options, of which only touch move can change. Raises Illegal with the rule's id.

    >>> reoption(position, Options(touch_move=True)).position.options.touch_move
    True
    >>> reoption(position, Options(alliance=True))
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: alliance is settled before the start
    """
    require_settled(FACTS, position.options, options)
    return Step(position._replace(options=options))


def leave(position: Position, seat: int, end: End, seed: bytes) -> Step[Position, Event]:
    """Return the step in which a seat gives up or has no time left, and is out (EP-MULTI-7). Raises Illegal for one that is.

    >>> leave(position, 0, End.RESIGNED, bytes(32)).events
    (Fell(seat=0, by=None, inherited=0), Ended(winner=1, end=<End.RESIGNED: 3>))
    """
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

    >>> print(outcome(position))
    None
    >>> outcome(leave(position, 0, End.RESIGNED, bytes(32)).position).winners
    (1,)
    """
    if position.end is None:
        return None
    winner, rule = position.winner, END_RULE[position.end]
    everybody = range(len(position.armies))
    if position.options.alliance:
        won = None if winner is None else side(position, winner)
        merits = [int(side(position, seat) == won) for seat in everybody]
        reason = TURNS.reason(position, f"side.{won}")
        return ranked(merits, reason, rule, is_draw=won is None, sides=sides(position))
    merits = [_merit(position, seat) for seat in everybody]
    return ranked(merits, TURNS.reason(position, f"seat.{winner}"), rule, is_draw=winner is None)


def _merit(position: Position, seat: int) -> int:
    """Return how well a seat that plays alone did: who fell later did better, and best who stands or has won."""
    standing = position.fallen.index(seat) if seat in position.fallen else len(position.fallen)
    return standing + (seat == position.winner)


def due(view: View) -> Action:
    """Return what is played when the time of a turn is over: its end if it may end, else the first longest move (EP-TIME-1).

    >>> due(view)
    Move(source=96, target=34, steps=6, path=())
    """
    if budget.may_end(view.position.turn):
        return END_TURN
    legal = moves(view.position)
    if not legal:
        require_end(view.position)
    return max(legal, key=lambda move: move.steps)
