"""How every attack that a seat could make now will go: what a view tells before armies are committed (EMP-ATTACK-9)."""

from collections.abc import Iterator
from typing import NamedTuple

from services.games.emperado.actions import TO_THE_END
from services.games.emperado.battle import most_throws
from services.games.emperado.legal import CLICKS
from services.games.emperado.odds import Odds, odds, series
from services.games.emperado.position import View, is_active
from services.games.emperado.world import NEIGHBOURS


class Outlook(NamedTuple):
    """The odds of the attacks of one country on another by how many throws are made, TO_THE_END last."""

    source: int
    target: int
    series: tuple[tuple[int, Odds], ...]


def outlooks(view: View) -> Iterator[Outlook]:
    """Return the outlooks of all attacks that the view's seat could make now, by source and target.

    They are made from owners and armies, which everybody sees.
    """
    position = view.position
    if view.seat != position.to_move or position.end is not None or position.to_place or position.entry is not None:
        return
    owners, armies = position.owners, position.armies
    for source, owner in enumerate(owners):
        if owner == view.seat and is_active(position, source):
            for target in NEIGHBOURS[source]:
                if owners[target] != owner:
                    yield Outlook(source, target, tuple(_series(armies[source], armies[target])))


def _series(attackers: int, defenders: int) -> Iterator[tuple[int, Odds]]:
    most = most_throws(attackers, defenders)
    for throws in CLICKS:
        if throws < most:
            yield throws, series(attackers, defenders, throws)
    yield TO_THE_END, odds(attackers, defenders)
