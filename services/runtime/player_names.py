"""Names of players that look alike, and those that no player may take: the server or one of its computers would seem to speak.

Names that look alike have the same skeleton, whatever scripts their letters are of (UTS 39, section 4). Reserved names are
compared by it, without marks around them and the letter of a seat, as tables show it ("Carla (B)").
"""

import json
import unicodedata
from importlib.resources import files
from typing import Final

import regex

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

SKELETON_LENGTH = 160
"""The longest skeleton: some letters become two or three."""
_HIDDEN = regex.compile(r"\p{Default_Ignorable_Code_Point}+")


def skeleton(name: str) -> str:
    """Return the skeleton of a name, in one case: capitals look like themselves first, so that I looks like l."""
    alike = _exemplars(_exemplars(name).casefold())
    return alike[:SKELETON_LENGTH]


def _exemplars(text: str) -> str:
    # NFKD where UTS 39 has NFD: the package's table leaves out most letters of full width
    decomposed = unicodedata.normalize("NFKD", _HIDDEN.sub("", text))
    return unicodedata.normalize("NFD", "".join(_EXEMPLARS.get(letter, letter) for letter in decomposed))


def _table() -> dict[str, str]:
    """Return what each letter that looks like others stands for, but for those that stand for themselves.

    The package lists for each letter those that it looks like: the exemplar of UTS 39, or for an exemplar all that have it. Its
    list takes 6 MB in memory, which its module would keep: so it is read here, and this table is what stays of it.
    """
    data = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_bytes())
    listed = {letter: [_plain(one["c"]) for one in found] for letter, found in data.items()}
    exemplars = {letter: _exemplar(letter, alike, listed) for letter, alike in listed.items() if len(letter) == 1}
    return {letter: exemplar for letter, exemplar in exemplars.items() if exemplar != letter}


def _exemplar(letter: str, alike: list[str], listed: dict[str, list[str]]) -> str:
    if len(alike) != 1:
        return letter  # it is the exemplar of several
    (other,) = alike
    if len(listed.get(other, ())) > 1 or len(other) > 1:
        return other
    return min(letter, other)  # of two that look like each other only, either will do


def _plain(text: str) -> str:
    """Return what the package has for letters written from right to left without the marks around it."""
    return text.strip("\u200e")


_EXEMPLARS = _table()


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
