"""Puts the pages of the site into one folder, which has the tree of the repository: links between pages stay as they are.

A link of a page to something beside pages and pictures, a source file or a folder, becomes a page too, so that a site needs no
forge.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

GLOBS = (
    "*.md",
    "docs/**/*.md",
    "docs/**/*.png",
    "docs/**/*.svg",
    "docs/**/*.css",
    "clients/*/README.md",
    "deploy/*/README.md",
    "brettwerk_games/README.md",
    "grpc_http2/README.md",
    "loadtests/README.md",
    "protos/README.md",
    "brettwerk_games/rules/*/rules.*.md",
)
LANGUAGES = {".py": "python", ".proto": "protobuf", ".yaml": "yaml", ".json": "json", ".toml": "toml", ".ts": "typescript"}
"""How the sources that pages link to are highlighted, by ending."""

_FENCE = re.compile(r"^(```.*?^```\s*?$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\]\()(?![a-z]+:|#|/)([^)\s#]+)(#[^)\s]*)?(?=\))")
_SHOWN_AS_THEY_ARE = (".md", ".png", ".svg")


def stage(root: Path, folder: Path) -> None:
    """Fill a fresh folder with a repository's pages and what they link to. Raises ValueError where a link leads nowhere."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in found(root):
        target = folder / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copyfile(path, target)
            continue
        text, linked = with_sources_as_pages(path.read_text("utf-8"), PurePosixPath(path.relative_to(root)), root)
        target.write_text(text, "utf-8")
        for source in linked:
            page = folder / page_of(source)
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(listing(root, source), "utf-8")


def found(root: Path) -> Iterator[Path]:
    """Yield the files of the site: pages and pictures."""
    for glob in GLOBS:
        yield from (path for path in sorted(root.glob(glob)) if "node_modules" not in path.parts)


def with_sources_as_pages(text: str, page: PurePosixPath, root: Path) -> tuple[str, set[PurePosixPath]]:
    """Return a page whose links to sources and folders lead to pages of them, and what these links led to.

    Raises ValueError where a link leads to nothing in the repository.
    """
    linked: set[PurePosixPath] = set()

    def replaced(link: re.Match[str]) -> str:
        target = PurePosixPath(os.path.normpath(page.parent / link[2]))
        if not (root / target).exists():
            raise ValueError(f"{page} links to {link[2]}, which is not there")
        if target.suffix in _SHOWN_AS_THEY_ARE:
            return link[0]
        if (root / target / "README.md").exists():
            return f"{link[1]}{link[2].rstrip('/')}/README.md"
        linked.add(target)
        return link[1] + os.path.relpath(page_of(target), page.parent)

    return outside_fences(text, lambda part: _LINK.sub(replaced, part)), linked


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Return a page with everything but its blocks of code changed."""
    # Every second part is a block.
    return "".join(part if number % 2 else change(part) for number, part in enumerate(_FENCE.split(text)))


def page_of(source: PurePosixPath) -> PurePosixPath:
    """Return where the page of a source file or a folder stands."""
    return source.with_name(f"{source.name}.md")


def listing(root: Path, source: PurePosixPath) -> str:
    """Return a page that shows a source file, or the names in a folder."""
    path = root / source
    title = f"---\ntitle: {source}\n---\n\n# {source}\n\n"
    if path.is_dir():
        names = sorted(
            f"{one.name}{'/' if one.is_dir() else ''}" for one in path.iterdir() if not one.name.startswith((".", "__"))
        )
        return title + "".join(f"- `{name}`\n" for name in names)
    return f"{title}````{LANGUAGES.get(source.suffix, 'text')}\n{path.read_text('utf-8')}\n````\n"
