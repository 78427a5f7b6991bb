"""Consequences (full tables start, agreements are carried out, computers offer draws), and the seeds of their plies."""

from brettwerk.v1 import games_pb2, record_pb2
from brettwerk_games.rules.chance import deal_seed, step_seed
from services.session.domain import arbiters, substitutes
from services.session.domain.plies import Variation, irrevocable_plies, options_and_start
from services.session.domain.state import PAUSED, RUNNING, SETTLING, WAITING, State


def next_effect(state: State) -> record_pb2.Entry | None:
    """Return the entry that must follow now, or None."""
    if state.agreed is not None:
        return effect(state, state.agreed)
    if state.forfeits:
        return system_entry(state, games_pb2.SystemAction(resign=state.forfeits[0]), arbiters.ARBITER)
    if state.status == WAITING and all(seat.occupant is not None for seat in state.seats):
        seed = b"" if state.created.variation else setup_seed(state)
        return record_pb2.Entry(started=record_pb2.Started(seed=seed))
    if state.created.tells_seats and state.status in (RUNNING, PAUSED) and state.announced_computers != state.computers + 1:
        return system_entry(state, games_pb2.SystemAction(computers=state.computers))
    if state.offers and not state.is_over and (seated := substitutes.agreed(state)) is not None:
        return seated
    return _offer(state)


def effect(state: State, proposal: record_pb2.Proposal) -> record_pb2.Entry:
    """Return the entry that carries a proposal out."""
    if state.status == SETTLING:
        return record_pb2.Entry(settled=_settled(state, proposal))
    match proposal.WhichOneof("kind"):
        case "draw":
            return system_entry(state, games_pb2.SystemAction(draw=True))
        case "options":
            return system_entry(state, games_pb2.SystemAction(options=proposal.options))
        case "undo_to_plies":
            return record_pb2.Entry(undone=record_pb2.Undone(plies=proposal.undo_to_plies, seat=proposal.seat + 1))
        case "help":
            return record_pb2.Entry(help_agreed=record_pb2.HelpAgreed(agreed=proposal.help, seat=proposal.seat))
        case "load":
            return record_pb2.Entry(loaded=Variation.of(proposal.load.entries[0].created).message())
        case _:
            return record_pb2.Entry(paused=record_pb2.Paused(paused=proposal.pause))


def _offer(state: State) -> record_pb2.Entry | None:
    """Return a computer player's draw offer in the position just reached, or None.

    Every person in the game is asked, and may simply play on: then the offer lapses. If no person plays, the draw is agreed.
    """
    votes = state.draw_votes
    if votes is None or state.status != RUNNING or state.version != state.position_version:
        return None
    seat = next((n for n, seat in enumerate(state.seats) if seat.is_computer and votes.offering >> n & 1), None)
    others = [n for n in range(len(state.seats)) if n != seat and not votes.silent >> n & 1]
    asked = [n for n in others if state.seats[n].is_person]
    agreeing = [n for n in others if state.seats[n].is_computer and votes.agreeing >> n & 1]
    if seat is None or len(asked) + len(agreeing) < len(others):
        return None
    if not asked:
        return system_entry(state, games_pb2.SystemAction(draw=True))
    proposal = record_pb2.Proposal(id=state.proposals_made + 1, seat=seat, version=state.version + 1, draw=True, waiting=asked)
    return record_pb2.Entry(proposed=record_pb2.Proposed(proposal=proposal))


def _settled(state: State, proposal: record_pb2.Proposal) -> record_pb2.Settled:
    match proposal.WhichOneof("kind"):
        case "load":
            created = proposal.load.entries[0].created
            options, start = options_and_start(created)
            held_by = [""] * created.seats
            for entry in proposal.load.entries[1:]:
                held_by[entry.seat_changed.seat] = entry.seat_changed.occupant.person.player_id
            return record_pb2.Settled(options=options, start_position=start, variation=created.variation, held_by=held_by)
        case "setup":
            options, start = options_and_start(proposal.setup)
            return record_pb2.Settled(options=options, start_position=start)
        case _:
            _, start = options_and_start(state.created)
            return record_pb2.Settled(options=proposal.options, start_position=start, keeps_own=True)


def system_entry(
    state: State,
    system_action: games_pb2.SystemAction,
    cause: record_pb2.Acted.Cause.ValueType = record_pb2.Acted.CAUSE_UNSPECIFIED,
) -> record_pb2.Entry:
    """Return the entry of a system action."""
    ply = next_ply(state)
    ply.system_action.CopyFrom(system_action)
    return record_pb2.Entry(acted=record_pb2.Acted(ply=ply, cause=cause))


def setup_seed(state: State) -> bytes:
    """Return the seed of the set-up: ply 0."""
    return step_seed(state.secret, state.chance_id, 0, state.seed_contributions)


def seats_seed(state: State) -> bytes:
    """Return the seed by which the seats are assigned before the start."""
    return deal_seed(state.secret, state.id, state.seed_contributions)


def next_ply(state: State) -> record_pb2.Ply:
    """Return the next ply with only its seed.

    The seed depends on the ply's number, so that undo never rolls new dice; if seeds are held, on the number of the first ply
    that can still be taken back, so that playing something else in between rolls no new dice either.
    """
    held = state.created.holds_seeds
    number = (irrevocable_plies(state) if held else state.ply_count) + 1
    return record_pb2.Ply(seed=step_seed(state.secret, state.chance_id, number, state.seed_contributions), held=held)
