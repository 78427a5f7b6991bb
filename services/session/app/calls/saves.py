"""Saved games: exported, checked, opened again, and kept on the server.

A record of hidden things is sealed, and knows whose its seats are: only these players can open it, each in their own seat
(commands/creation.py; WEC-ONLINE-3, -4), and at one table at a time (continuations.py). How any other record continues
depends on whether its game is still being played here by somebody else, too. If so, it continues with its own chance, or a player
could look into the future of the game that they are playing. Otherwise a sealed record continues with the dice that it would have
had, until a person sits down who did not bring it: then chance is renewed (commands/seats.py).
"""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cryptography.fernet import Fernet
from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, sessions_pb2
from brettwerk_games.rules.chance import commitment
from services.archive.saved_games import Saved, SavedGames
from services.runtime.player_text import TITLE_BYTES, clean_text
from services.runtime.record_check import FORMAT, check_entry, check_format, check_game, of_record
from services.runtime.refusal import Refused, damaged, unknown
from services.runtime.seats import complete, make_former
from services.session.app.calls.calls import cursor_in, page_size
from services.session.domain import fair_play, records
from services.session.domain.commands import access
from services.session.domain.commands.creation import Save
from services.session.domain.ids import checked
from services.session.domain.perception import SPECTATOR, audience, last_shown, perceived
from services.session.domain.plies import Variation, check_variation, variation_of
from services.session.domain.state import State
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games, RulesClient
from services.sharding.shards import shard_if_any

_OF_RECORDS = (
    errors_pb2.REASON_UNAVAILABLE,
    errors_pb2.REASON_DEADLINE,
    errors_pb2.REASON_FULL,
    errors_pb2.REASON_NEWER,
    errors_pb2.REASON_RECORD_DAMAGED,
)
"""The refusals of a replay that already name the fault of a record, or do not concern it."""


