"""The codec of a game of two without secrets, derived from its values and the contract in its folder (services/games/derived)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from services.game_packages.contract import add_contract
from services.games import interface
from services.games.derived.differences import Differences
from services.games.derived.pairs import Pairs
from services.games.interface import Kind
from services.games.messages import Form, MessageCodec
from services.games.open.values import OpenEnding, Played, View


def derived_codec(folder: Path, options: type, position: type, action: Any, require_sound: Callable[[Any], None]) -> MessageCodec:
    """Return the codec of a game in a folder with its contract. `require_sound` raises Malformed for a position that cannot be.

    Raises ValueError where values and contract do not fit together, and what `add_contract` raises.
    """
    messages = add_contract(folder).message_types_by_name
    own = [name.removesuffix("Options") for name in messages if name.endswith("Options")]
    if len(own) != 1:
        raise ValueError(f"the contract in {folder} has one message <Game>Options, not {len(own)}")
    known = {interface.P: position, interface.A: action}
    pairs = Pairs(own[0], messages, Differences(checks={position: require_sound}), known)

    class DerivedCodec(MessageCodec):
        """Carries the values of this game."""

        forms: ClassVar[Mapping[Kind, Form]] = pairs.forms(options, position, View, action, Played | OpenEnding)

    return DerivedCodec()
