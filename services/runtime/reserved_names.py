"""Names that no player may take, since others would think that the server or one of its computers speaks.

Names are compared by their skeletons, without marks around them and the letter of a seat, as tables show it ("Carla (B)").
"""

import unicodedata
from typing import Final

import regex

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused
from services.runtime.skeleton import skeleton

SERVER: Final = ("Admin", "Administrator", "Betreiber", "Brettwerk", "Moderator", "Operator", "Server", "System")
"""Names that speak for the server."""
COMPUTERS: Final = (
    *("Computer", "Ordinateur"),
    *("Albert", "Echo", "Mila", "Otto", "Pip", "Vera"),  # EinStein würfelt nicht
    *("Bruno", "Carla", "Hektor", "Regina"),  # EMPERADO
    *("Kyra", "Nabu", "Sibylla", "Solon"),  # Empire Plateau
    *("Fritz", "Ludmilla", "Wanda"),  # Weaponized Chess
    *("Beginner", "Best", "Chosen depth", "Easy", "Expert", "Normal", "Strong"),
    *("Anfänger", "Bester", "Experte", "Gewählte Tiefe", "Leicht", "Mittel", "Stark"),
    *("Débutant", "Facile", "Fort", "Le meilleur", "Moyen", "Profondeur choisie"),
)
"""The names of computer players and their levels."""

_AROUND = regex.compile(r"^[\W_]+|[\W_]+(?:\([A-F]\)|\d+)?[\W_]*$", regex.IGNORECASE)


def check_name(name: str) -> None:
    """Return if a player may be called so. Raises Refused (NAME_RESERVED, with the name)."""
    if (taken := _RESERVED.get(_compared(name))) is not None:
        message = f"{taken} is what the server or one of its computers is called"
        raise Refused(errors_pb2.REASON_NAME_RESERVED, message, field="name", details={"name": name})


def _compared(name: str) -> str:
    return skeleton(_AROUND.sub("", unicodedata.normalize("NFKC", name)))


_RESERVED: Final = {_compared(name): name for name in (*SERVER, *COMPUTERS)}
