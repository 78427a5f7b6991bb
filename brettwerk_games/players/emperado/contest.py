"""Games of computer players among themselves, at full speed (kernels/match.py)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brettwerk_games.players.emperado.chances import rivals
from brettwerk_games.players.emperado.foresight import Foresight
from brettwerk_games.players.emperado.kernels.luck import Luck
from brettwerk_games.players.emperado.kernels.match import Match
from brettwerk_games.players.emperado.mind import Decision, Deed, Mind
from brettwerk_games.players.emperado.sheet import Sheet, floats, ground_of
from brettwerk_games.players.emperado.style import Style
from brettwerk_games.rules.emperado.cards import SET
from brettwerk_games.rules.emperado.maps import require_world
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.world import MAX_COUNTRIES

SAMPLED_EVERY = 7
"""Strengths are sampled once in so many turns."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game went: the winner (-1 for none), the last round, actions and turns, and what is asked about it.

    `first_continents` are those that each seat was first paid for, -1 for none. `leader` is the seat with most countries at
    the start of the round that was asked for, -1 where the game was over by then. `alive` are the seats that were left,
    `strengths` are some turns' seat to act, its strength and those of the others.
    """

    winner: int
    rounds: int
    actions: int
    turns: int
    first_continents: tuple[int, ...]
    leader: int
    alive: tuple[int, ...]
    strengths: tuple[tuple[int, float, tuple[float, ...]], ...]


class Contest:
    """One game between styles, by seat."""

    def __init__(
        self, styles: Sequence[Style], seed: int, options: Options | None = None, order: Sequence[int] | None = None
    ) -> None:
        """Deal the countries in `order`, or shuffled. Equal seeds give equal games."""
        seats = len(styles)
        options = options or Options(computers=tuple(seat < seats for seat in range(6)))
        self.sheet = Sheet(ground=ground_of(require_world(options.map)))
        self.luck = Luck(seed)
        order = order or _shuffled(self.luck, self.sheet.ground.count)
        self.match = Match(self.sheet, self.sheet.ground, options, seats, order, self.luck)
        minds = {style: Mind(self.sheet, style) for style in set(styles)}
        self._minds = [minds[style] for style in styles]
        self._foresights = {style: Foresight(self.sheet, style) for style in set(styles) if style.looks_ahead}
        self._styles = styles
        self._seed = seed
        self._neutral = floats(MAX_COUNTRIES)
        self._aimed = -1

    @property
    def turn_seed(self) -> int:
        """The seed with which the seat to act looks ahead."""
        return self._seed * 10_007 + self._minds[0].turn

    def decide(self) -> Decision:
        """Return what the seat to act does next, cards apart."""
        s = self.sheet
        foresight = self._foresights.get(self._styles[s.me])
        if self._foresights and self._minds[0].turn != self._aimed:
            self._aimed = self._minds[0].turn
            s.favour[:] = self._neutral
            if foresight is not None:
                aim = foresight.choose(self.turn_seed, _never)
                self._minds[s.me] = aim.mind
                s.favour[:] = aim.favour
        return self._minds[s.me].decide()

    def step(self) -> None:
        """Play one action."""
        match, s = self.match, self.sheet
        if match.exchanging and s.cards[s.me] >= SET and (found := match.sets(s.me)):
            match.exchange(found)
        else:
            self.carry_out(self.decide())

    def carry_out(self, decision: Decision) -> None:
        """Play a decision."""
        match = self.match
        deed, source, target, amount = decision
        if deed == Deed.PLACE:
            match.place(target, amount)
        elif deed == Deed.ATTACK:
            match.attack(source, target, amount)
        elif deed == Deed.MOVE:
            match.move(source, target, amount)
        elif deed == Deed.ENTER:
            match.enter(amount)
        else:
            match.done()

    def play(self, max_rounds: int = 100, leader_at: int = 12, at_turns: Callable[[], None] = lambda: None) -> Result:
        """Play to the end, or until so many rounds are over; return how it went. `at_turns` is called when a turn begins."""
        match, s = self.match, self.sheet
        turns, leader, turn = 0, -1, (0, 0)
        strengths = []
        while not match.end and s.round <= max_rounds:
            if (s.round, s.me) != turn:
                turn = (s.round, s.me)
                turns += 1
                at_turns()
                if s.round == leader_at and leader < 0:
                    leader = max(range(match.seats), key=s.owners.count)
                if turns % SAMPLED_EVERY == 1:
                    self._minds[s.me].look()
                    strengths.append((s.me, s.strength[s.me], tuple(rivals(s))))
            self.step()
        firsts = tuple(match.first_continents[: match.seats])
        alive = tuple(seat for seat in range(match.seats) if s.alive[seat])
        return Result(match.winner, min(s.round, max_rounds), match.played, turns, firsts, leader, alive, tuple(strengths))


def _never() -> bool:
    return False


def _shuffled(luck: Luck, count: int) -> list[int]:
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = luck.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order
