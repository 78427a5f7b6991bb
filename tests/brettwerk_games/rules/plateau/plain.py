"""Random games over all options, and the messages of positions, views and lists made field by field: the plain way."""

import random
from collections.abc import Iterator

from brettwerk.v1 import games_pb2, sessions_pb2
from brettwerk.v1 import plateau_pb2 as pb
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.plateau import GAME, wire
from brettwerk_games.rules.plateau.actions import Action, Move
from brettwerk_games.rules.plateau.board import Army, bits
from brettwerk_games.rules.plateau.guide import outlook, tally
from brettwerk_games.rules.plateau.notation import takes
from brettwerk_games.rules.plateau.options import Fallen, Options, Shape, Size
from brettwerk_games.rules.plateau.position import Position, View
from brettwerk_games.rules.refusals import Illegal
from services.runtime.seats import complete


def options_by_lot(dice: random.Random) -> Options:
    return Options(
        dice.choice(tuple(Size)),
        dice.choice(tuple(Shape)),
        fallen=dice.choice(tuple(Fallen)),
        conquest_wins=dice.random() < 0.3,
        alliance=dice.random() < 0.5,
        jump_may_end=dice.random() < 0.5,
        touch_move=dice.random() < 0.5,
    )


def games(number: int, plies: int) -> Iterator[tuple[Position, tuple[Action, ...]]]:
    """Yield the positions of a random game with two to four seats and any options, and what is legal in them.

    Moves that take something are preferred now and then, so that empires fall.
    """
    dice = random.Random(number)
    position = None
    while position is None:
        try:
            position = GAME.new(options_by_lot(dice), 2 + number % 3, None, dice.randbytes(32)).position
        except Illegal:
            continue
    for _ in range(plies):
        legal = tuple(GAME.actions(GAME.view(position, position.to_move)))
        yield position, legal
        if not legal:
            return
        taking = [action for action in legal if isinstance(action, Move) and takes(position, action.target)]
        action = dice.choice(taking) if taking and dice.random() < 0.6 else dice.choice(legal)
        position = GAME.apply(position, position.to_move, action, dice.randbytes(32)).position


def codes(position: Position) -> list[int]:
    listed = [0] * len(position.board.names)
    for seat, armies in enumerate(position.armies):
        for army in Army:
            for node in bits(armies[army]):
                listed[node] = wire.code(seat, army)
    return listed


def plus_one(seat: int | None) -> int:
    return 0 if seat is None else seat + 1


def position_message(position: Position) -> pb.PlateauPosition:
    small, emblem, order, moved, due = position.turn
    return pb.PlateauPosition(
        options=pb.PlateauOptions(**position.options._asdict()),
        seats=len(position.armies),
        nodes=codes(position),
        to_move=position.to_move,
        turn=pb.PlateauTurn(small=small, emblem=emblem, order=pb.PlateauOrder.ValueType(order), moved=bits(moved), due=due),
        fallen=position.fallen,
        history=position.history,
        winner=plus_one(position.winner),
        end=pb.PlateauEnd.ValueType(position.end or 0),
        turns=position.turns,
    )


def view_message(view: View) -> pb.PlateauView:
    position = view.position
    board = position.board
    guide = pb.PlateauGuide(bases=position.setup.bases, red=bits(~board.nodes & (1 << len(board.names)) - 1))
    if position.end is None:
        guide.tally.CopyFrom(pb.PlateauTally(**tally(position)._asdict()))
    prospect = outlook(view)
    if prospect is not None:
        size = (len(board.names) + 7) // 8
        guide.ready.extend(prospect.ready)
        guide.open = (prospect.passable & ~prospect.home).to_bytes(size, "little")
        guide.open_to_emblem = prospect.passable.to_bytes(size, "little")
        guide.ways.extend(pb.PlateauWay(nodes=nodes) for nodes in prospect.ways)
        guide.threats.extend(pb.PlateauWay(nodes=nodes) for nodes in prospect.threats)
    message = pb.PlateauView(position=position_message(position), seat=plus_one(view.seat), guide=guide)
    complete(message)
    return message


def listed_message(view: View, actions: tuple[Action, ...]) -> sessions_pb2.Update:
    update = sessions_pb2.Update()
    for action in actions:
        choice = GAME.choice(view, action)
        message = games_pb2.ActionChoice(notation=GAME.write(view, action), places=choice.places)
        message.label.key = choice.label.key
        for name, value in choice.label.args.items():
            message.label.args[name] = value
        message.action.type_url = "type.googleapis.com/brettwerk.v1.PlateauAction"
        message.action.value = GAME.codec.encode(Kind.ACTION, action)
        update.actions.append(message)
    return update
