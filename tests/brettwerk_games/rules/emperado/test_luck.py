"""Less luck in throws: what is won on average stays exactly what it is, and less is left to dice (EMP-ATTACK-15)."""

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import emperado_pb2 as pb
from brettwerk_games.rules.chance import Dice, Drawn, Undrawn
from brettwerk_games.rules.emperado.actions import TO_THE_END, Attack, Fought, Throw
from brettwerk_games.rules.emperado.battle import HeldDice, attacker_dice, defender_dice, fight, losses, throw
from brettwerk_games.rules.emperado.chances import throw_chances
from brettwerk_games.rules.emperado.luck import WON, Share, draw, share
from brettwerk_games.rules.emperado.odds import odds, series
from brettwerk_games.rules.emperado.options import Luck, Options
from brettwerk_games.rules.interface import Kind
from tests.brettwerk_games.rules.emperado.worlds import BOLIVIEN, EMPERADO, PERU, SEED, world

DICE = list(product((1, 2, 3), (1, 2, 3)))
LESS = [Luck.HALF, Luck.LITTLE]


@cache
def won(attacker: int, defender: int) -> Counter[int]:
    """Return how often each number of pairs is won when all dice are thrown in every way, compared by hand."""
    found: Counter[int] = Counter()
    for faces in product(range(1, 7), repeat=attacker + defender):
        ours, theirs = sorted(faces[:attacker])[::-1], sorted(faces[attacker:])[::-1]
        found[sum(a > d for a, d in zip(ours, theirs, strict=False))] += 1
    return found


@cache
def by_hand(attacker: int, defender: int, luck: Luck) -> tuple[Fraction, ...]:
    """Return the chances to win 0, 1, 2 ... pairs as the rules page has it: average, what dice won, and the part that is left."""
    pairs, throws = min(attacker, defender), 6 ** (attacker + defender)
    ways = won(attacker, defender)
    average = Fraction(sum(pairs * number for pairs, number in ways.items()), throws)
    found = [Fraction(0)] * (pairs + 2)
    for dice, number in ways.items():
        counted = {Luck.FULL: Fraction(dice), Luck.HALF: (average + dice) / 2, Luck.LITTLE: average}[luck] if pairs > 1 else dice
        whole = int(counted)
        found[whole] += Fraction(number, throws) * (1 - counted + whole)
        found[whole + 1] += Fraction(number, throws) * (counted - whole)
    assert not found.pop()
    return tuple(found)


def outcomes(found: Share) -> dict[int, Fraction]:
    """Return how likely each outcome of a draw is, by trying every further die."""
    chances: defaultdict[int, Fraction] = defaultdict(Fraction)
    waiting = [(Drawn(), Fraction(1))]
    while waiting:
        drawn, chance = waiting.pop()
        try:
            chances[draw(found, Dice(drawn))] += chance
        except Undrawn as undrawn:
            sides = undrawn.draw.bound
            waiting += [(drawn.after(undrawn.draw, face), chance / sides) for face in range(sides)]
    return dict(chances)


@pytest.mark.parametrize(("attacker", "defender"), DICE)
def test_averages_are_those_of_all_throws(attacker: int, defender: int) -> None:
    assert WON[attacker - 1][defender - 1] == sum(pairs * number for pairs, number in won(attacker, defender).items())


@pytest.mark.parametrize("luck", Luck)
@pytest.mark.parametrize(("attacker", "defender"), DICE)
def test_chances_are_as_counted_by_hand(attacker: int, defender: int, luck: Luck) -> None:
    chances = by_hand(attacker, defender, luck)
    assert throw_chances(attacker, defender, luck) == pytest.approx(tuple(map(float, chances)), abs=1e-15)
    assert sum(chances) == 1
    average = Fraction(WON[attacker - 1][defender - 1], 6 ** (attacker + defender))
    assert sum(pairs * chance for pairs, chance in enumerate(chances)) == average, "nothing is given or taken"


