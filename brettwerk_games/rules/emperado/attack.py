"""Attacks and what a capture brings (EMP-ATTACK)."""

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import Attack, Enter, Entered, Event, Fought
from brettwerk_games.rules.emperado.battle import Battle, HeldDice, fight
from brettwerk_games.rules.emperado.game_end import eliminate, end, has_won
from brettwerk_games.rules.emperado.options import CaptureMove, Undo
from brettwerk_games.rules.emperado.position import GHOST, End, Entry, Position
from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.refusals import Illegal


def require_origin(position: Position, source: int) -> None:
    """Raise Illegal unless the country is an active one of the seat to act (EMP-ATTACK-1, EMP-MOVE-4)."""
    details = {"country": position.world.countries[source].notation}
    if position.owners[source] != position.to_move:
        raise Illegal(f"{details['country']} is not yours", rule="EMP-ATTACK-1", details=details)
    if source in position.blocked:
        raise Illegal(f"{details['country']} is blocked", rule="EMP-MOVE-4", details=details)
    if position.armies[source] < 2:
        raise Illegal(f"{details['country']} has only one army", rule="EMP-ATTACK-1", details=details)


def require_target(position: Position, source: int, target: int, *, own: bool, rule: str) -> None:
    """Raise Illegal by `rule` unless the target is a neighbour (EMP-MAP-2) and an own or a foreign country, as is asked for."""
    countries = position.world.countries
    details = {"source": countries[source].notation, "target": countries[target].notation}
    if target not in position.world.neighbours[source]:
        raise Illegal(f"{details['source']} and {details['target']} are not neighbours", rule=rule, details=details)
    if (position.owners[target] == position.to_move) != own:
        raise Illegal(f"{details['target']} is {'not ' if own else ''}yours", rule=rule, details=details)


def require_attack(position: Position, action: Attack) -> None:
    """Raise Illegal with the rule that forbids the attack."""
    require_origin(position, action.source)
    require_target(position, action.source, action.target, own=False, rule="EMP-ATTACK-2")


def attack(position: Position, action: Attack, seed: bytes) -> Step[Position, Event]:
    """Return the step of a legal attack. It is not taken back unless honour forbids it only, and nobody minds (EMP-UNDO-3)."""
    source, target, thrown = action.source, action.target, position.thrown
    before = position.armies
    dice = Dice(seed, "dice") if thrown is None else HeldDice(seed, thrown)
    battle = fight(before[source], before[target], action.throws, dice, position.options.luck)
    entered = 0 if battle.defenders else _entering(position, battle)
    armies = list(before)
    armies[source] = battle.attackers - entered
    armies[target] = battle.defenders or entered
    event = Fought(
        position.to_move,
        source,
        target,
        position.owners[target],
        before[source],
        before[target],
        before[source] - battle.attackers,
        before[target] - battle.defenders,
        battle.throws,
        battle.last,
        entered,
    )
    after = position._replace(armies=tuple(armies), thrown=None if thrown is None else thrown + battle.throws)
    events: tuple[Event, ...] = ()
    if entered:
        after, events = _capture(after, action, len(battle.last[-1].attacker))
    by_honour = position.options.undo == Undo.HONOUR and not _took_cards(position, after)
    return Step(after, (event, *events), reveals=True, retractable=by_honour)


def _entering(position: Position, battle: Battle) -> int:
    """Return how many armies move in at once (EMP-ATTACK-11).

    There always are as many as the attacker had dice: it loses none in the throw that captures, which takes a pair won for
    every defender.
    """
    match position.options.capture_move:
        case CaptureMove.ALL:
            return battle.attackers - 1
        case CaptureMove.DICE | CaptureMove.CHOOSE:
            return len(battle.last[-1].attacker)
        case CaptureMove.ONE:
            return 1


def _capture(position: Position, action: Attack, dice: int) -> tuple[Position, tuple[Event, ...]]:
    """Return the position in which the target has changed hands (EMP-ATTACK-10), and what follows from that."""
    seat, loser = position.to_move, position.owners[action.target]
    owners = (*position.owners[: action.target], seat, *position.owners[action.target + 1 :])
    position = position._replace(owners=owners, captured=True)
    events: tuple[Event, ...] = ()
    if loser != GHOST and loser not in owners:
        position, eliminated = eliminate(position, loser, seat)
        events = (eliminated,)
    if has_won(position, seat):
        position, ended = end(position, seat, End.FREED)
        return position, (*events, ended)
    if position.options.capture_move == CaptureMove.CHOOSE and position.armies[action.source] > 1:
        position = position._replace(entry=Entry(action.source, action.target, dice))
    return position, events


def _took_cards(before: Position, after: Position) -> bool:
    seat = before.to_move
    return after.parties[seat].cards > before.parties[seat].cards


def max_entering(position: Position, entry: Entry) -> int:
    """Return how many armies can move in at most: all but one."""
    return entry.least + position.armies[entry.source] - 1


def require_enter(position: Position, action: Enter) -> None:
    """Raise Illegal with the rule that forbids it."""
    entry = position.entry
    if entry is None:
        raise Illegal("no country has just been captured", rule="EMP-ATTACK-11")
    most = max_entering(position, entry)
    if not entry.least <= action.armies <= most:
        details = {"least": str(entry.least), "most": str(most)}
        raise Illegal(f"from {entry.least} to {most} armies move in", rule="EMP-ATTACK-11", details=details)


def enter(position: Position, action: Enter) -> Step[Position, Event]:
    """Return the step in which the conqueror's armies move in; that blocks nothing (EMP-ATTACK-12)."""
    assert position.entry is not None
    source, target, least = position.entry
    armies = list(position.armies)
    armies[source] -= action.armies - least
    armies[target] += action.armies - least
    event = Entered(position.to_move, source, target, action.armies)
    return Step(position._replace(armies=tuple(armies), entry=None), (event,), reveals=position.options.undo == Undo.OFF)
