"""A hook of MkDocs: an entry of the navigation that names a folder stands for all pages in it."""

from pathlib import Path
from typing import Any


def on_config(config: Any) -> Any:
    """Return the settings of the site, with folders in the navigation replaced by their pages."""
    config["nav"] = [with_pages(entry, Path(config["docs_dir"])) for entry in config["nav"]]
    return config


def with_pages(entry: Any, folder: Path) -> Any:
    """Return an entry with the pages of each folder that it names: README.md or index.md first, the others by name."""
    if isinstance(entry, dict):
        return {title: with_pages(inner, folder) for title, inner in entry.items()}
    if isinstance(entry, list):
        return [with_pages(inner, folder) for inner in entry]
    if not (folder / entry).is_dir():
        return entry
    pages = sorted((folder / entry).glob("*.md"), key=lambda page: (page.stem not in ("README", "index"), page.stem))
    return [f"{entry}/{page.name}" for page in pages]
