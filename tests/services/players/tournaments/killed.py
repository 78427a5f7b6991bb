"""A process of the players service that is killed while it pairs.

`killed.py URL N NOW` stops at the N-th pairing that it has written; a fourth argument is how the statements begin that are
counted instead. It says so, and waits to be killed in the midst of its transaction; where there are fewer it ends.
"""

import asyncio
import sys
import threading
from typing import Any

from sqlalchemy import Engine, event

from services.players.store import open_store
from services.players.tournaments.progress import Progress


async def main(url: str, number: int, now_ms: int, counted: str = "INSERT INTO players_pairings") -> None:
    """Go on with the tournaments at a SQLAlchemy URL, until so many statements have begun as `counted`."""
    written = 0

    def look(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        nonlocal written
        written += statement.startswith(counted)
        if written == number:
            print("paired", flush=True)
            threading.Event().wait()

    event.listen(Engine, "after_cursor_execute", look)
    store = open_store(url)
    await Progress(store, lambda heads: None, lambda: now_ms).step()
    store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]))
