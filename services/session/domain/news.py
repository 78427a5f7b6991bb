"""The news of a commit, and its receivers. Pure.

News is for those who are not at the table: players who watch their seat see it there. It never says what was played.
"""

from collections.abc import Iterator

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2, record_pb2
from services.session.domain import clocks
from services.session.domain.ids import is_arranged
from services.session.domain.state import RUNNING, Offer, State


def news_of(
    before: State | None, state: State, present: int, ruled: record_pb2.ArbiterActed | None = None
) -> list[players_pb2.NotedNews]:
    """Return the news of a commit, none of practice, for people none of whose seats is watched now (`present`, as bits).

    `ruled`: what an arbiter has ruled with it.
    """
    if state.created.practice:
        return []
    if before is None:
        return list(_invitations(state))
    seats: dict[str, int] = {}
    for number, seat in enumerate(state.seats):
        if seat.is_person:
            seats.setdefault(seat.player_id, number)
    for number, seat in enumerate(state.seats):
        if present >> number & 1:
            seats.pop(seat.player_id, None)
    news: list[players_pb2.NotedNews] = []
    sat = before.players
    joined = sat if state.players - sat else frozenset[str]()
    for player, of_player in seats.items():
        own = [_noted(state, player, of_player, kind) for kind in _kinds(before, state, player, is_joined=player in joined)]
        ruling = [] if ruled is None or ruled.arbiter.player_id == player else [_of_ruling(state, player, of_player, ruled)]
        # Devices show the newest of a table: whose turn it is matters more than a ruling, and a ruling more than that it is over.
        news += [*own, *ruling] if state.is_over else [*ruling, *own]
    if before.offers or state.offers:
        news += _of_offers(before, state)
    return news


def offered_seats(before: State | None, state: State) -> list[players_pb2.OfferedSeat]:
    """Return the seats that a commit offers to everybody, as news for those who want to hear of them."""
    if not state.offers or before is None or not state.created.public or state.is_over:
        return []
    players = sorted({*state.gone, *(seat.player_id or seat.kept_for for seat in state.seats)} - {""})
    return [
        players_pb2.OfferedSeat(
            session_version=state.version,
            news=_noted(state, "", offer.seat, news_pb2.News.KIND_SEAT_OFFERED).news,
            players=players,
        )
        for offer in _new_offers(before, state)
    ]


def is_awaited(state: State, player: str) -> bool:
    """Return whether a table is waiting for a player: for a move, or for an answer to a proposal."""
    seats = {number for number, seat in enumerate(state.seats) if seat.player_id == player}
    is_asked = any(seats.intersection(proposal.waiting) for proposal in state.proposals)
    is_asked = is_asked or any(seats.intersection(offer.waiting) for offer in state.offers)
    return not state.is_over and (is_asked or _is_to_act(state, player))


def changed_vacation(before: State, state: State) -> set[str]:
    """Return those who have gone on vacation themselves, or come back early: they know how things stand at their table."""
    seats = zip(before.seats, state.seats, strict=True)
    changed = (new for old, new in seats if old.vacation_until_ms != new.vacation_until_ms and not new.vacation_automatic)
    return {seat.player_id for seat in changed} - {""}


def no_longer_invited(before: State, state: State) -> set[str]:
    """Return those to whom an invitation is no longer news: they have sat down or declined, or the table is over."""
    invited = {seat.kept_for for seat in before.seats if not seat.player_id} - {""}
    if not invited or (state.is_over and not before.is_over):
        return invited
    return invited - {seat.kept_for for seat in state.seats if not seat.player_id}


def _kinds(before: State, state: State, player: str, *, is_joined: bool) -> Iterator[news_pb2.News.Kind.ValueType]:
    """Yield the kinds of news of a commit for a player; `is_joined`: whether somebody else has sat down with them."""
    if state.is_over:
        if not before.is_over:
            yield news_pb2.News.KIND_GAME_OVER
        return
    if is_joined:
        yield news_pb2.News.KIND_SEAT_TAKEN
    asked = {proposal.id for proposal in before.proposals}
    seats = {number for number, seat in enumerate(state.seats) if seat.player_id == player}
    if any(proposal.id not in asked and seats.intersection(proposal.waiting) for proposal in state.proposals):
        yield news_pb2.News.KIND_PROPOSED
    if state.offers and any(seats.intersection(offer.waiting) for offer in _new_asks(before, state)):
        yield news_pb2.News.KIND_SUBSTITUTE_ASKED
    if any(state.seats[seat].vacation_automatic and not before.seats[seat].vacation_automatic for seat in seats):
        yield news_pb2.News.KIND_VACATION_BEGUN
    if any(state.seats[seat].nudged and not before.seats[seat].nudged for seat in seats):
        yield news_pb2.News.KIND_NUDGED
    if _is_to_act(state, player) and (not _is_to_act(before, player) or _had_to_wait(before, state, seats)):
        yield news_pb2.News.KIND_YOUR_TURN


