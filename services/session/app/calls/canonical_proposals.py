"""Proposals of options and starts, as the rules write them: what everybody is asked is what would be stored."""

from brettwerk.v1 import errors_pb2, record_pb2
from services.games.chance import SEED_BYTES
from services.runtime.refusal import Refused
from services.session.domain.canonical import written_by_rules
from services.session.domain.state import State
from services.session.domain.variation import options_and_start
from services.session.live.rules_client import RulesClient

_UNREACHED = (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE)


async def as_stored(rules: RulesClient, state: State, proposal: record_pb2.Proposal) -> record_pb2.Proposal:
    """Return a proposal with its options and its start position as the rules write them, which is how they would be stored.

    What they would refuse is left as it is: it is refused when it is tried out, once it is clear who may ask for it.
    Raises Refused when they cannot be asked.
    """
    written = record_pb2.Proposal()
    written.CopyFrom(proposal)
    count, competitive = len(state.seats), state.created.competitive
    try:
        match proposal.WhichOneof("kind"):
            case "options":
                split = await rules.split_options(state.game, count, None, proposal.options, 0, competitive=competitive)
                if split.HasField("wanted"):
                    written.options.CopyFrom(split.wanted)
            case "setup":
                options, start = options_and_start(written.setup)
                begun = await rules.new(state.game, options, count, start, bytes(SEED_BYTES), competitive=competitive)
                written_by_rules(written.setup, begun)
    except Refused as refused:
        if refused.reason in _UNREACHED:
            raise
        return proposal
    return written
