"""A bot that plays EMPERADO for continents and keeps its borders: examples/borders.py [HOST:PORT of the gRPC endpoint]."""

import sys

from brettwerk.v1.emperado_pb2 import EmperadoView
from brettwerk.v1.games_pb2 import Board
from brettwerk_client import Client, computer, me


def choose(board: Board, view: EmperadoView) -> str:
    """Place armies where they attack next, attack whoever has fewer, and bring all others to the border; in notation."""
    owners, armies, to_place = view.position.owners, view.position.armies, view.position.to_place
    near, name = [place.neighbours for place in board.places], [place.name for place in board.places]
    own = {country for country, owner in enumerate(owners) if owner == view.viewer_seat + 1}
    worth = dict.fromkeys(range(len(near)), 0.05)  # of continents that are nearly won, and of those that others hold
    for group in board.groups:
        left = sum(armies[country] for country in group.places if country not in own)
        theirs = len({owners[country] for country in group.places}) == 1 and group.places[0] not in own
        worth |= {country: worth[country] + group.bonus / (1 + left) + group.bonus * theirs / 2 for country in group.places}
    fronts = [(source, target) for source in own for target in near[source] if target not in own]
    able = [(s, t) for s, t in fronts if armies[s] - 1 > armies[t] and s not in view.position.blocked]
    if to_place or able:
        source, target = max(fronts if to_place else able, key=lambda front: worth[front[1]] * (50 + armies[front[0]]))
        return f"{name[source]} +max" if to_place else f"{name[source]} -> {name[target]} max"
    steps = dict.fromkeys((source for source, _ in fronts), 0)  # from each country to the border
    for country in (queue := list(steps)):
        queue += (found := own.intersection(near[country]).difference(steps))
        steps |= dict.fromkeys(found, steps[country] + 1)
    for source in own.difference(view.position.blocked):
        target = min(near[source], key=lambda other: steps.get(other, len(near)))
        if armies[source] > 1 and steps.get(target, len(near)) < steps[source]:
            return f"{name[source]} => {name[target]} max"
    return "done"


if __name__ == "__main__":
    with Client(*sys.argv[1:] or ["127.0.0.1:7800"], name="Borders") as client:
        board, seat = client.board("emperado"), client.create_session("emperado", [me(), computer("easy")]).seat
        outcome = seat.play(lambda update: choose(board, EmperadoView.FromString(update.view.value)))
        print("won" if seat.number in outcome.winners else "lost", outcome.rule)
