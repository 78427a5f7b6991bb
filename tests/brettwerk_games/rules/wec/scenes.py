"""Turns that differ in what one eye cannot see, and look the same to it: each with the leak in mind that it would show."""

from collections.abc import Callable
from typing import Any

from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.actions import Home, Move
from brettwerk_games.rules.wec.board import SUB, place_of
from brettwerk_games.rules.wec.kinds import Article
from brettwerk_games.rules.wec.piece_numbers import first_called
from brettwerk_games.rules.wec.pieces import Transit
from brettwerk_games.rules.wec.position import View
from tests.brettwerk_games.rules.wec.boards import Table, sq

HIDDEN: dict[str, Any] = {"ply": 2, "competitive": True, "reveal_on_fire": False, "reveal_on_take": False}


def table(*pieces: str, lock: int = 0, **more: Any) -> Table:
    """White's Turn; `lock` is what Black's Counter-Stealths are locked on."""
    found = Table(*pieces, **(HIDDEN | more))
    position = found.position
    if lock:
        changed = [p._replace(articles=tuple(a._replace(lock=lock) for a in p.articles)) for p in position.pieces if p.seat == 0]
        position = position._replace(pieces=(*changed, *(p for p in position.pieces if p.seat == 1)))
    found.position = position._replace(called=first_called(position))
    return found


def plain(found: Table) -> Table:
    return found.move("DO", "(10,3)", "(10,4)")


def dives(left: str, at: str) -> Table:
    """A diver under way, near one who hears it."""
    found = table(f"W FP[SC]{at}", "B DS(4,4)", submergence_detector_range=1)
    journey = Transit(Article.SCUBA, tuple(sq(square) for square in left.split()), 1)
    pieces = [p._replace(place=place_of(p.square, SUB), transit=journey) if p.articles else p for p in found.position.pieces]
    found.position = found.position._replace(pieces=tuple(pieces))
    found.position = found.position._replace(called=first_called(found.position))
    return plain(found)


def hops(*, carry: bool) -> Table:
    found = table("W CH>(5,5)", *(("W AAA(5,5)",) if carry else ()))
    return found.move("CH", "(5,5)", min(found.targets("CH", "(5,5)", carry=carry)), carry=carry)


def homes(target: str) -> Table:
    found = table("W JE(5,5) Air", "B JE(6,5) Air", "B JE(7,5) Air")
    other = found.find("JE", target, seat=0)
    return plain(found.play(Home(found.find("JE", "(5,5) Air", seat=1).id, Article.SAM, other.id)))


def burns(*more: str) -> Table:
    found = table("W TA>(5,5)", *more)
    return plain(found.fire("TA", "(5,5)", "FL", (-1, 0)))


def fires(*, unseen: bool) -> Table:
    found = table("W TA>[SH](8,8)", "W RP(5,5)")
    if unseen:
        found.fire("TA", "(8,8)", "FL", (-1, 0))
    return plain(found.fire("RP", "(5,5)", "RL", (-1, 0)))


def stands(*, moves: bool) -> Table:
    """White can move nothing but perhaps a hidden piece."""
    found = table("B K(1,10)", "B DO(1,8)", "W K(10,1)", "W AAA(9,8)", base=False)
    stunned = [
        p._replace(stunned=9) if p.seat == 1 and (not moves or p.articles or p.place != sq("(9,8)")) else p
        for p in found.position.pieces
    ]
    found.position = found.position._replace(pieces=tuple(stunned))
    return found.move("AAA", "(9,8)", "(9,9)") if moves else found


def twins(*, second: bool) -> Table:
    """A piece that is seen by a lock, and one beside it that is not."""
    others = ("W AAA(9,9)", "W AAA(9,9)") if second else ("W AAA(9,9)",)
    found = table("B FP[ASH](3,3)", *others, stealth_range_detect=False, lock=1003 + second)
    return found.play(Move(1003 + second, sq("(8,9)")))


def dozes(*, companion: bool) -> Table:
    found = table("W DO(5,5)", *(("W AAA(5,5)",) if companion else ()))
    return found.play(found.dozing("(5,5)", (-1, 0))) if companion else found.move("DO", "(5,5)", "(4,5)")


def picks(*, unseen: bool) -> Table:
    found = table("W AAA[BI](8,8)")
    if unseen:
        found.travel("AAA", "(8,8)", "BI", "(8,9)")
    return plain(found)


SCENES: dict[str, tuple[int, Callable[[], Table], Callable[[], Table]]] = {
    "a hidden companion": (0, lambda: dozes(companion=False), lambda: dozes(companion=True)),
    "a hidden passenger": (
        0,
        lambda: hops(carry=False),
        lambda: hops(carry=True),
    ),
    "a hidden twin": (0, lambda: twins(second=False), lambda: twins(second=True)),
    "what a SAM homes on": (0, lambda: homes("(6,5) Air"), lambda: homes("(7,5) Air")),
    "an unseen Fire": (0, lambda: fires(unseen=False), lambda: fires(unseen=True)),
    "an unseen journey": (0, lambda: picks(unseen=False), lambda: picks(unseen=True)),
    "no Move": (0, lambda: stands(moves=True), lambda: stands(moves=False)),
    "where a diver goes": (
        0,
        lambda: dives("(6,6) (7,7)", "(5,5)"),
        lambda: dives("(6,5) (7,5)", "(5,5)"),
    ),
    "where a diver came from": (
        0,
        lambda: dives("(5,5) (4,5)", "(6,6)"),
        lambda: dives("(5,5) (4,5)", "(6,5)"),
    ),
    "a hidden victim": (1, burns, lambda: burns("B AAA(4,5)")),
    "how far one was to go": (
        0,
        lambda: table("W TA>(5,5)", "B AAA(4,5)").move("TA", "(5,5)", "(3,5)"),
        lambda: table("W TA>(5,5)", "B AAA(4,5)").move("TA", "(5,5)", "(2,5)"),
    ),
    "where one came from": (
        0,
        lambda: table("B SHP(4,4)", "W AAA(8,8)").move("AAA", "(8,8)", "(7,7)"),
        lambda: table("B SHP(4,4)", "W AAA(8,6)").move("AAA", "(8,6)", "(7,7)"),
    ),
    "who took": (
        0,
        lambda: table("W TA>[SH](5,5)", "B FP(3,5)").move("TA", "(5,5)", "(3,5)"),
        lambda: table("W CL>[SH](5,7)", "B FP(3,5)").move("CL", "(5,7)", "(3,5)"),
    ),
}


def bare(view: View) -> View:
    """Return a view without what is written in it."""
    return view._replace(history=(), first_line=0, turn=view.turn._replace(items=(), results=()))


def look(name: str) -> None:
    """Assert that what the eye reads before and after the end of the Turn is the same."""
    eye, one, other = SCENES[name]
    here, there = one(), other()
    for is_over in (False, True):
        if is_over:
            here, there = here.end(), there.end()
        assert here.position != there.position, "they differ"
        assert bare(here.view(eye)) == bare(there.view(eye)), "they look the same"
        texts = [[item.text for item in found.view(eye).turn.items if "?" not in item.text[:2]] for found in (here, there)]
        assert texts[0] == texts[1]
        data = [GAME.codec.encode(Kind.VIEW, found.view(eye)) for found in (here, there)]
        assert data[0] == data[1], f"{name}: {texts} {[found.view(eye).history for found in (here, there)]}"
