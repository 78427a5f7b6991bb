"""What players are called, and which names look alike.

Names that look alike have the same skeleton, whatever scripts their letters are of (UTS 39, section 4).
"""

import json
import unicodedata
from collections.abc import Collection
from importlib.resources import files
from typing import Any

import regex
from sqlalchemy import Connection, Row, or_, select

from services.players.accounts.deleted_players import PREFIX
from services.players.accounts.tables import ACCOUNTS
from services.players.results.tables import RESULTS

SKELETON_LENGTH = 160
"""The longest skeleton: some letters become two or three."""
_HIDDEN = regex.compile(r"\p{Default_Ignorable_Code_Point}+")


def names_of(connection: Connection, players: Collection[str]) -> dict[str, str]:
    """Return the names of players: of their accounts, or under which they sat down last; nobody whose account is deleted."""
    query = select(ACCOUNTS.c.player_id, ACCOUNTS.c.name).where(ACCOUNTS.c.player_id.in_(players))
    names = {row.player_id: row.name for row in connection.execute(query)}
    return names | last_names(connection, [player_id for player_id in players if player_id not in names])


def last_names(connection: Connection, players: Collection[str]) -> dict[str, str]:
    """Return under which names players sat down last. They are few."""
    found: dict[str, str] = {}
    for player_id in players:
        query = (
            select(RESULTS.c.name)
            .where(RESULTS.c.player_id == player_id)
            .order_by(RESULTS.c.finished_at_ms.desc(), RESULTS.c.session_id.desc())
            .limit(1)
        )
        if not is_nobody(player_id) and (name := connection.execute(query).scalar_one_or_none()):
            found[player_id] = name
    return found


def sought(name: str) -> str:
    """Return a name as a search compares it: in one case and one form."""
    return unicodedata.normalize("NFKC", name).casefold()[:160]


def as_compared(name: str) -> dict[str, str]:
    """Return the columns of an account that hold its name, and what it is compared by."""
    return {"name": name, "sought": sought(name), "skeleton": skeleton(name)}


def lookalike(connection: Connection, player_id: str, name: str) -> Row[Any] | None:
    """Return the oldest account of another player that a name looks like, None if there is none older than the player's own."""
    looks = skeleton(name)
    if not looks:
        return None  # nothing looks like nothing, and accounts of a release before 1.1 have no skeleton yet
    other = ACCOUNTS.alias("other")
    since = select(ACCOUNTS.c.created_at_ms).where(ACCOUNTS.c.player_id == player_id).scalar_subquery()
    alike = or_(other.c.skeleton == looks, other.c.sought == sought(name))
    query = (
        select(other)
        .where(alike, other.c.player_id != player_id, or_(since.is_(None), other.c.created_at_ms < since))
        .order_by(other.c.created_at_ms, other.c.player_id)
        .limit(1)
    )
    return connection.execute(query).first()


def is_nobody(player_id: str) -> bool:
    """Return whether an id is a computer's, or stands for a player who is gone."""
    return not player_id or player_id.startswith(PREFIX)


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
