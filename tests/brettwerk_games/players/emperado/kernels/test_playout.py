"""Games that look ahead: they pay and fight as the rules have it, and more armies and cards are worth more in the end."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.emperado import battles
from brettwerk_games.players.emperado.contest import Contest
from brettwerk_games.players.emperado.kernels.evaluation import Evaluation
from brettwerk_games.players.emperado.kernels.luck import EvenLuck, Luck
from brettwerk_games.players.emperado.kernels.playout import Playout
from brettwerk_games.players.emperado.mind import Mind
from brettwerk_games.players.emperado.sheet import OWNERS, Sheet, floats
from brettwerk_games.players.emperado.style import STRONG
from brettwerk_games.rules.emperado.chances import throw_chances
from brettwerk_games.rules.emperado.options import Luck as LuckOption
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.world import CONTINENTS, WORLD
from tests.night import examples

PEACEFUL = STRONG._replace(land=-1e6, rich_land=-1e6, duel_rich_land=-1e6)


def held(seen: Sheet) -> list[int]:
    """Return the armies of each owner."""
    return [sum(seen.armies[i] for i in range(WORLD) if seen.owners[i] == owner) for owner in range(OWNERS)]


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(2, 6), st.data(), st.sampled_from([-5, 0, 12]))
def test_a_round_without_attacks_pays_what_the_rules_pay(seats: int, data: st.DataObject, handicap: int) -> None:
    """EMP-REINF: against games that are proved equal to the rules. Whole continents belong to seats."""
    owners = data.draw(st.lists(st.integers(0, seats - 1), min_size=len(CONTINENTS), max_size=len(CONTINENTS)))
    kinds = (True, False, True, False, True, False)
    contest = Contest([PEACEFUL] * seats, 1, Options(computers=kinds, country_handicap=handicap))
    seen = contest.sheet
    for k, continent in enumerate(CONTINENTS):
        for number, country in enumerate(continent.countries):
            # Of every third continent one country is another's, and every seat has one somewhere.
            seen.owners[country] = (owners[k] + (number == 0 and k % 3 == 0)) % seats
    for seat in range(seats):
        seen.owners[CONTINENTS[0].countries[seat + 1]] = seat
    while seen.round < 2 or seen.to_place:
        contest.step()
    first, mind = seen.me, Mind(seen, PEACEFUL)
    game = Playout(seen, seen.ground, battles)
    game.note()
    game.play(mind, mind, floats(WORLD), 1)
    paid = held(seen)
    game.restore()
    while True:
        before = seen.me
        contest.step()
        if seen.me == first and before != first:
            break
    assert paid == held(seen)


@pytest.mark.parametrize("ours", [1, 2, 3])
@pytest.mark.parametrize("theirs", [1, 2, 3])
@pytest.mark.parametrize("option", LuckOption)
def test_evened_throws_have_the_chances_of_the_rules(ours: int, theirs: int, option: LuckOption) -> None:
    """EMP-ATTACK-9, EMP-ATTACK-15: the first throw over many beginnings, and all throws of one."""
    luck, even = Luck(5), EvenLuck(battles.CHANCES)
    first: Counter[int] = Counter()
    for _ in range(4000):
        even.begin(luck, option)
        first[theirs - even.fight(ours + 1, theirs, 1)[1]] += 1
    later = Counter(theirs - even.fight(ours + 1, theirs, 1)[1] for _ in range(4000))
    for won, chance in enumerate(throw_chances(ours, theirs, option)):
        assert first[won] / 4000 == pytest.approx(chance, abs=0.04)
        assert later[won] / 4000 == pytest.approx(chance, abs=0.002), "they come as often as they are likely"


@given(st.integers(2, 300), st.integers(1, 300), st.integers(1, 200), st.integers(0, 1000))
def test_evened_battles_keep_to_the_rules_of_battles(attackers: int, defenders: int, throws: int, seed: int) -> None:
    """EMP-ATTACK-4, EMP-ATTACK-5."""
    even = EvenLuck(battles.CHANCES)
    even.begin(Luck(seed))
    ours, theirs, dice = even.fight(attackers, defenders, throws)
    assert 1 <= ours <= attackers and 0 <= theirs <= defenders
    assert attackers - ours + defenders - theirs <= 3 * throws
    assert 1 <= dice <= min(3, attackers - 1)
    if attackers - ours + defenders - theirs < throws:
        assert ours == 1 or theirs == 0, "it ends early only where it is decided"


def chances(contest: Contest) -> list[float]:
    seen = contest.sheet
    Mind(seen, STRONG).look()
    return [Evaluation(seen, seen.ground).chance(seat, seen.seats, seen.bonus) for seat in range(seen.seats)]


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(2, 6), st.integers(0, 1000), st.integers(0, 200))
def test_armies_and_cards_make_a_seat_more_likely_to_win_and_others_less(seats: int, seed: int, steps: int) -> None:
    contest = Contest([STRONG] * seats, seed)
    for _ in range(steps):
        contest.step()
        if contest.match.end:
            return
    seen = contest.sheet
    before = chances(contest)
    assert all(0 < chance < 1 for seat, chance in enumerate(before) if seen.alive[seat]) or sum(seen.alive) == 1
    mine = max(range(WORLD), key=lambda i: (seen.owners[i] == seen.me, seen.armies[i]))
    seen.armies[mine] += 20
    richer = chances(contest)
    for seat in range(seats):
        if seen.alive[seat]:
            assert (richer[seat] > before[seat]) == (seat == seen.me)
    seen.armies[mine] -= 20
    seen.cards[seen.me] += 2
    assert chances(contest)[seen.me] > before[seen.me]


def test_a_game_that_is_won_is_worth_1() -> None:
    contest = Contest([STRONG] * 2, 4)
    seen = contest.sheet
    for country in range(WORLD):
        seen.owners[country], seen.armies[country] = 0, 9
    seen.owners[7], seen.armies[7] = 1, 1
    game, mind = Playout(seen, seen.ground, battles), Mind(seen, STRONG)
    game.note()
    assert game.play(mind, mind, floats(WORLD), 3) == 1.0
    game.restore()
    assert seen.owners[7] == 1
