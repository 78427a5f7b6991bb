"""Proposals of options and starts, as the rules write them: what everybody is asked is what would be stored."""

from brettwerk.v1 import errors_pb2, record_pb2
from services.games.chance import SEED_BYTES
from services.runtime.refusal import Refused
from services.session.domain.state import State
from services.session.live.rules_client import RulesClient

_UNREACHED = (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE)


async def written_by_rules(rules: RulesClient, state: State, proposal: record_pb2.Proposal) -> record_pb2.Proposal:
    """Return a proposal with its options and its start position as the rules write them.

    What they would refuse is left as it is: it is refused when it is tried out, once it is clear who may ask for it.
    Raises Refused when they cannot be asked.
    """
    written = record_pb2.Proposal()
    written.CopyFrom(proposal)
    count = len(state.seats)
    try:
        match proposal.WhichOneof("kind"):
            case "options":
                split = await rules.split_options(state.game, count, None, proposal.options, 0)
                if split.HasField("wanted"):
                    written.options.CopyFrom(split.wanted)
            case "setup":
                setup = written.setup
                options = setup.options if setup.HasField("options") else None
                start = setup.start_position if setup.HasField("start_position") else None
                begun = await rules.new(state.game, options, count, start, bytes(SEED_BYTES))
                if begun.HasField("options"):
                    setup.options.CopyFrom(begun.options)
                if begun.HasField("start_position"):
                    setup.start_position.CopyFrom(begun.start_position)
    except Refused as refused:
        if refused.reason in _UNREACHED:
            raise
        return proposal
    return written
