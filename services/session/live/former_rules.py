"""Steps of rules of release 0.1.0, which tell everybody, field by field. For as long as an upgrade takes."""

from brettwerk.v1 import rules_pb2, sessions_pb2
from services.session.domain.updates import audience


def in_pieces(step: rules_pb2.Step) -> rules_pb2.Step:
    """Return the step with pieces, as rules of this release answer: perspectives become pieces for everybody."""
    if not step.perspectives:
        return step
    spectators = len(step.perspectives) - 1
    for number, perspective in enumerate(step.perspectives):
        bit = 1 << audience(None if number == spectators else number)
        step.audiences |= bit
        happening = sessions_pb2.Happening(notation=perspective.notation, events=perspective.events)
        listed = sessions_pb2.Update(actions=perspective.actions, more_actions=perspective.more_actions)
        for pieces, message in (
            (step.view, sessions_pb2.Update(view=perspective.view)),
            (step.happening, happening),
            (step.actions, listed),
        ):
            pieces.add(audiences=bit, data=message.SerializeToString(deterministic=True))
    step.ClearField("perspectives")
    return step
