"""How a session is rebuilt from its log: its entries are added to a transaction, one after another, as they were written."""

import contextlib
from collections.abc import Sequence

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.live.memory import Memory
from services.session.live.transaction import FORESEEN, Transaction


async def replay(
    session_id: str,
    transaction: Transaction,
    entries: Sequence[record_pb2.Entry],
    secrets: session_state_pb2.StoredSecrets,
    memory: Memory,
) -> None:
    """Add entries of a log to a transaction, with what the log does not contain. Raises Refused: RECORD_DAMAGED, UNAVAILABLE."""
    # Once chance has been renewed, its first secret is kept beside the current one.
    first, following = (secrets.former_secret, secrets.secret) if secrets.former_secret else (secrets.secret, secrets.next_secret)
    goes_back = any(entry.WhichOneof("change") == "undone" for entry in entries)
    for number, entry in enumerate(entries):
        if entry.version == 1:
            await transaction.begin(session_id, first, entry)
        else:
            if following and not transaction.state.is_renewed:
                transaction.expect(following)
            # The rules replay a long log many plies at a time: one call for each would take minutes.
            if entry.WhichOneof("change") == "acted" and not transaction.foresees(entry):
                with contextlib.suppress(Refused):  # any objection is found again below
                    await transaction.foresee(entries[number : number + FORESEEN], goes_back=goes_back)
            await add_again(transaction, entry)
        if entry.version == secrets.version:
            transaction.know(secrets)
        memory.note_update(transaction.added.pop().packed)
    memory.note_positions(transaction.kept, transaction.dropped)


async def add_again(transaction: Transaction, entry: record_pb2.Entry) -> None:
    """Add the next entry of a log. Raises Refused: RECORD_DAMAGED if the rules reject it, UNAVAILABLE."""
    try:
        await transaction.add(entry)
    except Refused as refused:
        if refused.reason in (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE, errors_pb2.REASON_FULL):
            raise
        message = f"the rules do not follow version {entry.version}: {refused.refusal.message}"
        raise Refused(errors_pb2.REASON_RECORD_DAMAGED, message) from refused
