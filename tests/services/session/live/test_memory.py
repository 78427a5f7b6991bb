"""A process's memory of a session has an end."""

from brettwerk.internal.v1 import session_state_pb2
from services.session.domain.bounds import REQUESTS_BYTES, REQUESTS_KEPT
from services.session.live.memory import Memory


def remembered(answers: int, size: int = 1) -> list[int]:
    """Return which requests are remembered after so many that made a version each, numbered by it."""
    memory = Memory()
    for version in range(1, answers + 1):
        answer = session_state_pb2.StoredAnswer(answer=bytes(size))
        memory.note_answer(version, version.to_bytes(2, "big"), answer)
    return [version for version in range(1, answers + 1) if memory.answer(version.to_bytes(2, "big")) is not None]


def test_the_requests_of_the_last_versions_are_remembered_and_no_others() -> None:
    assert remembered(REQUESTS_KEPT) == list(range(1, REQUESTS_KEPT + 1))
    assert remembered(REQUESTS_KEPT + 6) == list(range(7, REQUESTS_KEPT + 7))


def test_large_answers_are_remembered_up_to_their_bytes_and_the_last_one_always() -> None:
    assert remembered(8, REQUESTS_BYTES // 4) == [6, 7, 8]
    assert remembered(8, REQUESTS_BYTES * 2) == [8]
