"""Games played twice, by the rules and at full speed, with the same dice."""

from brettwerk_games.players.emperado.contest import Contest
from brettwerk_games.players.emperado.sheet import NOBODY
from brettwerk_games.players.emperado.style import Style
from brettwerk_games.rules.chance import Dice, step_seed
from brettwerk_games.rules.emperado import GAME
from brettwerk_games.rules.emperado.actions import Action, Attack, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import GHOST, End, Entry, Party, Position


def seed_of(game: int, ply: int) -> bytes:
    return step_seed(bytes([game % 256]) * 32, f"double {game}", ply, ())


class Double:
    """One game: `position` by the rules, `contest` at full speed."""

    def __init__(self, styles: list[Style], game: int, options: Options) -> None:
        first = seed_of(game, 0)
        self.game, self.ply = game, 0
        self.position: Position = GAME.new(options, len(styles), None, first).position
        self.contest = Contest(styles, 1, options, Dice(first, "deal").shuffled(range(self.position.world.count)))

    def play(self, action: Action) -> None:
        """Play an action in both."""
        self.ply += 1
        seed = seed_of(self.game, self.ply)
        self.position = GAME.apply(self.position, self.position.to_move, action, seed).position
        match, luck = self.contest.match, self.contest.luck
        luck.throw_with(Dice(seed, "cards" if isinstance(action, Done) else "dice"))
        match_of(match, action)

    @property
    def fast(self) -> Position:
        """The position of the fast game, in the words of the rules."""
        match, sheet, count = self.contest.match, self.contest.sheet, self.position.world.count
        parties = tuple(self._party(seat) for seat in range(match.seats))
        entry = Entry(sheet.entry_source, sheet.entry_target, sheet.entry_least) if sheet.entry_source >= 0 else None
        return self.position._replace(
            owners=tuple(GHOST if owner == NOBODY else owner for owner in sheet.owners[:count]),
            armies=tuple(sheet.armies[:count]),
            parties=parties,
            card_bonus=sheet.bonus,
            to_move=sheet.me,
            round=sheet.round,
            to_place=sheet.to_place,
            blocked=frozenset(country for country in range(count) if sheet.blocked[country]),
            captured=bool(sheet.captured),
            exchanging=bool(match.exchanging),
            entry=entry,
            card_clock=match.clock,
            stirred=match.stirred,
            winner=match.winner if match.winner >= 0 else None,
            end=End(match.end) if match.end else None,
            played=match.played,
        )

    def _party(self, seat: int) -> Party:
        match = self.contest.match
        riders, soldiers, cannons = match.hands[3 * seat : 3 * seat + 3]
        return Party(riders, soldiers, cannons, fresh=bool(match.fresh[seat]), out=match.out[seat])


def match_of(match, action: Action) -> None:
    match action:
        case Exchange(set=found):
            match.exchange(int(found))
        case Place(country=country, armies=armies):
            match.place(country, armies)
        case Attack(source=source, target=target, throws=throws):
            match.attack(source, target, throws)
        case Enter(armies=armies):
            match.enter(armies)
        case Move(source=source, target=target, armies=armies):
            match.move(source, target, armies)
        case Done():
            match.done()
