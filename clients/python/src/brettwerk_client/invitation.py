"""An invitation in the form of a challenge, so that a bot judges both alike."""

from brettwerk.v1 import opponents_pb2, sessions_pb2


def as_challenge(session: sessions_pb2.Session) -> opponents_pb2.Challenge | None:
    """Return the challenge that a table amounts to at which seats are kept; None if it keeps none, or does not wait any more.

    Those who sit there challenge. It has the id of the session, and none of a challenge.
    """
    kept = {seat.kept_for for seat in session.seats if seat.kept_for and not seat.HasField("occupant")}
    if not kept or session.state != sessions_pb2.Session.STATE_WAITING:
        return None
    occupants = [seat.occupant for seat in session.seats]
    people = [occupant.person for occupant in occupants if occupant.HasField("person")]
    challenge = opponents_pb2.Challenge(
        game=session.game,
        options=session.options if session.HasField("options") else None,
        clock=session.clock if session.HasField("clock") else None,
        competitive=session.competitive,
        computers=[occupant.computer for occupant in occupants if occupant.HasField("computer")],
        state=opponents_pb2.Challenge.STATE_OPEN,
        session_id=session.id,
        created_at_ms=session.created_at_ms,
    )
    for person in people[:1]:
        challenge.challenger.CopyFrom(opponents_pb2.RatedPlayer(player_id=person.player_id, name=person.name, bot=person.bot))
    if len(kept) == 1:
        challenge.challenged.player_id = kept.pop()
    return challenge