@pytest.mark.parametrize("luck", LESS)
@pytest.mark.parametrize(("attacker", "defender"), DICE)
def test_further_dice_draw_exactly_the_part_that_is_left(attacker: int, defender: int, luck: Luck) -> None:
    for pairs in won(attacker, defender):
        found = share(luck, attacker, defender, pairs)
        expected = {found.whole + 1: Fraction(found.part, found.of), found.whole: 1 - Fraction(found.part, found.of)}
        assert outcomes(found) == {number: chance for number, chance in expected.items() if chance}


def test_the_less_luck_the_nearer_are_throws_to_their_average() -> None:
    def variance(luck: Luck) -> float:
        chances = throw_chances(3, 3, luck)
        mean = sum(pairs * chance for pairs, chance in enumerate(chances))
        return sum((pairs - mean) ** 2 * chance for pairs, chance in enumerate(chances))

    assert [round(variance(luck), 2) for luck in Luck] == [1.14, 0.45, 0.10]


@pytest.mark.parametrize(
    ("luck", "chances"), [(Luck.HALF, (0.1711, 0.5584, 0.2632, 0.0074)), (Luck.LITTLE, (0, 0.8931, 0.1069, 0))]
)
def test_three_dice_against_three_are_as_on_the_rules_page(luck: Luck, chances: tuple[float, ...]) -> None:
    assert throw_chances(3, 3, luck) == pytest.approx(chances, abs=0.00005)


@cache
def counted(attackers: int, defenders: int, luck: Luck) -> tuple[Fraction, Fraction, Fraction]:
    """Return chance and losses of a battle to the end from the chances of its throws."""
    if not defenders:
        return Fraction(1), Fraction(0), Fraction(0)
    if attackers == 1:
        return Fraction(0), Fraction(0), Fraction(0)
    chances = by_hand(attacker_dice(attackers), defender_dice(defenders), luck)
    win = lost = killed = Fraction(0)
    for kills, chance in enumerate(chances):
        fallen = len(chances) - 1 - kills
        then = counted(attackers - fallen, defenders - kills, luck)
        win += chance * then[0]
        lost += chance * (fallen + then[1])
        killed += chance * (kills + then[2])
    return win, lost, killed


@pytest.mark.parametrize("luck", LESS)
@pytest.mark.parametrize(("attackers", "defenders"), [(2, 1), (4, 3), (7, 5), (12, 7)])
def test_battles_are_as_counted(attackers: int, defenders: int, luck: Luck) -> None:
    exact = tuple(map(float, counted(attackers, defenders, luck)))
    assert odds(attackers, defenders, luck) == pytest.approx(exact, abs=1e-12)
    assert series(attackers, defenders, 1000, luck) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("luck", LESS)
@pytest.mark.parametrize(("attackers", "defenders"), [(5, 3), (12, 7), (20, 20)])
def test_the_rules_own_dice_agree(attackers: int, defenders: int, luck: Luck) -> None:
    battles, dice = 3000, Dice(SEED, "dice")
    ended = [fight(attackers, defenders, TO_THE_END, dice, luck) for _ in range(battles)]
    expected = odds(attackers, defenders, luck)
    assert sum(not battle.defenders for battle in ended) / battles == pytest.approx(expected.win, abs=0.03)
    assert sum(attackers - battle.attackers for battle in ended) / battles == pytest.approx(expected.attackers_lost, abs=0.2)
    assert sum(defenders - battle.defenders for battle in ended) / battles == pytest.approx(expected.defenders_lost, abs=0.2)


@pytest.mark.parametrize("luck", LESS)
def test_series_of_throws_agree_with_the_rules_own_dice(luck: Luck) -> None:
    battles, dice = 3000, Dice(SEED, "series")
    ended = [fight(30, 12, 5, dice, luck) for _ in range(battles)]
    expected = series(30, 12, 5, luck)
    assert sum(30 - battle.attackers for battle in ended) / battles == pytest.approx(expected.attackers_lost, abs=0.1)
    assert sum(12 - battle.defenders for battle in ended) / battles == pytest.approx(expected.defenders_lost, abs=0.1)


