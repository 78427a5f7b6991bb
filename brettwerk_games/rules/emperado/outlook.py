"""How every attack that a seat could make now will go: what a view tells before armies are committed (EMP-ATTACK-9).

It is made from owners and armies, which everybody sees.
"""

from collections.abc import Iterator

from brettwerk_games.rules.emperado.actions import TO_THE_END
from brettwerk_games.rules.emperado.battle import max_throws
from brettwerk_games.rules.emperado.chances import Odds
from brettwerk_games.rules.emperado.legal import CLICKS
from brettwerk_games.rules.emperado.odds import odds, series
from brettwerk_games.rules.emperado.options import Luck
from brettwerk_games.rules.emperado.position import View


def threats(view: View) -> list[tuple[int, int, int, int]]:
    """Return the attacks that the view's seat could make now as source, target and the armies of both, by source and target."""
    position, seat = view.position, view.seat
    if seat != position.to_move or position.end is not None or position.to_place or position.entry is not None:
        return []
    owners, armies, blocked, neighbours = position.owners, position.armies, position.blocked, position.world.neighbours
    return [
        (source, target, standing, armies[target])
        for source, (owner, standing) in enumerate(zip(owners, armies, strict=True))
        if owner == seat and standing > 1 and source not in blocked
        for target in neighbours[source]
        if owners[target] != seat
    ]


def forecast(attackers: int, defenders: int, luck: Luck = Luck.FULL) -> Iterator[tuple[int, Odds]]:
    """Yield how an attack with that many armies in the two countries will go by how many throws are made, TO_THE_END last."""
    most = max_throws(attackers, defenders)
    for throws in CLICKS:
        if throws < most:
            yield throws, series(attackers, defenders, throws, luck)
    yield TO_THE_END, odds(attackers, defenders, luck)
