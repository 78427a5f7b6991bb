"""How much of everything there may be. Anything beyond is refused (FULL), never dropped silently."""

ENTRIES = 20_000
"""Entries of a session's log, and plies of its variation, including those it began with.

The record of such a session can be exported, checked and imported: it stays within RECORD_BYTES and the messages that the
contract allows a Record (record.proto).
"""
ACTIONS = 16_000
"""Actions of a game at most, which every game ends by itself at the latest (`max_actions` of its facts).

The log keeps room for those that have not been played yet, so that a game's own end always comes before that of its log.
"""
LOG_BYTES = 6 * 1024 * 1024
"""Bytes of a session's log; the archive takes records of 8 MiB (services/archive/entry.py)."""
MAX_STATE_BYTES = 8 * 1024 * 1024
"""Bytes of a session's state: imported or proposed variations make it large, and options that were changed many times."""
STATE_EVERY = 8
"""After how many versions a session's state is stored again; a reader replays up to that many, and those that came since."""
MAX_STATE_EVERY = 64
"""The same for sessions with large positions."""
UPDATES_KEPT = 64
"""How many packed updates of a session a process remembers; older ones are made again from the log."""
UPDATES_BYTES = 128 * 1024
"""Their bytes; the newest one is kept whatever its size."""
POSITIONS_KEPT = 32
"""How many positions before the last one a process remembers for undo; older ones are made again from the log."""
POSITIONS_BYTES = 64 * 1024
"""Bytes of them."""
REQUESTS_KEPT = 64
"""For how many versions the log is searched for answers to repeated requests."""
REQUESTS_BYTES = 64 * 1024
"""Bytes of those answers that a process remembers; the oldest are forgotten first."""
SESSIONS_PER_PLAYER = 200
"""Unfinished sessions of a player."""
TABLES_PER_GAME = 64
"""How often a saved game with hidden things can be continued together."""
LOAD_BYTES = 256 * 1024
"""A line that is proposed to be loaded."""
SETUP_BYTES = 64 * 1024
"""Options and start position that are proposed, or shown while a table settles: everybody receives them with every version."""
STATES_BYTES = 64 * 1024 * 1024
"""Bytes of the sessions that a process remembers: states, and their last updates, positions and answers, as encoded."""
STATE_BYTES = 2048
"""Bytes of a state in addition to its large messages."""
HISTORY_BYTES = 128 * 1024 * 1024
"""How many updates of one session are made again; a longer session has only its newest ones."""
REBUILDS_BYTES = 192 * 1024 * 1024
"""How many updates a process keeps after making them again."""
STATES_SHARE, REBUILDS_SHARE = 16, 8
"""In a container, which part of its memory sessions, and updates that were made again, take at most, as encoded."""
GONE = 32
"""Players of a session whose seats are offered to substitutes; with any later one who goes, a computer plays to the end."""
SUBSTITUTES_ASKING = 16
"""Players who ask for a seat that is offered."""
ARBITERS = 8
"""Arbiters of a table."""
FORMER_OPTIONS = 64
"""How many changes of options a session can take back; any later one is permanent, and undo does not go back past it."""
EXPIRIES_IN_A_ROW = 32
"""How many actions are played for a seat whose time is up before it gets new time."""
MAX_WRITE_ATTEMPTS = 16
"""How often a write that lost against another writer is retried."""
BACKLOG = 2000
"""Up to how many versions a watch gets a session's older updates from the log; in longer ones it starts again (RESYNC)."""
STREAM_MESSAGES = 8192
"""How many messages may wait in a tail stream; beyond that, its watches start again once there is room."""
STREAM_BYTES = 32 * 1024 * 1024
"""How many bytes may wait in a tail stream."""
WATCHES = 100_000
"""Watches of a tail stream."""
REQUEST_ID_BYTES = 8
"""The shortest request id."""
VIEWINGS, VIEWINGS_PER_PLAYER = 1000, 5
"""Viewings at a time: in all, and of those who started them."""
VIEWERS = 100
"""Watches in a viewing."""
VIEWING_MARKS, VIEWING_MARKS_TOTAL = 32, 200
"""Marks on a position in a viewing, and on all of its positions: those drawn first make room for others."""
VIEWING_LINES = 50
"""Lines of talk that are kept of a viewing."""
VIEWING_KEPT_S = 600
"""How many seconds a viewing is kept when nobody watches it."""
