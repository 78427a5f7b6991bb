"""The talk at a table: each line once, whatever connections do."""

from collections.abc import Mapping, Sequence

from brettwerk.v1 import play_pb2, talk_pb2

PHRASE = "phrase."
"""Begins the keys of quick phrases in a game's catalogue."""


def phrases_in(catalogue: Mapping[str, str], game_phrases: Sequence[str]) -> dict[str, str]:
    """Return the quick phrases of a game by their ids, in the language of its catalogue."""
    return {phrase: catalogue.get(PHRASE + phrase, phrase) for phrase in game_phrases}


def saying(session_id: str, seat_token: str, text: str, phrase: str, to_seat: int | None) -> talk_pb2.SayRequest:
    """Return the request to say words or a phrase, to all or to one seat alone."""
    return talk_pb2.SayRequest(session_id=session_id, seat_token=seat_token, text=text, phrase=phrase, listener_seat=to_seat)


class TalkProgress:
    """How far such a watch has come."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def request(self, session_id: str, seat_token: str) -> play_pb2.WatchRequest:
        """Return the request for all that is kept, and what follows."""
        return play_pb2.WatchRequest(session_id=session_id, seat_token=seat_token, with_talk=True)

    def take(self, message: play_pb2.WatchResponse) -> Sequence[talk_pb2.TalkLine]:
        """Return the lines in a message that are new, oldest first."""
        if message.WhichOneof("kind") != "talk":
            return ()
        new = [line for line in message.talk.lines if line.id not in self._known]
        if message.talk.whole:  # what is kept no longer never comes again
            self._known = {line.id for line in message.talk.lines}
        self._known.update(line.id for line in new)
        return new
