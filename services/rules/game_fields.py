"""Games without the fields and the words that a caller can do without, as a matter of size only."""

from collections.abc import Iterable, Sequence

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1.games_pb2 import Game

_NAMED: dict[Game.Field.ValueType, tuple[str, ...]] = {
    Game.FIELD_OPTIONS: ("options", "presets"),
    Game.FIELD_LEVELS: ("levels",),
    Game.FIELD_ORDERS: ("orders",),
    Game.FIELD_PHRASES: ("phrases",),
}


def narrowed(
    found: pb.FindGameResponse, key_prefixes: Sequence[str], left_out: Iterable[Game.Field.ValueType]
) -> pb.FindGameResponse:
    """Return a game with the words whose keys begin with one of these, all if there are none, and without some fields.

    Fields of later releases are not known here, and stay.
    """
    game = Game()
    game.CopyFrom(found.game)
    for field in left_out:
        for name in _NAMED.get(field, ()):
            game.ClearField(name)  # type: ignore[arg-type]
    wanted = tuple(key_prefixes) or ("",)
    words = {key: text for key, text in found.catalogue.items() if key.startswith(wanted)}
    return pb.FindGameResponse(game=game, catalogue=words, rules_page=found.rules_page, contract=found.contract)