def _had_to_wait(before: State, state: State, seats: set[int]) -> bool:
    """Return whether others were to act between two states: seats that had prepared their answers (conditional.py)."""
    if state.ply_count < before.ply_count + 2:
        return False
    return any(not any(to_act >> seat & 1 for seat in seats) for to_act in state.plies[2 * before.ply_count + 1 :: 2])


def _of_offers(before: State, state: State) -> Iterator[players_pb2.NotedNews]:
    """Yield the news for those who asked for a seat, and for those whose seat is offered because others have claimed it."""
    for offer in _new_offers(before, state):
        if offer.claimed:
            yield _noted(state, offer.player_id, offer.seat, news_pb2.News.KIND_SEAT_LOST)
    for offer in (*before.offers, *state.offers):
        player = state.seats[offer.seat].player_id
        if player and player != before.seats[offer.seat].player_id:
            yield _noted(state, player, offer.seat, news_pb2.News.KIND_SUBSTITUTED)
    for offer in before.offers:
        after = next((after for after in state.offers if after.seat == offer.seat), None)
        if offer.asker is not None and after is not None and after.asker is None and after.refused:
            yield _noted(state, offer.asker.player_id, offer.seat, news_pb2.News.KIND_SUBSTITUTE_REFUSED)


def _of_ruling(state: State, player: str, seat: int, ruled: record_pb2.ArbiterActed) -> players_pb2.NotedNews:
    noted = _noted(state, player, seat, news_pb2.News.KIND_RULED)
    noted.news.ruling.CopyFrom(ruled.ruling)
    return noted


def _new_offers(before: State, state: State) -> list[Offer]:
    """Return the offers of seats that have been made between two states."""
    return [offer for offer in state.offers if offer.player_id not in before.gone]


def _new_asks(before: State, state: State) -> list[Offer]:
    """Return the offers for which somebody has asked between two states."""
    former = {(offer.seat, offer.asked) for offer in before.offers}
    return [offer for offer in state.offers if offer.asker is not None and (offer.seat, offer.asked) not in former]


def _invitations(state: State) -> Iterator[players_pb2.NotedNews]:
    """Yield the news of a new table to those for whom a seat is kept there."""
    if is_arranged(state.created.creator.player_id):
        return  # the players service has brought them together, and notifies them
    notified = {state.created.creator.player_id, ""}
    for number, seat in enumerate(state.seats):
        if seat.kept_for not in notified:
            notified.add(seat.kept_for)
            yield _noted(state, seat.kept_for, number, news_pb2.News.KIND_INVITED)


def _noted(state: State, player: str, seat: int, kind: news_pb2.News.Kind.ValueType) -> players_pb2.NotedNews:
    is_turn = kind in (news_pb2.News.KIND_YOUR_TURN, news_pb2.News.KIND_NUDGED)
    seat = next((each for each in state.to_act if state.seats[each].player_id == player), seat) if is_turn else seat
    until_ms = clocks.seat_deadline_ms(state, seat) if is_turn and seat in clocks.running(state) else 0
    if kind == news_pb2.News.KIND_SUBSTITUTE_ASKED:
        until_ms = max(offer.until_ms for offer in state.offers)
    news = news_pb2.News(
        kind=kind,
        session_id=state.id,
        game=state.game,
        title=state.created.title,
        seat=seat,
        at_ms=state.at_ms,
        until_ms=until_ms,
    )
    return players_pb2.NotedNews(player_id=player, session_version=state.version, news=news)


def _is_to_act(state: State, player: str) -> bool:
    return state.status == RUNNING and any(state.seats[seat].player_id == player for seat in state.to_act)
