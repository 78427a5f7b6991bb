"""Series by game and level: what is wanted, for how long it waits, and what becomes of it.

Only games and levels that are installed are named, so there are never more series than these; anything else is `other`.
"""

from collections.abc import Sequence

from google.protobuf.message import DecodeError

from brettwerk.internal.v1 import ai_pb2
from brettwerk_games.players.registry import level_of
from brettwerk_games.rules.registry import games
from services.ai.board.order import Finished, Order
from services.ai.board.want import Wanted
from services.runtime import metrics

OTHER = "other"


def count_wanted(wants: Sequence[Wanted]) -> None:
    """Count what is new on the board."""
    for want in wants:
        game, level, *_ = want.level.split(" ")
        metrics.AI_WANTS.labels(*_installed(game, level)).inc()


def count_taken(orders: Sequence[Order]) -> None:
    """Count for how long each order waited until it was taken."""
    for order in orders:
        metrics.AI_LEVEL_WAIT.labels(*_of(order)).observe(order.waited_ms / 1000)


def count_finished(orders: Sequence[Order], finished: Sequence[Finished]) -> None:
    """Count how these orders ended."""
    named = {order.key: _of(order) for order in orders}
    for one in finished:
        metrics.AI_LEVEL_ATTEMPTS.labels(*named.get(one.key, (OTHER, OTHER)), one.outcome).inc()


def _of(order: Order) -> tuple[str, str]:
    try:
        asked = ai_pb2.Want.FromString(order.payload) if order.kind == "move" else ai_pb2.ReviewRequest.FromString(order.payload)
    except DecodeError:
        return OTHER, OTHER
    return _installed(asked.game, asked.computer.level)


def _installed(game_id: str, level_id: str) -> tuple[str, str]:
    """Return labels for a game and a level; a review without a level is of the game's strongest."""
    game = games().get(game_id)
    level = level_of(game, level_id) if game is not None else None
    return (game_id, level.id) if level is not None else (OTHER, OTHER)
