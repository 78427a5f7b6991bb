"""The start positions and the sizes of the boards of the rules pages, drawn from the game itself."""

from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.options import Options, Shape, Size

WORDS = {
    "en": {
        "sizes": ("board", "nodes", "edges", "neighbours of a node"),
        "arena": "arena",
        "first": "first edition",
        "three": "3 on rings A and K, 4 elsewhere",
        "starts": "The start positions, unrolled: each line is a ring, each column a spoke, and the last column is next to the "
        "first. b, m, g and r are Babylon, Media-Persia, Greece and Rome; E is the emblem.",
        "players": "{board}, {count} players",
        "flat": "The flat boards at the start; # is the red area.",
        "flat players": "flat {board}, {count} players",
    },
    "de": {
        "sizes": ("Brett", "Knoten", "Kanten", "Nachbarn eines Knotens"),
        "arena": "Arena",
        "first": "Erstausgabe",
        "three": "3 auf den Ringen A und K, sonst 4",
        "starts": "Die Aufstellungen, abgerollt: eine Zeile ist ein Ring, eine Spalte eine Speiche, und die letzte Spalte "
        "liegt neben der ersten. b, m, g und r sind Babylon, Medien-Persien, Griechenland und Rom; E ist das Emblem.",
        "players": "{board}, {count} Spieler",
        "flat": "Die flachen Bretter zu Beginn; # ist der rote Bereich.",
        "flat players": "{board} flach, {count} Spieler",
    },
}
BOARDS = (("arena", Size.ARENA, 2), ("first", Size.FIRST, 2), ("first", Size.FIRST, 3), ("first", Size.FIRST, 4))
FLAT = (("arena", Size.ARENA, 2), ("first", Size.FIRST, 2), ("first", Size.FIRST, 4))


def unrolled(size: Size, seats: int, shape: Shape = Shape.ROUND) -> tuple[list[list[str]], int, int]:
    """Return the board at the start by rings, its nodes and, of a round one, its edges."""
    position = GAME.new(Options(size=size, shape=shape), seats, None, bytes(32)).position
    scene = GAME.scene(GAME.view(position, None))
    rings = [["#"] * scene.columns for _ in range(scene.rows)]
    for place in scene.places:
        rings[place.row][place.column] = "."
        for thing in place.things:
            if thing.owner is not None:
                rings[place.row][place.column] = "bmgr"[thing.owner] + thing.mark
    edges = scene.rows * scene.columns + (scene.rows - 1) * scene.columns
    return rings, len(scene.places), edges


def drawn(rings: list[list[str]]) -> str:
    """Return a figure of a board."""
    head = "   " + "".join(f"{column:>3}" for column in range(1, len(rings[0]) + 1))
    lines = [f"{'ABCDEFGHIJK'[ring]:<3}" + "".join(f"{node:>3}" for node in row) for ring, row in enumerate(rings)]
    return "```text\n" + "\n".join([head, *lines]) + "\n```"


def flat(language: str) -> str:
    """Return the figures of the flat boards (EP-BOARD-9)."""
    words = WORDS[language]
    parts = [str(words["flat"])]
    for name, size, seats in FLAT:
        title = str(words["flat players"]).format(board=words[name], count=seats)
        parts += [f"*{title}*", drawn(unrolled(size, seats, Shape.FLAT)[0])]
    return "\n\n".join(parts) + "\n"


def section(language: str) -> str:
    words = WORDS[language]
    sizes = words["sizes"]
    rows = ["| " + " | ".join(sizes) + " |", "|---|---|---|---|"]
    for name, size in (("arena", Size.ARENA), ("first", Size.FIRST)):
        _, nodes, edges = unrolled(size, 2)
        rows.append(f"| {words[name]} | {nodes} | {edges} | {words['three']} |")
    parts = ["\n".join(rows), str(words["starts"])]
    for name, size, seats in BOARDS:
        title = str(words["players"]).format(board=words[name], count=seats)
        parts += [f"*{title}*", drawn(unrolled(size, seats)[0])]
    return "\n\n".join(parts) + "\n"