@given(st.integers(2, 40), st.integers(1, 40), st.sampled_from(Luck), st.binary(min_size=32, max_size=32))
def test_a_throw_says_what_it_wins_exactly_where_dice_do_not_decide_alone(
    attackers: int, defenders: int, luck: Luck, seed: bytes
) -> None:
    found = throw(attackers, defenders, Dice(seed, "dice"), luck)
    single = min(attackers - 1, defenders) == 1
    assert (found.won is None) == (luck == Luck.FULL or single)
    plain = throw(attackers, defenders, Dice(seed, "dice"))
    assert (found.attacker, found.defender) == (plain.attacker, plain.defender), "the dice are the same"
    assert sum(losses(found)) == sum(losses(plain)), "a throw costs as many armies as it has pairs"


@given(st.binary(min_size=32, max_size=32), st.integers(0, 1000), st.sampled_from(LESS))
def test_held_dice_hang_on_the_number_of_their_throw_alone(seed: bytes, thrown: int, luck: Luck) -> None:
    """EMP-UNDO-3: what is drawn beside them, too, whatever the throws before took."""
    later = HeldDice(seed, thrown)
    later.throw(2, 1, luck)
    later.throw(50, 50, luck)
    assert later.throw(9, 9, luck) == HeldDice(seed, thrown + 2).throw(9, 9, luck)


def test_held_dice_with_less_luck_are_fair() -> None:
    dice = HeldDice(SEED, 0)
    won = [losses(dice.throw(50, 50, Luck.HALF))[1] for _ in range(10_000)]
    for pairs, chance in enumerate(throw_chances(3, 3, Luck.HALF)):
        assert won.count(pairs) / len(won) == pytest.approx(chance, abs=0.02)


@pytest.mark.parametrize("luck", Luck)
def test_an_attack_loses_what_its_throws_say(luck: Luck) -> None:
    position = world("Peru A30, Bolivien B30", options=Options(luck=luck))
    step = EMPERADO.apply(position, 0, Attack(PERU, BOLIVIEN, 10), SEED)
    (fought,) = (event for event in step.events if isinstance(event, Fought))
    found = [losses(each) for each in fought.last]
    assert (fought.attackers_lost, fought.defenders_lost) == (sum(a for a, _ in found), sum(d for _, d in found))
    shown = EMPERADO.codec.encode(Kind.EVENT, fought)
    assert EMPERADO.codec.decode(Kind.EVENT, shown) == fought
    assert {each.HasField("won") for each in pb.EmperadoEvent.FromString(shown).fought.last} == {luck != Luck.FULL}


def test_games_in_which_dice_decide_alone_are_the_bytes_they_were() -> None:
    """Another release goes on with them, and refuses those with less luck, which it does not know."""
    for luck in Luck:
        position = world("Peru A8", options=Options(luck=luck))
        message = pb.EmperadoPosition.FromString(EMPERADO.codec.encode(Kind.POSITION, position))
        assert message.options.luck == (0 if luck == Luck.FULL else luck)
        assert EMPERADO.codec.decode(Kind.POSITION, message.SerializeToString()) == position
        said = pb.EmperadoOptions(luck=pb.EmperadoLuck.ValueType(luck)).SerializeToString()
        assert EMPERADO.codec.decode(Kind.OPTIONS, said).luck == luck


def test_dice_alone_decide_single_pairs() -> None:
    for luck in Luck:
        assert losses(throw(4, 1, Dice(SEED, "dice"), luck)) == losses(throw(4, 1, Dice(SEED, "dice")))
        assert Throw((6,), (1,), None) == Throw((6,), (1,))
