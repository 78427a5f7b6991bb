"""A viewing stays within its bounds, and changes only by those who may, whatever is asked of it."""

from hypothesis import given
from hypothesis import strategies as st

from brettwerk.internal.v1.session_pb2 import Caller
from brettwerk.v1 import errors_pb2, viewings_pb2
from services.runtime import limits
from services.runtime.refusal import Refused
from services.session.domain import bounds
from services.session.watch import viewings
from services.session.watch.viewings import Audience

NEWEST = 40
PLACES = [f"p{number}" for number in range(50)]
PEOPLE = {"p-ada": "Ada", "p-ben": "Ben", "p-cleo": "Cleo"}
AUDIENCE = Audience(3, frozenset(PEOPLE), PEOPLE)

_marks = st.builds(
    viewings_pb2.ViewingMark, place=st.sampled_from([*PLACES, "nowhere", ""]), to_place=st.sampled_from([*PLACES, "nowhere", ""])
)
_changes = st.one_of(
    st.builds(lambda version: {"version": version}, st.integers(0, NEWEST + 2)),
    st.builds(lambda player: {"presenter_id": player}, st.sampled_from([*PEOPLE, "p-nobody"])),
    st.builds(
        lambda player, draws: {"drawer": viewings_pb2.Drawer(player_id=player, draws=draws)},
        st.sampled_from([*PEOPLE, "p-nobody"]),
        st.booleans(),
    ),
    st.builds(lambda on: {"everybody_draws": on}, st.booleans()),
    st.builds(lambda mark: {"added_mark": mark}, _marks),
    st.builds(lambda mark: {"removed_mark": mark}, _marks),
    st.just({"no_marks": True}),
    st.just({}),
)


@given(st.lists(st.tuples(st.sampled_from([*PEOPLE]), _changes), max_size=150))
def test_a_viewing_stays_within_its_bounds_and_in_the_hands_of_its_presenter(wanted) -> None:
    made = viewings.begun("v", Caller(player_id="p-ada", name="Ada"), NEWEST)
    for player, change in wanted:
        before = made.SerializeToString(deterministic=True)
        presents, may_draw = player == made.presenter.player_id, viewings.may_draw(made, player)
        request = viewings_pb2.ChangeViewingRequest(session_id="s", viewing_id="v", **change)
        try:
            author = Caller(player_id=player, name=PEOPLE[player])
            viewings.change(made, request, author, AUDIENCE, newest=NEWEST, places=PLACES)
        except Refused as refused:
            assert made.SerializeToString(deterministic=True) == before
            if refused.reason == errors_pb2.REASON_VIEWING:
                assert not presents
        else:
            assert presents or (may_draw and set(change) <= {"added_mark", "removed_mark"})
        shown = viewings.shown(made, AUDIENCE)
        limits.check(shown)
        limits.check(made)
        assert 1 <= shown.version <= NEWEST
        assert shown.presenter.player_id in PEOPLE
        assert len(made.marks) <= bounds.VIEWING_MARKS_TOTAL
        assert all(one.place in PLACES and one.to_place in ("", *PLACES) for one in shown.marks)
