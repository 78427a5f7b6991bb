"""How much of everything there may be. What is beyond is refused (FULL), never dropped in silence."""

SHARDS = 16
"""The store's shards; fixed for good, since ids name their shard."""
ENTRIES = 20_000
"""Entries of a session's log, and plies of its line, brought along ones included. The record of such a session can be exported,
checked and imported: it stays within RECORD_BYTES and the messages that the contract allows a Record (record.proto)."""
LOG_BYTES = 6 * 1024 * 1024
"""Bytes of a session's log; the archive takes records of 8 MiB (services/archive/entry.py)."""
MAX_STATE_BYTES = 8 * 1024 * 1024
"""Bytes of a session's state: large are lines that are imported or proposed, and options that were changed again and again."""
STATE_EVERY = 16
"""Versions after which the store gets a session's state anew; who reads it plays so many, and those that came since."""
MAX_STATE_EVERY = 64
"""The same for sessions with large positions."""
UPDATES_KEPT = 64
"""Updates of a session that a process remembers packed; older ones are made from the log again."""
UPDATES_BYTES = 128 * 1024
"""Bytes of them; the newest one is kept whatever its size."""
POSITIONS_KEPT = 32
"""Positions before the last one that a process remembers for undo; older ones are made from the log again."""
POSITIONS_BYTES = 64 * 1024
"""Bytes of them."""
REQUESTS_KEPT = 64
"""Versions whose log entries are looked through for the answers to repeated requests."""
REQUESTS_BYTES = 64 * 1024
"""Bytes of those answers that a process remembers; the oldest are forgotten."""
SESSIONS_PER_PLAYER = 200
"""Unfinished sessions of a player."""
TABLES_PER_GAME = 64
"""How often a saved game with hidden things is continued together."""
LOAD_BYTES = 256 * 1024
"""A line that is proposed to be loaded."""
SETUP_BYTES = 64 * 1024
"""Options and start position that are proposed, or shown while a table settles: everybody is sent them with every version."""
STATES_BYTES = 64 * 1024 * 1024
"""Bytes of the sessions that a process remembers: states, and their last updates, positions and answers, as they are encoded."""
STATE_BYTES = 2048
"""Bytes of a state beside its large messages."""
HISTORY_BYTES = 128 * 1024 * 1024
"""Updates of one session that are made again; a longer session has its newest ones only."""
REBUILDS_BYTES = 192 * 1024 * 1024
"""Updates that a process keeps after making them again."""
FORMER_OPTIONS = 64
"""Changes of options that a session can take back; one that comes later is there to stay, and undo does not go back over it."""
EXPIRIES_IN_A_ROW = 32
"""Actions that are played for a seat whose time is over before it gets its time anew."""
MAX_WRITE_ATTEMPTS = 16
"""How often a write that lost against another writer is tried again."""
BACKLOG = 2000
"""Versions of a session whose older updates a watch is given from the log; in longer ones it starts again (RESYNC)."""
STREAM_MESSAGES = 8192
"""Messages that wait in a tail stream; beyond that its watches start again when there is room."""
STREAM_BYTES = 32 * 1024 * 1024
"""Bytes that wait in a tail stream."""
WATCHES = 100_000
"""Watches of a tail stream."""
REQUEST_ID_BYTES = 8
"""The shortest request id."""
