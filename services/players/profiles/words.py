"""The words of the tables in the contract's: results and kinds of play, and back.

A newer release that runs on the same tables during an upgrade may have written others: whatever is read is asked for by these.
"""

from brettwerk.v1 import profiles_pb2 as pb
from services.players.results.rating_kind import APART_MANY, APART_TWO, ARENA_MANY, ARENA_TWO, MANY, TWO
from services.players.results.summary import ABANDONED, DRAWN, LOST, UNFINISHED, WON

RESULT = {
    WON: pb.GAME_RESULT_WON,
    LOST: pb.GAME_RESULT_LOST,
    DRAWN: pb.GAME_RESULT_DRAWN,
    ABANDONED: pb.GAME_RESULT_ABANDONED,
    UNFINISHED: pb.GAME_RESULT_UNFINISHED,
}
STORED_RESULT = {number: word for word, number in RESULT.items()}
KIND = {
    TWO: pb.PLAY_KIND_TWO,
    MANY: pb.PLAY_KIND_MANY,
    ARENA_TWO: pb.PLAY_KIND_ARENA_TWO,
    ARENA_MANY: pb.PLAY_KIND_ARENA_MANY,
    APART_TWO: pb.PLAY_KIND_APART_TWO,
    APART_MANY: pb.PLAY_KIND_APART_MANY,
}
STORED_KIND = {number: word for word, number in KIND.items()}
