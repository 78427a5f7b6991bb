"""Makes the diagrams of packages in docs/architecture.md from the imports of the code.

    python -m scripts.package_diagrams [--check]

With --check it only says that the page is stale, and fails then. An arrow leads from a package to one that its modules import.
What is imported only for its types is left out, and so is an arrow between packages that are connected by others. Packages that
import each other share a box.
"""

import argparse
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- made by python -m scripts.package_diagrams -->\n", "<!-- end of what is made -->\n"
GROUPS = ("brettwerk_games", "services", "deploy")
"""Folders that hold packages and are none themselves."""
MIN_PACKAGES = 4
"""A package with fewer of its own has no diagram."""
Imports = Mapping[str, Collection[str]]
"""The imports of each package, by name."""


def diagrams() -> str:
    """Return the part of the page that is made: a diagram of all packages, and one of each with many of its own."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["root_packages"]
    graph = grimp.build_graph(*known, exclude_type_checking_imports=True, cache_dir=None)
    whole = imports(graph, {name: top for name in graph.modules if (top := package(name))})
    texts = [flowchart(whole)]
    for name in sorted(whole):
        below = {
            module: rest.partition(".")[0]
            for module in graph.find_descendants(name)
            if "." in (rest := module.removeprefix(f"{name}."))
        }
        if len(set(below.values())) >= MIN_PACKAGES:
            texts.append(f"Inside `{name.replace('.', '/')}/`:\n\n{flowchart(imports(graph, below))}")
    return "\n".join(texts)


def package(module: str) -> str:
    """Return the package of a module in the diagram of all; empty for one beside them."""
    names = module.split(".")
    if names[0] not in GROUPS:
        return names[0]
    return ".".join(names[:2]) if len(names) > 1 else ""


def imports(graph: grimp.ImportGraph, packages: Mapping[str, str]) -> dict[str, set[str]]:
    """Return what packages import of each other, by name; `packages` says to which one a module belongs."""
    found: dict[str, set[str]] = {name: set() for name in packages.values()}
    for module, own in packages.items():
        found[own] |= {packages[name] for name in graph.find_modules_directly_imported_by(module) if name in packages}
    return found


def flowchart(imports: Imports) -> str:
    """Return a Mermaid diagram of packages. Those that are connected with no other one are left out."""
    arrows = sorted(reduced(imports))
    lines = [f"  {_box(a)} --> {_box(b)}\n" for a, b in arrows]
    return f"```mermaid\nflowchart TD\n{''.join(lines)}```\n"


def reduced(imports: Imports) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the arrows, from and to packages that import each other, which follow from no others."""
    beyond = {name: _reachable(imports, name) for name in imports}
    circles = {name: tuple(sorted({name} | {other for other in beyond[name] if name in beyond[other]})) for name in imports}
    for own in sorted(set(circles.values())):
        near = {circles[name] for member in own for name in imports[member]} - {own}
        for other in near:
            if not any(other[0] in beyond[way[0]] for way in near - {other}):
                yield own, other


def _reachable(imports: Imports, start: str) -> set[str]:
    found: set[str] = set()
    left = list(imports[start])
    while left:
        if (name := left.pop()) not in found:
            found.add(name)
            left.extend(imports[name])
    return found


def _box(names: tuple[str, ...]) -> str:
    label = "<br>".join(name.replace(".", "/") for name in names)
    name = names[0].replace(".", "_")
    return name if name == label else f'{name}["{label}"]'


def renewed(page: str) -> str:
    """Return a page with the diagrams as they are now in the place of those that it has."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{diagrams()}\n{END}{after}"


def main() -> int:
    """Return the exit code: 1 if the page is stale and only checked."""
    parser = argparse.ArgumentParser(prog="python -m scripts.package_diagrams", description=__doc__)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    page = PAGE.read_text("utf-8")
    made = renewed(page)
    if made == page:
        return 0
    if args.check:
        print("the diagrams of docs/architecture.md are stale: python -m scripts.package_diagrams")
        return 1
    PAGE.write_text(made, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
