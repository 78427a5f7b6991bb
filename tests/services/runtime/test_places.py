"""Winners and places that follow from the scores of games that ended in 0.1.0."""

import pytest

from brettwerk.v1 import games_pb2
from services.runtime.places import placed


@pytest.mark.parametrize(
    ("scores", "winners", "places"),
    [
        ([1, 0], [0], [1, 2]),
        ([0.5, 0.5], [], [1, 1]),
        ([0, 0, 1, 0, 0, 0], [2], [2, 2, 1, 2, 2, 2]),
        ([1 / 3, 0, 1 / 3, 1 / 3], [], [1, 4, 1, 1]),
        ([0.25] * 4, [], [1] * 4),
    ],
)
def test_the_best_score_alone_has_won_and_equal_scores_share_a_place(
    scores: list[float], winners: list[int], places: list[int]
) -> None:
    received = games_pb2.Outcome(scores=scores, rule="X-1", reason=games_pb2.Text(key="reason"))
    whole = placed(received)
    assert (list(whole.winners), list(whole.places)) == (winners, places)
    whole.ClearField("winners")
    whole.ClearField("places")
    assert whole == received


def test_an_outcome_that_has_places_stays_as_it_is() -> None:
    """Two partners have won: their scores would make it a draw."""
    received = games_pb2.Outcome(scores=[0.5, 0, 0.5, 0], winners=[0, 2], places=[1, 3, 1, 3])
    assert placed(received) == games_pb2.Outcome(scores=[0.5, 0, 0.5, 0], winners=[0, 2], places=[1, 3, 1, 3])
    assert placed(games_pb2.Outcome()) == games_pb2.Outcome()