@dataclass(eq=False, repr=False)
class Saves:
    """Exports, checks and opens records, and keeps them on the server. Raises Refused.

    A player saves for everybody who plays, so that nobody has a save that the others lack. If things are hidden, that goes for
    files, too: exporting one puts the same save into the others' lists (WEC-ONLINE-3).
    """

    _rebuilds: Rebuilds
    _rules: RulesClient
    _games: Games
    _seal: Fernet
    """Seals what the players of a running game may not know."""
    _saved: SavedGames
    _now_ms: Callable[[], int]
    _newer_runs: Callable[[], bool]
    """Whether a process of a newer release shares the work."""

    async def record(self, state: State, seat: int | None) -> tuple[record_pb2.Record, list[record_pb2.Entry]]:
        """Return a session as a record that anybody may have, and its log, which nobody may have.

        Spectators (no `seat`) get both only as far as they may be told of the game.
        """
        entries = (await self._rebuilds.entries(state.id))[: last_shown(state, audience(seat))]
        facts = await self._games.facts(state.game)
        if fair_play.shows_all(state, entries, hidden=facts.hidden):
            record = await asyncio.to_thread(records.full_record, state, entries)
        else:
            record = await asyncio.to_thread(records.running_record, state, entries, hidden=facts.hidden, seal=self._seal)
        return record, entries

    async def verify_session(self, request: play_pb2.VerifySessionRequest) -> Message:
        """Replay a session that is over, and return whether every step and roll is right."""
        state, _ = await self._rebuilds.state(checked(request.session_id))
        access.over(state)
        entries = await self._rebuilds.entries(state.id)
        packed = await asyncio.to_thread(lambda: records.full_record(state, entries).SerializeToString())
        return play_pb2.VerifySessionResponse(verification=await self._rules.verify(packed))

    async def check_record(self, request: play_pb2.CheckRecordRequest) -> Message:
        """Replay a record, and return whether every step and roll is right."""
        return await self.check(request.record.SerializeToString())

    async def check(self, packed_record: bytes) -> play_pb2.CheckRecordResponse:
        """Return the same about an encoded record."""
        return play_pb2.CheckRecordResponse(verification=await self._rules.verify(packed_record))

    async def read_text(self, request: play_pb2.ReadTextRequest) -> Message:
        """Return the record that the text of a game describes."""
        question = rules_pb2.ParseTextRequest(game=request.game, text=request.text)  # the text may name its game
        found = await self._rules.replay(self._rules.ask.ParseText, question)
        record = await asyncio.to_thread(records.text_record, found)
        await asyncio.to_thread(complete, record)
        return play_pb2.ReadTextResponse(record=record)

    async def _text(self, state: State, seat: int | None) -> str:
        """Return a session as a text, as a seat or spectators may have it. Raises Refused (STILL_RUNNING) if that must wait."""
        entries = (await self._rebuilds.entries(state.id))[: last_shown(state, audience(seat))]
        hidden = await self._games.hides(state.game)
        if hidden and not fair_play.shows_all(state, entries, hidden=hidden):
            raise Refused(
                errors_pb2.REASON_STILL_RUNNING, "what is hidden must stay hidden: the text is available once the game is over"
            )
        packed = (await asyncio.to_thread(variation_of, entries)).message().SerializeToString()
        question = rules_pb2.FormatTextRequest(game=state.game, seats=len(state.seats), packed_variation=packed)
        return (await self._rules.replay(self._rules.ask.FormatText, question)).text

    async def game_of(self, record: record_pb2.Record) -> str:
        """Return the session in which the game of a record with a sealed log began; empty for others. Raises Refused."""
        if record.entries or not record.sealed:
            return ""
        entries, _ = await self._unsealed(record)
        return fair_play.game_id(record.session_id, entries[0].created) if entries else ""

    async def open(self, record: record_pb2.Record, caller: session_pb2.Caller) -> Save:
        """Return the contents of a record.

        Raises Refused: RECORD_DAMAGED, NEWER, STILL_RUNNING, UNKNOWN for its game; NOT_YOUR_SEAT, if it hides anything, for
        anyone without a seat in it, before its game is replayed.
        """
        entries, secret = await self._unsealed(record)
        if not entries or entries[0].WhichOneof("change") != "created" or not entries[0].created.seats:
            raise damaged("the record has no beginning")
        created = entries[0].created
        await asyncio.to_thread(_check_log, record, entries)
        facts = await self._games.facts(created.game)
        variation = await asyncio.to_thread(variation_of, entries)
        saved_from = None
        # A log that is shown hides nothing, and neither does a game in which nothing was played.
        if facts.hidden and not record.entries and variation.plies:
            saved_from = record_pb2.SavedFrom(
                game_id=fair_play.game_id(record.session_id, created),
                session_id=record.session_id,
                version=entries[-1].version,
                held_by=fair_play.holders_of(entries),
            )
            if any(saved_from.held_by) and caller.player_id not in saved_from.held_by:
                raise Refused(
                    errors_pb2.REASON_NOT_YOUR_SEAT, "a saved game with hidden things is opened only by those who played it"
                )
        if saved_from is not None and is_shared(saved_from, caller.player_id):
            secret = b""  # whoever opens it may know the dice that derive from it
        elif secret and await self._is_played(record.session_id, caller):
            if facts.hidden:
                raise Refused(
                    errors_pb2.REASON_STILL_RUNNING, "the game is still being played here, and what is hidden must stay hidden"
                )
            secret = b""
        occupants, seed_contributions = await asyncio.to_thread(seats_of, entries)
        variation = await self._replay(record, created, variation)
        renewed = next((entry.chance_renewed for entry in entries if entry.WhichOneof("change") == "chance_renewed"), None)
        promised = created.commitment if renewed is None else renewed.commitment
        unfair = await self._is_unfair(record, entries, caller)
        # A secret that the game has not promised could have been chosen for its dice.
        if not secret or not variation.plies or commitment(secret) != promised:
            return Save(created, variation, occupants, saved_from=saved_from, without_help=unfair)
        # Once renewed, chance is the saved session's own, and no longer that of the game that it continued.
        chance_of = record.session_id if renewed is not None else created.chance_of or record.session_id
        return Save(created, variation, occupants, secret, chance_of, seed_contributions, saved_from, unfair)

    async def _unsealed(self, record: record_pb2.Record) -> tuple[list[record_pb2.Entry], bytes]:
        """Return the log of a record, and its secret if it has one. Raises Refused: RECORD_DAMAGED, and what its format is."""
        check_format(record, newer_runs=self._newer_runs())
        await asyncio.to_thread(make_former, record)
        if not record.sealed:
            return list(record.entries), b""
        sealed = await asyncio.to_thread(records.open_record, self._seal, record.sealed)
        shown_hash = await asyncio.to_thread(records.hash_entries, record.entries)
        if sealed.session_id != record.session_id or sealed.shown_hash != shown_hash:
            raise damaged("the record was changed after it was sealed")
        return list(record.entries) or list(sealed.entries), sealed.secret

    async def to_load(self, record: record_pb2.Record, caller: session_pb2.Caller, game: str, seats: int) -> record_pb2.Record:
        """Return a record that contains only the variation of another one, and the people who played it.

        Raises Refused: RECORD_DAMAGED if it is of another game or has not begun, STILL_RUNNING if it needs a table of its own.
        """
        save = await self.open(record, caller)
        if save.created.game != game or save.created.seats != seats:
            raise damaged(f"that is a game of {save.created.game} with {save.created.seats} seats")
        if not save.variation.plies:
            raise damaged("the saved game has not begun")
        if save.saved_from is not None and (is_shared(save.saved_from, caller.player_id) or save.created.competitive):
            message = "a saved game in which things are hidden is opened as a table of its own, where everybody has the own seat"
            raise Refused(errors_pb2.REASON_STILL_RUNNING, message)
        created = record_pb2.Created(
            game=game,
            seats=seats,
            options=save.variation.options,
            start_position=save.variation.start_position,
            variation=save.variation.plies,
        )
        persons = [
            record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=seat, occupant=occupant))
            for seat, occupant in enumerate(save.occupants)
            if occupant is not None and occupant.WhichOneof("kind") == "person"
        ]
        return record_pb2.Record(
            format=FORMAT,
            session_id=record.session_id,
            game=game,
            position_hash=record.position_hash,
            entries=[record_pb2.Entry(created=created), *persons],
        )

    async def _is_played(self, session_id: str, caller: session_pb2.Caller) -> bool:
        """Return whether the session is still being played here by anybody but the caller and computer players."""
        state = await self._rebuilds.live(session_id)
        if state is None or state.is_over:
            return False
        others = any(state.seats[seat].player_id != caller.player_id for seat in state.persons())
        return others or state.created.competitive or any(seat.kept_for not in ("", caller.player_id) for seat in state.seats)

    async def _is_unfair(
        self, record: record_pb2.Record, entries: Sequence[record_pb2.Entry], caller: session_pb2.Caller
    ) -> bool:
        """Return whether help would be unfair: others play the game without agreed help, and nothing says that it has ended."""
        if not fair_play.is_between_people(entries, caller.player_id) or record.HasField("outcome"):
            return False
        if shard_if_any(record.session_id) is None:
            return True  # no session has this id, so nothing says that the game has ended
        state = await self._rebuilds.live(record.session_id)
        return not state.is_over if state is not None else not await self._rebuilds.is_known(record.session_id)

    async def _replay(self, record: record_pb2.Record, created: record_pb2.Created, variation: Variation) -> Variation:
        """Return the variation as the rules write it, when it leads to the record's last position, or they can begin so."""
        check_variation(variation.plies, created.seats)
        try:
            step, variation = await self._rules.write_variation(created.game, created.seats, variation)
        except Refused as refused:
            refused = of_record(refused)
            if refused.reason in _OF_RECORDS:
                raise refused from None
            message = f"the rules do not follow the record: {refused.refusal.message}"
            raise damaged(message, refused.refusal.field) from refused
        if variation.plies and record.position_hash and hashlib.sha256(step.position.value).digest() != record.position_hash:
            raise damaged("the record's last position is another one")
        return variation

    async def save_session(self, request: play_pb2.SaveSessionRequest) -> Message:
        """Save a running game for everybody who plays in it, and return it. Raises Refused: UNKNOWN, NOT_RUNNING, FULL."""
        name = clean_text(request.name, "name", TITLE_BYTES, may_be_empty=True)
        state = await self._rebuilds.live(checked(request.session_id))
        if state is None:
            raise unknown("session", "session_id", request.session_id)
        seat = access.holder(state, request.seat_token)
        access.not_over(state)
        if not state.has_begun:
            raise Refused(errors_pb2.REASON_NOT_RUNNING, "there is nothing to save before the game has begun")
        record, entries = await self.record(state, seat)
        return play_pb2.SaveSessionResponse(saved=await self._keep(state, seat, record, entries, name))

    async def export_session(self, request: play_pb2.ExportSessionRequest) -> Message:
        """Return a session as a record or a text; that of a running game with hidden things appears in the others' lists, too."""
        state, archived = await self._rebuilds.state(checked(request.session_id))
        seat = None if archived else access.viewer(state, request.seat_token)
        if request.as_text:
            return play_pb2.ExportSessionResponse(text=await self._text(state, seat))
        record, entries = await self.record(state, seat)
        if seat is not None and state.has_begun and not state.is_over and await self._games.hides(state.game):
            await self._keep(state, seat, record, entries)
        await asyncio.to_thread(complete, record)
        return play_pb2.ExportSessionResponse(record=record)

    async def list_saves(self, request: play_pb2.ListSavesRequest, caller: session_pb2.Caller) -> Message:
        """Return a page of the caller's saved games, newest first."""
        before = cursor_in(request.page_token, "this list") if request.page_token else None
        size = page_size(request)
        rows = await self._saved.list_player(access.player(caller), game=request.game, limit=size, before=before)
        response = play_pb2.ListSavesResponse(saves=[play_pb2.SavedGame.FromString(row.summary) for row in rows])
        if len(rows) == size:
            response.next_page_token = str(rows[-1].cursor)
        return response

    async def delete_save(self, request: play_pb2.DeleteSaveRequest, caller: session_pb2.Caller) -> Message:
        """Take a saved game off the caller's list. Returns an empty answer."""
        await self._saved.forget(access.player(caller), request.save_id)
        return play_pb2.DeleteSaveResponse()

    async def find(self, save_id: str, player: str) -> record_pb2.Record:
        """Return the record of a saved game in a player's list. Raises Refused (UNKNOWN) for any other."""
        found = await self._saved.find(player, save_id)
        if found is None:
            raise unknown("save", "save_id", save_id)
        return await asyncio.to_thread(record_pb2.Record.FromString, found)

    async def _keep(
        self, state: State, seat: int, record: record_pb2.Record, entries: Sequence[record_pb2.Entry], name: str = ""
    ) -> play_pb2.SavedGame:
        """Keep a record for everybody who has a seat in it. Raises Refused (FULL) if it is too large."""
        holders = fair_play.holders_of(entries)
        occupant = state.seats[seat].occupant
        assert occupant is not None, "whoever has a seat's token sits there"
        saved = play_pb2.SavedGame(
            # As spectators count: a save must not reveal whether something was done unseen since the previous one.
            id=f"{state.id}.{perceived(state, SPECTATOR).version}",
            game=state.game,
            name=name,
            title=state.created.title,
            session_id=state.id,
            saved_at_ms=self._now_ms(),
            saved_by=occupant.person,
            seats=[sessions_pb2.Seat(occupant=each.occupant, kept_for=each.kept_for) for each in state.seats],
            held_by=["" if holder == fair_play.REPLACED else holder for holder in holders],
            competitive=state.created.competitive,
            bound=not record.entries,
        )
        kept = Saved(
            save_id=saved.id,
            session_id=state.id,
            game=state.game,
            saved_by=occupant.person.player_id,
            players=tuple(sorted({*holders, occupant.person.player_id} - {"", fair_play.REPLACED})),
            saved_at_ms=saved.saved_at_ms,
            summary=saved.SerializeToString(deterministic=True),
            record=await asyncio.to_thread(record.SerializeToString, deterministic=True),
        )
        if not await self._saved.keep(kept):
            raise Refused(errors_pb2.REASON_FULL, "the game is too long to be saved on the server", details={"bound": "save"})
        return saved


