"""The figures and tables of the rules pages, drawn from the data that the rules themselves use."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.actions import Route
from brettwerk_games.rules.wec.board import SIZE
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, Article, Kind
from brettwerk_games.rules.wec.transits import route

DATA = Path(GAME.facts.folder) / "data"
WORDS = {
    "en": {
        "title": "## Figures and tables",
        "pieces": "The Pieces at the start, with the codes of the notation (K and Q as the government has them); "
        "row 1 is Black's.",
        "articles": "The Articles at the start; the other rows have none.",
        "reserves": "The reinforcements, as owners see their Squares from their left (WEC-RUL-18): Black's on row 9, "
        "White's on row 2.",
        "row": "row",
        "paths": "Paths, from above, the owner looking up: `o` is the Piece, a number the step of the path that gets there "
        "(several paths cross where a Square could have two; the lower stands). Drawn for right-handed Pieces; left-handed ones "
        "are the mirror image. A secondary has all paths of both Panzers and both Clerics.",
        "hops": "Targets of a right-handed Chopper (`x`); a left-handed one has the mirror image.",
        "pawns": "Pawns: `m` moves, `a` attacks, `b` both, `2` the two-Square first Move.",
        "jet": "A Jet in Air: first and second Square. All others go one Square in any direction.",
        "routes": "The routes to the same Square, from above; a number is the step that gets there.",
        "BEELINE": "Beeline",
        "PORT": "Port",
        "STARBOARD": "Starboard",
        "weaponized": "Weaponized Chess",
        "standard_chess": "Standard Chess",
        "mass_destruction": "Chess of Mass Destruction",
        "all_sides_and_forward": "all sides and forward",
        "all_forward": "all forward",
        "all_but_front": "all but directly in front",
        "panzer": "Panzer",
        "cleric": "Cleric",
    },
    "de": {
        "title": "## Bilder und Tabellen",
        "pieces": "Die Figuren zu Beginn, mit den Kürzeln der Notation (K und Q, wie die Regierung sie hat); "
        "Reihe 1 ist die von Schwarz.",
        "articles": "Die Gegenstände zu Beginn; auf den anderen Reihen liegen keine.",
        "reserves": "Die Verstärkungen, wie jeder Besitzer seine Felder von links sieht (WEC-RUL-18): die von Schwarz "
        "auf Reihe 9, die von Weiß auf Reihe 2.",
        "row": "Reihe",
        "paths": "Wege von oben, der Besitzer schaut hinauf: `o` ist die Figur, eine Zahl der Schritt, mit dem sie dorthin kommt "
        "(wo zwei Wege ein Feld haben, steht der kleinere). Gezeichnet für rechtshändige Figuren; linkshändige haben das "
        "Spiegelbild. Ein Stellvertreter hat alle Wege beider Panzer und beider Kleriker.",
        "hops": "Ziele eines rechtshändigen Hubschraubers (`x`); ein linkshändiger hat das Spiegelbild.",
        "pawns": "Bauern: `m` zieht, `a` schlägt, `b` beides, `2` der erste Zug über zwei Felder.",
        "jet": "Ein Jet in der Luft: erstes und zweites Feld. Alle anderen gehen ein Feld in jede Richtung.",
        "routes": "Die Routen zum selben Feld von oben; eine Zahl ist der Schritt, der dorthin führt.",
        "BEELINE": "Gerade Route",
        "PORT": "Backbord",
        "STARBOARD": "Steuerbord",
        "weaponized": "Weaponized Chess",
        "standard_chess": "Standardschach",
        "mass_destruction": "Chess of Mass Destruction",
        "all_sides_and_forward": "Seiten und vorwärts",
        "all_forward": "Nur vorwärts",
        "all_but_front": "Alles außer geradeaus",
        "panzer": "Panzer",
        "cleric": "Kleriker",
    },
}


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


def code(name: str) -> str:
    plain, hand = name.rstrip("<>"), name[-1] if name[-1] in "<>" else ""
    if plain in ("primary", "secondary"):
        return "K" if plain == "primary" else "Q"
    return NATURES[Kind[plain.upper()]].code + hand


def article(name: str) -> str:
    return ARTICLE_CODES[Article[name.removesuffix("_launcher").upper()]]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def board(squares: Mapping[tuple[int, int], str], word: str) -> str:
    rows = sorted({row for row, _ in squares}, reverse=True)
    columns = [str(column) for column in range(1, 11)]
    return table([word, *columns], [[str(row), *(squares.get((row, int(c)), "") for c in columns)] for row in rows])


def grid(marks: Mapping[tuple[int, int], str], reach: int) -> str:
    rows = [[marks.get((x, y), ".") for x in range(-reach, reach + 1)] for y in range(reach, -reach - 1, -1)]
    return "```text\n" + "\n".join(" ".join(row) for row in rows) + "\n```"


def slide(paths: Sequence[Sequence[Sequence[int]]]) -> str:
    marks: dict[tuple[int, int], str] = {}
    for path in paths:
        for step, (x, y) in enumerate(path, 1):
            marks[x, y] = min(str(step), marks.get((x, y), "9"))
    return grid({**marks, (0, 0): "o"}, 8)


def pawn(ways: Mapping[str, Sequence[Sequence[int]]]) -> str:
    signs = {"move": "m", "attack": "a", "move_or_attack": "b", "move_from_origin": "2"}
    marks = {(x, y): signs[name] for name, squares in ways.items() for x, y in squares}
    return grid({**marks, (0, 0): "o"}, 2)


def routes(language: str) -> str:
    """Return the figures of the three routes to a square (WEC-TRAN-6, WEC-RUL-33)."""
    words, (start, target) = WORDS[language], (44, 86)
    parts = [words["routes"]]
    for way in Route:
        steps = enumerate(route(start, target, way), 1)
        marks = {(at % SIZE - start % SIZE, at // SIZE - start // SIZE): str(step) for step, at in steps}
        parts += [f"*{words[way.name]}*", grid({**marks, (0, 0): "o"}, 4)]
    return "\n\n".join(parts) + "\n"


def section(language: str) -> str:
    words, paths = WORDS[language], read("paths")
    pieces = {(s["row"], s["col"]): " ".join(map(code, s["pieces"])) for s in read("start_pieces")["squares"]}
    lying = {
        (int(row), column): " ".join(map(article, names))
        for row, squares in read("start_articles")["rows"].items()
        for column, names in enumerate(squares, 1)
    }
    reserves = [code(s["piece"]) for s in read("start_reinforcements")["squares"] if s["owner"] == "black"]
    parts = [words["title"], words["pieces"], board(pieces, words["row"]), words["articles"], board(lying, words["row"])]
    parts += [words["reserves"], table([str(n) for n in range(1, 11)], [reserves]), words["paths"]]
    for movement in ("weaponized", "standard_chess", "mass_destruction"):
        for kind in ("panzer", "cleric"):
            parts += [f"*{words[kind]}, {words[movement]}*", slide(paths["slides"][movement][f"{kind}_right"])]
    parts.append(words["hops"])
    for movement in ("weaponized", "standard_chess", "mass_destruction"):
        marks = dict.fromkeys([(x, y) for x, y in paths["hops"][movement]["chopper_right"]], "x")
        parts += [f"*{words[movement]}*", grid({**marks, (0, 0): "o"}, 3)]
    parts.append(words["pawns"])
    for name, ways in paths["pawns"].items():
        title = ", ".join(words[part] for part in name.split("."))
        parts += [f"*{title}*", pawn(ways)]
    jets = {(x, y): str(step) for line in paths["steps"]["jet_air"] for step, (x, y) in enumerate(line, 1)}
    parts += [words["jet"], grid({**jets, (0, 0): "o"}, 2)]
    return "\n\n".join(parts) + "\n"
