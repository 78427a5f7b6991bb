"""Challenges: one player asks another for a game, who accepts or declines."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.internal.v1 import players_pb2, session_pb2
from brettwerk.v1 import errors_pb2, news_pb2, opponents_pb2
from services.archive.access import Access
from services.players.accounts import restrictions, rows
from services.players.calls import Answered, Caller, Handler
from services.players.game_data import require_game
from services.players.news import backlog, feed
from services.players.opponents import blocks, challenge_rows, player_search, session_orders
from services.players.opponents.arrangement import Sitter, asked, lot, seated
from services.players.opponents.challenge_rows import ACCEPTED, DECLINED, EXPIRED, OPEN, WITHDRAWN
from services.players.opponents.session_orders import Maker
from services.players.opponents.sessions import Sessions
from services.players.request_ids import derived_id
from services.runtime import metrics
from services.runtime.refusal import Refused, listed, malformed, unknown
from services.runtime.seats import make_former, seat_in
from services.runtime.wall_clock import wall_ms

GOOD_FOR_MS = 2 * 86_400_000
"""How long a challenge can be answered."""
MAX_SENT, MAX_RECEIVED = 20, 50
"""Open challenges by a player, and to a player."""
_ANSWERED, _WITHDRAWN = news_pb2.News.KIND_CHALLENGE_ANSWERED, news_pb2.News.KIND_CHALLENGE_WITHDRAWN


class Challenges:
    """The calls about challenges. Raises Refused."""

    def __init__(
        self,
        store: Access,
        sessions: Sessions,
        make: Maker,
        wake: Callable[[dict[str, int]], None],
        now_ms: Callable[[], int] = wall_ms,
    ) -> None:
        """`make` creates the session of an order; `wake` takes the players who have news, with their newest versions."""
        self._store = store
        self._sessions = sessions
        self._make = make
        self._wake = wake
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "challenge_player": self.challenge,
            "answer_challenge": self.answer,
            "withdraw_challenge": self.withdraw,
            "list_challenges": self.list_own,
        }

    async def challenge(self, request: opponents_pb2.ChallengePlayerRequest, caller: Caller) -> Answered:
        """Challenge a player, or find the challenge of an equal request; return it.

        The session service judges what the game is to be like. Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN, FULL,
        REQUEST_ID_REUSED, PROPOSAL between players of whom one has blocked the other, and what the session service refuses.
        """
        caller.require_player()
        challenge_id = derived_id("challenge", caller.player_id, request.request_id)
        require_game(request.game)
        # Asked outside the transaction, which must not wait for another service; a repeat is not judged again.
        known = await self._store.run(partial(challenge_rows.find, challenge_id=challenge_id))
        if known is None:
            await self._check_game(request, challenge_id)

        def write(connection: Connection) -> tuple[opponents_pb2.Challenge, dict[str, int]]:
            rows.own(connection, caller)
            if (row := challenge_rows.find(connection, challenge_id)) is not None:
                if row.request != request.SerializeToString(deterministic=True):
                    raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another challenge")
                return challenge_rows.described(connection, [row], self._now_ms())[0], {}
            heads = self._add(connection, request, caller, challenge_id)
            found = challenge_rows.find(connection, challenge_id)
            assert found is not None
            return challenge_rows.described(connection, [found], self._now_ms())[0], heads

        made, heads = await self._store.run(write)
        self._wake(heads)
        return Answered(opponents_pb2.ChallengePlayerResponse(challenge=made))

    async def answer(self, request: opponents_pb2.AnswerChallengeRequest, caller: Caller) -> Answered:
        """Accept or decline; return the challenge.

        The session of an accepted one is created at once, or as soon as that is possible. Raises Refused: NO_TOKEN, UNKNOWN for
        a challenge to somebody else, PROPOSAL for one that has ended or between blocked players.
        """
        caller.require_player()
        now_ms = self._now_ms()
        wanted = ACCEPTED if request.accept else DECLINED

        def write(connection: Connection) -> dict[str, int]:
            rows.own(connection, caller)
            row = challenge_rows.find(connection, request.challenge_id)
            if row is None or row.challenged_id != caller.player_id:
                raise unknown("challenge", "challenge_id", request.challenge_id)
            # A repeat of the same answer: it was noted, and its news were sent, the first time.
            if row.state == wanted:
                return {}
            if row.state == OPEN and row.expires_at_ms <= now_ms:
                raise _ended(EXPIRED)
            if request.accept:
                _check_blocks(connection, row.player_id, row.challenged_id)
            changes = {"arrangement_id": row.challenge_id} if request.accept else {"decline_reason": request.decline_reason}
            if not challenge_rows.end(connection, row.challenge_id, wanted, now_ms, **changes):
                raise _ended(row.state)
            metrics.CHALLENGES.labels(row.game, "accepted" if request.accept else "declined").inc()
            backlog.challenge_handled(connection, caller.player_id, row.challenge_id)
            if not request.accept:
                return feed.note(connection, [challenge_rows.news(row, _ANSWERED, now_ms)])
            session_orders.order(connection, session_orders.CHALLENGE, _session_of(row), now_ms)
            return {}

        self._wake(await self._store.run(write))
        if request.accept:
            await self._make(request.challenge_id, caller.address)
        return Answered(opponents_pb2.AnswerChallengeResponse(challenge=await self._found(request.challenge_id)))

    async def withdraw(self, request: opponents_pb2.WithdrawChallengeRequest, caller: Caller) -> Answered:
        """Take a challenge back, and return it.

        Raises Refused: NO_TOKEN, UNKNOWN for another's challenge, PROPOSAL once it has ended.
        """
        caller.require_player()
        now_ms = self._now_ms()

        def write(connection: Connection) -> dict[str, int]:
            rows.own(connection, caller)
            row = challenge_rows.find(connection, request.challenge_id)
            if row is None or row.player_id != caller.player_id:
                raise unknown("challenge", "challenge_id", request.challenge_id)
            if row.state == WITHDRAWN:
                return {}
            if not challenge_rows.end(connection, row.challenge_id, WITHDRAWN, now_ms):
                raise _ended(row.state)
            metrics.CHALLENGES.labels(row.game, "withdrawn").inc()
            return feed.note(connection, [challenge_rows.news(row, _WITHDRAWN, now_ms)])

        self._wake(await self._store.run(write))
        return Answered(opponents_pb2.WithdrawChallengeResponse(challenge=await self._found(request.challenge_id)))

    async def list_own(self, request: opponents_pb2.ListChallengesRequest, caller: Caller) -> Answered:
        """Return the challenges to the caller, and those of the caller. Raises Refused (NO_TOKEN)."""
        caller.require_player()
        now_ms = self._now_ms()

        def read(connection: Connection) -> opponents_pb2.ListChallengesResponse:
            rows.own(connection, caller)
            received, sent = (
                challenge_rows.described(connection, challenge_rows.listed(connection, column, caller.player_id, now_ms), now_ms)
                for column in ("challenged_id", "player_id")
            )
            return opponents_pb2.ListChallengesResponse(received=received, sent=sent)

        return Answered(await self._store.run(read))

    async def expire(self) -> None:
        """End the challenges whose time is over, and forget those that are shown no more."""
        now_ms = self._now_ms()

        def write(connection: Connection) -> dict[str, int]:
            noted = []
            for row in challenge_rows.overdue(connection, now_ms):
                if challenge_rows.end(connection, row.challenge_id, EXPIRED, now_ms):
                    metrics.CHALLENGES.labels(row.game, "expired").inc()
                    noted += [challenge_rows.news(row, kind, now_ms) for kind in (_ANSWERED, _WITHDRAWN)]
            challenge_rows.forget_old(connection, now_ms)
            return feed.note(connection, noted)

        self._wake(await self._store.run(write))

    def announce(self, connection: Connection, arrangement_id: str, session_id: str) -> list[players_pb2.NotedNews]:
        """Return the news of an accepted challenge, with its session where there can be one (Announce in session_orders.py)."""
        row = challenge_rows.find(connection, arrangement_id)
        return [] if row is None else [challenge_rows.news(row, _ANSWERED, self._now_ms(), session_id)]

    async def _check_game(self, request: opponents_pb2.ChallengePlayerRequest, challenge_id: str) -> None:
        seat = seat_in(request, "chosen_seat") or 0
        try:
            sitters = seated("challenger", "challenged", seat, request.computers)
        except ValueError:
            there = listed(range(2 + len(request.computers)))
            raise malformed("chosen_seat", f"there is no seat {seat}; there are: {there}") from None
        checked = _asked(challenge_id, request, sitters)
        checked.only_checks = True
        await self._sessions.arrange(checked)

    def _add(
        self, connection: Connection, request: opponents_pb2.ChallengePlayerRequest, caller: Caller, challenge_id: str
    ) -> dict[str, int]:
        now_ms = self._now_ms()
        make_former(request)  # it is stored as processes of 1.0 read it
        other = player_search.one(connection, request.player_id, request.name)
        if other.player_id == caller.player_id:
            raise malformed("player_id", "players cannot challenge themselves")
        _check_blocks(connection, caller.player_id, other.player_id)
        if restrictions.suspended(connection, [other.player_id], now_ms):
            raise unknown("player", "player_id", other.player_id)
        # It takes the place of an earlier one about the same game: a player has one open challenge to another in each game.
        noted = [
            challenge_rows.news(row, _WITHDRAWN, now_ms)
            for row in challenge_rows.alike(connection, caller.player_id, other.player_id, request.game)
            if challenge_rows.end(connection, row.challenge_id, WITHDRAWN, now_ms)
        ]
        _check_room(connection, "player_id", caller.player_id, MAX_SENT, "challenges_sent")
        _check_room(connection, "challenged_id", other.player_id, MAX_RECEIVED, "challenges_received")
        challenge_rows.add(
            connection,
            {
                "challenge_id": challenge_id,
                "player_id": caller.player_id,
                "name": caller.name,
                "challenged_id": other.player_id,
                "challenged_name": other.name,
                "game": request.game,
                "request": request.SerializeToString(deterministic=True),
                "state": OPEN,
                "created_at_ms": now_ms,
                "expires_at_ms": now_ms + GOOD_FOR_MS,
            },
        )
        metrics.CHALLENGES.labels(request.game, "made").inc()
        made = challenge_rows.find(connection, challenge_id)
        assert made is not None
        return feed.note(connection, [*noted, challenge_rows.news(made, news_pb2.News.KIND_CHALLENGED, now_ms)])

    async def _found(self, challenge_id: str) -> opponents_pb2.Challenge:
        def read(connection: Connection) -> opponents_pb2.Challenge:
            row = challenge_rows.find(connection, challenge_id)
            if row is None:
                raise unknown("challenge", "challenge_id", challenge_id)
            return challenge_rows.described(connection, [row], self._now_ms())[0]

        return await self._store.run(read)


def _check_blocks(connection: Connection, one: str, other: str) -> None:
    """Check that neither of two has blocked the other. Raises Refused (PROPOSAL)."""
    if blocks.among(connection, [one, other]):
        message = "these players take no challenges of each other's"
        raise Refused(errors_pb2.REASON_PROPOSAL, message, details={"challenge": "blocked"})


def _session_of(row: Row[Any]) -> session_pb2.ArrangeSessionRequest:
    request = opponents_pb2.ChallengePlayerRequest.FromString(row.request)
    count = 2 + len(request.computers)
    chosen = seat_in(request, "chosen_seat")
    seat = lot(row.challenge_id, count) if chosen is None else chosen
    return _asked(row.challenge_id, request, seated(row.player_id, row.challenged_id, seat, request.computers))


def _asked(
    challenge_id: str, request: opponents_pb2.ChallengePlayerRequest, sitters: Sequence[Sitter]
) -> session_pb2.ArrangeSessionRequest:
    return asked(
        challenge_id,
        request.game,
        sitters,
        options=request.options if request.HasField("options") else None,
        clock=request.clock if request.clock.kind else None,
        competitive=request.competitive,
    )


def _check_room(connection: Connection, column: str, player_id: str, most: int, bound: str) -> None:
    if challenge_rows.count_open(connection, column, player_id) >= most:
        raise Refused(errors_pb2.REASON_FULL, f"at most {most} challenges can be open", details={"bound": bound})


def _ended(state: int) -> Refused:
    name = opponents_pb2.Challenge.State.Name(state).removeprefix("STATE_").lower()  # type: ignore[arg-type]
    return Refused(errors_pb2.REASON_PROPOSAL, f"the challenge is {name}", details={"challenge": name})
