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
UPDATES_KEPT = 256
"""Updates of a session that the store keeps packed; older ones are made from the log again."""
UPDATES_BYTES = 256 * 1024
"""Bytes of them; the newest one is kept whatever its size."""
POSITIONS_KEPT = 128
"""Positions before the last one that the store keeps for undo; older ones are made from the log again."""
POSITIONS_BYTES = 128 * 1024
"""Bytes of them, where each has more than its part of that (1 KiB); with smaller ones between there can be twice as much."""
REQUESTS_KEPT = 64
"""Answers of a session that are kept under their request ids."""
REQUESTS_BYTES = 64 * 1024
"""Bytes of them, where each has more than its part of that (1 KiB); with smaller ones between there can be twice as much."""
REQUESTS_KEPT_S = 86_400
"""How long they are kept after the last of them."""
EVENTS_BYTES = 4 * 1024 * 1024
"""Bytes of a shard's event stream. A process that reads so slowly that it misses some looks what its watches lack."""
SESSIONS_PER_PLAYER = 200
"""Unfinished sessions of a player."""
LOAD_BYTES = 256 * 1024
"""A line that is proposed to be loaded."""
SETUP_BYTES = 64 * 1024
"""Options and start position that are proposed, or shown while a table settles: everybody is sent them with every version."""
STATES_BYTES = 32 * 1024 * 1024
"""Bytes of the decoded states that a process keeps, and of what is seen of their positions, as they are encoded."""
STATE_BYTES = 2048
"""Bytes of a state beside its large messages."""
HISTORY_BYTES = 128 * 1024 * 1024
"""Updates of one session that are made again; a longer session has its newest ones only."""
HISTORIES_BYTES = 192 * 1024 * 1024
"""Updates that a process keeps after making them again."""
FORMER_OPTIONS = 64
"""Changes of options that a session can take back; one that comes later is there to stay, and undo does not go back over it."""
EXPIRIES_IN_A_ROW = 32
"""Actions that are played for a seat whose time is over before it gets its time anew."""
WRITE_TRIES = 16
"""How often a write that lost against another writer is tried again."""
BACKLOG = 2000
"""Versions of a session whose older updates a watch is given from the log; in longer ones it begins anew (RESYNC)."""
STREAM_MESSAGES = 8192
"""Messages that wait in a tail stream; beyond that its watches begin anew when there is room."""
STREAM_BYTES = 32 * 1024 * 1024
"""Bytes that wait in a tail stream."""
WATCHES = 100_000
"""Watches of a tail stream."""
REQUEST_ID_BYTES = 8
"""The shortest request id."""
