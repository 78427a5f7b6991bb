"""Nobody can tell how many unseen actions there were, of which kind, or when (WEC-RUL-53). BRETTWERK_PAIRS: how many pairs."""

import os
from itertools import count, islice
from typing import Any, TypeAlias

import pytest

from brettwerk_games.rules.emperado import GAME as EMPERADO
from brettwerk_games.rules.wec import GAME, disclosure, rules
from brettwerk_games.rules.wec.actions import Acted
from services.session.domain import perception, updates
from services.session.domain.fold import fold
from services.session.domain.perception import in_log, newest, number_of, perceived, plies_in_log
from services.session.domain.state import State, replace
from tests.night import examples
from tests.services.session import rhythm

Pairs: TypeAlias = list[tuple[rhythm.Played, rhythm.Played]]

PAIRS = int(os.environ.get("BRETTWERK_PAIRS", "0"))
PARTS = 20
"""Parts in which they are looked at, each of them short."""
FEW = examples(80)
"""Pairs that all tests look at, and among which each leak has to be found."""


@pytest.fixture(autouse=True)
def every_update_is_plain() -> None:
    """Here updates are spoilt on purpose."""


@pytest.fixture(scope="module")
def alike() -> Pairs:
    return list(islice(rhythm.pairs(count()), FEW))


def test_games_that_differ_in_unseen_actions_are_shown_alike(alike: Pairs) -> None:
    for here, there in alike:
        assert here.received == there.received, f"eye {here.eye} can tell them apart"
    assert any(here.state.version != there.state.version for here, there in alike)


@pytest.mark.parametrize("part", range(PARTS))
def test_many_games_that_differ_in_unseen_actions_are_shown_alike(part: int) -> None:
    assert rhythm.compare(PAIRS // PARTS, count(part, PARTS)) >= PAIRS // PARTS // 100


def test_an_audience_counts_what_it_perceives_without_holes(alike: Pairs) -> None:
    for here, _ in alike:
        first, last = (rhythm.update_of(here.received[at]) for at in (0, -1))
        received = [rhythm.update_of(message) for message in here.received]
        assert [update.version for update in received] == list(range(first.version, last.version + 1))
        plies = [update.happening.ply for update in received if update.happening.ply]
        assert plies == list(range(1, len(plies) + 1))
        state = here.state
        assert last.version == perceived(state, here.audience).version == number_of(state, here.audience, state.version)
        for version in range(1, last.version + 1):
            assert number_of(state, here.audience, in_log(state, here.audience, version)) == version
        assert in_log(state, here.audience, last.version) == newest(state, here.audience) <= state.version
        assert plies_in_log(state, here.audience, perceived(state, here.audience).ply_count) == state.ply_count


def test_numbers_outlive_being_stored(alike: Pairs) -> None:
    here, _ = next(pair for pair in alike if perceived(pair[0].state, pair[0].audience) is not pair[0].state)
    stored = State.decode(here.state.encode())
    assert (stored.unperceived, stored.unaware) == (here.state.unperceived, here.state.unaware)
    assert perceived(stored, here.audience).version < stored.version


def test_numbers_are_the_logs_where_actions_are_never_hidden_and_before_that_was_known(alike: Pairs) -> None:
    assert not EMPERADO.facts.hides_actions
    here, _ = next(pair for pair in alike if perceived(pair[0].state, pair[0].audience) is not pair[0].state)
    before = replace(here.state, unperceived=(), unaware=b"")
    assert perceived(before, here.audience) is before


def unaware_of_nothing(before: Any, step: Any) -> tuple[int | None, ...]:
    return ()


def unaware_of_moves(before: Any, step: Any) -> tuple[int | None, ...]:
    first = step.events[0]
    return disclosure.unaware(before, step) if isinstance(first, Acted) and max(first.texts, key=len).startswith("MV") else ()


def unaware_of_all_but_moves(before: Any, step: Any) -> tuple[int | None, ...]:
    return () if unaware_of_moves(before, step) else disclosure.unaware(before, step)


def unaware_once_a_turn(before: Any, step: Any) -> tuple[int | None, ...]:
    return () if before.turn.items else disclosure.unaware(before, step)


def unaware_as_seats_only(before: Any, step: Any) -> tuple[int | None, ...]:
    return tuple(seat for seat in disclosure.unaware(before, step) if seat is not None)


def of_numbers(**wrong: Any) -> Any:
    def spoilt(state: State, number: int) -> State:
        return replace(perceived(state, number), **{name: value(state) for name, value in wrong.items()})

    return spoilt


def lapsed(state: State) -> Any:
    last = state.unperceived[-1].version if state.unperceived else 0
    return tuple(proposal for proposal in perceived(state, perception.SPECTATOR).proposals if proposal.version > last)


CLOCKS, MESSAGES, READ_BY = updates._clocks, updates._messages, rules.read_by


def seconds(state: State) -> bytes:
    return CLOCKS(
        replace(state, seats=tuple(replace(seat, left_ms=seat.left_ms + len(state.unperceived)) for seat in state.seats))
    )


def moments(state: State, *rest: Any) -> Any:
    return MESSAGES(replace(state, at_ms=state.at_ms + len(state.unperceived)), *rest)


def ends_of_turns(step: Any, seat: int | None) -> str:
    text = READ_BY(step, seat)
    return text + "." * step.position.history[-1].full.count(",") if text == "END" else text


def sizes(state: State, *rest: Any) -> Any:
    return {message + b"\0" * len(state.unperceived): received for message, received in MESSAGES(state, *rest).items()}


def lasting_proposals(*arguments: Any) -> State:
    after = FOLD(*arguments)
    return replace(after, proposals=()) if after.unperceived and after.unperceived[-1].version == after.version else after


FOLD = fold

LEAKS: list[tuple[Any, str, Any]] = [
    (type(GAME), "unaware", staticmethod(unaware_of_nothing)),
    (type(GAME), "unaware", staticmethod(unaware_of_moves)),
    (type(GAME), "unaware", staticmethod(unaware_of_all_but_moves)),
    (type(GAME), "unaware", staticmethod(unaware_once_a_turn)),
    (type(GAME), "unaware", staticmethod(unaware_as_seats_only)),
    (type(GAME), "read_by", staticmethod(ends_of_turns)),
    (updates, "perceived", of_numbers(version=lambda state: state.version)),
    (updates, "perceived", of_numbers(position_version=lambda state: state.position_version)),
    (updates, "perceived", of_numbers(plies=lambda state: state.plies)),
    (updates, "perceived", of_numbers(proposals=lambda state: state.proposals)),
    (updates, "perceived", of_numbers(proposals=lapsed)),
    (perception, "_positioned", lambda state, bit: state.position_version),
    (updates, "unaware", lambda state: 0),
    (updates, "_clocks", seconds),
    (updates, "_messages", moments),
    (updates, "_messages", sizes),
    (rhythm, "fold", lasting_proposals),
]


@pytest.mark.parametrize(("where", "name", "leak"), LEAKS)
def test_a_planted_leak_of_the_rhythm_is_found(
    where: Any, name: str, leak: Any, alike: Pairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)
    assert any(_differs(*pair) for pair in alike)


def _differs(here: rhythm.Played, there: rhythm.Played) -> bool:
    try:
        return rhythm.again(here).received != rhythm.again(there).received
    except StopIteration:  # a proposal was withdrawn that had lapsed
        return True
