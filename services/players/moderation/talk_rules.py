"""The rules of talk that moderators make: the players who may not talk, and the words that nobody may say. In a transaction.

Their version grows with each change, so that a session process is told everything when something has changed, and nothing else.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, func, select

from brettwerk.internal.v1 import players_pb2
from services.archive.upsert import insert_into
from services.players.accounts import restrictions
from services.players.moderation.tables import MARKS, WORDS
from services.runtime.refusal import malformed, require_room
from services.runtime.restriction import TALK
from services.runtime.word_list import Words

MAX_WORDS = 2_000
"""Words of the moderators."""
WORD_BYTES = 80
_TALK = "talk"


def version(connection: Connection) -> int:
    """Return the version: 1 as long as nothing has been changed."""
    return 1 + (connection.execute(select(MARKS.c.number).where(MARKS.c.name == _TALK)).scalar() or 0)


def changed(connection: Connection) -> None:
    """Note that something has changed."""
    adding = insert_into(connection, MARKS).values(name=_TALK, number=1)
    connection.execute(adding.on_conflict_do_update(index_elements=["name"], set_={"number": MARKS.c.number + 1}))


def words(connection: Connection) -> Sequence[str]:
    """Return the words, in their order."""
    return connection.execute(select(WORDS.c.word).order_by(WORDS.c.word)).scalars().all()


def checked_word(text: str) -> str:
    """Return a word, or several, as it is kept. Raises Refused (MALFORMED) for one that nothing would ever match."""
    word = " ".join(text.split()).casefold()
    if not Words([word]).found_in(word) or len(word.encode()) > WORD_BYTES:
        raise malformed("add", "a word has letters or digits, and 80 bytes at most")
    return word


def add_word(connection: Connection, word: str, now_ms: int) -> bool:
    """Add a word. Returns whether it is new. Raises Refused (FULL)."""
    adding = insert_into(connection, WORDS).values(word=word, at_ms=now_ms).on_conflict_do_nothing()
    is_new = connection.execute(adding).rowcount == 1
    require_room(connection.execute(select(func.count()).select_from(WORDS)).scalar_one(), MAX_WORDS + 1, "words")
    return is_new


def remove_word(connection: Connection, word: str) -> bool:
    """Remove a word. Returns whether it was there."""
    return connection.execute(delete(WORDS).where(WORDS.c.word == word)).rowcount == 1


def whole(connection: Connection, known: int, now_ms: int) -> players_pb2.GetTalkRulesResponse:
    """Return the rules, with nothing but their version where that is known."""
    newest = version(connection)
    if newest == known:
        return players_pb2.GetTalkRulesResponse(version=newest)
    muted: Iterable[players_pb2.MutedTalker] = (
        players_pb2.MutedTalker(player_id=row.player_id, until_ms=row.until_ms, why=row.reason)
        for row in restrictions.all_of(connection, TALK, now_ms)
    )
    return players_pb2.GetTalkRulesResponse(version=newest, muted=muted, words=words(connection))
