"""The games that tests wish to be played."""

from brettwerk.v1 import statistics_pb2


def wish(game: str = "emperado", *levels: str, games: int = 20, seed: int = 7, rotate: bool = False) -> statistics_pb2.RunWish:
    made = statistics_pb2.RunWish(game=game, games=games, seed=seed, rotate=rotate)
    for level in levels or ("easy", "easy"):
        made.seats.add(level=level)
    return made
