"""Games whose outcomes contradict themselves, or the order in which seats went out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from brettwerk_games.rules.interface import Outcome
from brettwerk_games.rules.plateau import GAME as PLATEAU
from brettwerk_games.rules.ranking import ranked
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel, Position
from tests.brettwerk_games.rules.mutants.register import breaks, duel

Plateau: type[Any] = type(PLATEAU)
AGREE = "outcomes_agree"
ORDER = "places_follow_the_order_of_giving_up"


def _changed(position: Any, change: Callable[[Outcome], Outcome]) -> Outcome | None:
    outcome = PLATEAU.outcome(position)
    return None if outcome is None else change(outcome)


@breaks(AGREE, BlindDuel)
def outcome__gives_both_a_win(self: Any, position: Position) -> Outcome | None:
    outcome = duel.outcome(position)
    return outcome and replace(outcome, scores=(1.0, 1.0))


@breaks(AGREE, BlindDuel)
def outcome__names_no_winner(self: Any, position: Position) -> Outcome | None:
    outcome = duel.outcome(position)
    return outcome and replace(outcome, winners=())


@breaks(AGREE, BlindDuel)
def outcome__names_the_loser(self: Any, position: Position) -> Outcome | None:
    outcome = duel.outcome(position)
    return outcome and replace(outcome, winners=tuple(1 - seat for seat in outcome.winners))


@breaks(AGREE, BlindDuel)
def outcome__turns_places_round(self: Any, position: Position) -> Outcome | None:
    outcome = duel.outcome(position)
    return outcome and replace(outcome, places=tuple(reversed(outcome.places)))


@breaks(AGREE, BlindDuel)
def outcome__lets_both_win_a_draw(self: Any, position: Position) -> Outcome | None:
    outcome = duel.outcome(position)
    return outcome and replace(outcome, winners=outcome.winners or (0, 1))


@breaks(AGREE, BlindDuel)
def outcome__has_no_places(self: Any, position: Position) -> Outcome | None:
    outcome = duel.outcome(position)
    return outcome and replace(outcome, places=())


@breaks(AGREE, Plateau)
def outcome__counts_a_shared_place_once(self: Any, position: Any) -> Outcome | None:
    return _changed(
        position, lambda outcome: replace(outcome, places=tuple(sorted(set(outcome.places)).index(p) + 1 for p in outcome.places))
    )


@breaks(AGREE, Plateau)
def outcome__forgets_a_partner(self: Any, position: Any) -> Outcome | None:
    return _changed(position, lambda outcome: replace(outcome, winners=outcome.winners[:1]))


@breaks(AGREE, Plateau)
def outcome__forgets_the_sides(self: Any, position: Any) -> Outcome | None:
    return _changed(position, lambda outcome: replace(outcome, sides=()))


@breaks(AGREE, Plateau)
def outcome__calls_a_victory_of_partners_a_draw(self: Any, position: Any) -> Outcome | None:
    return _changed(position, lambda outcome: replace(outcome, winners=outcome.winners if len(outcome.winners) == 1 else ()))


@breaks(AGREE, Plateau)
def outcome__gives_the_second_place_a_share(self: Any, position: Any) -> Outcome | None:
    def changed(outcome: Outcome) -> Outcome:
        shares = [max(0, 3 - place) for place in outcome.places]
        return replace(outcome, scores=tuple(share / sum(shares) for share in shares))

    return _changed(position, changed)


@breaks(ORDER, Plateau)
def outcome__has_the_first_who_fell_second(self: Any, position: Any) -> Outcome | None:
    def changed(outcome: Outcome) -> Outcome:
        merits = [1 + len(outcome.places) if place == 1 else place for place in outcome.places]
        return ranked(merits, outcome.reason, outcome.rule, is_draw=not outcome.winners, sides=outcome.sides)

    return _changed(position, changed)


@breaks(ORDER, BlindDuel)
def outcome__lets_who_gives_up_win(self: Any, position: Position) -> Outcome | None:
    outcome = duel.outcome(position)
    if outcome is None or not outcome.winners:
        return outcome
    return ranked(outcome.places, outcome.reason, outcome.rule, is_draw=False)