def is_shared(saved_from: record_pb2.SavedFrom, player: str) -> bool:
    """Return whether any seats of a saved game belong to other players."""
    return bool({*saved_from.held_by} - {"", player})


def _check_log(record: record_pb2.Record, entries: Sequence[record_pb2.Entry]) -> None:
    """Return if a log that begins with its creation is known here, and is of its record's game. Raises Refused."""
    check_game(record, entries[0].created)
    for entry in entries:
        check_entry(entry)
    records.check_seats(entries)


def seats_of(entries: Sequence[record_pb2.Entry]) -> tuple[tuple[record_pb2.Occupant | None, ...], tuple[bytes, ...]]:
    """Return who sat where at the end of a log, and the seats' seed contributions."""
    count = entries[0].created.seats
    occupants: list[record_pb2.Occupant | None] = [None] * count
    seed_contributions = [b""] * count
    has_started = False
    for entry in entries:
        match entry.WhichOneof("change"):
            case "started":
                has_started = True
            case "seat_changed":
                change = entry.seat_changed
                occupants[change.seat] = change.occupant if change.HasField("occupant") else None
                if not has_started:
                    seed_contributions[change.seat] = change.seed_contribution
            case "chance_renewed":
                seed_contributions[entry.chance_renewed.seat] = entry.chance_renewed.seed_contribution
            case "dealt":
                occupants = [occupants[origin] for origin in entry.dealt.order]
    return tuple(occupants), tuple(seed_contributions)
