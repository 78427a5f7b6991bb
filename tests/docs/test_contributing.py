import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACE = re.compile(r"^\| .+ \| `([\w/.]+)`(?: `([\w.]+)`)? \|$", re.MULTILINE)
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def test_the_page_shows_exactly_the_bot_that_is_tested():
    page = (ROOT / "CONTRIBUTING.md").read_text()
    (shown,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert shown == (ROOT / "examples" / "bot.py").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_option_of_the_launcher_stands_in_the_readme():
    from argparse import SUPPRESS

    from deploy.local.options import parser

    page = (ROOT / "README.md").read_text()
    shown = [action for action in parser()._actions if action.help != SUPPRESS]
    options = [word for action in shown for word in action.option_strings if word.startswith("--")]
    assert [option for option in options if option != "--help" and f"`{option}" not in page] == []


def test_the_table_of_settings_is_the_one_of_the_program():
    from services.runtime.settings import table

    assert table() in (ROOT / "docs" / "settings.md").read_text()


def places() -> list[tuple[str, str]]:
    """Return the places of the section for newcomers: a path and a name in it, empty for a component, which is its file."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    _, _, rest = page.partition("## Find your way")
    section, _, _ = rest.partition("\n## ")
    return PLACE.findall(section)


def defined(file: Path) -> set[str]:
    """Return what a module defines at its top, and with its class in front what that does."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return set(re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", text, re.MULTILINE))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = {node.name: node for node in ast.parse(text).body if isinstance(node, kinds)}
    inner = {f"{name}.{one.name}" for name, node in found.items() for one in node.body if isinstance(one, kinds)}
    return found.keys() | inner


def test_newcomers_are_shown_thirty_places():
    assert len(places()) == 30


@pytest.mark.parametrize(("path", "name"), places())
def test_behaviours_that_newcomers_look_for_are_where_the_page_says(path: str, name: str):
    file = ROOT / path
    assert file.is_file()
    if name:
        assert name in defined(file)
    else:
        assert file.suffix == ".svelte"


def test_a_name_that_a_module_lacks_is_noticed():
    assert "places.nothing" not in defined(Path(__file__))
    assert {"places", "defined"} <= defined(Path(__file__))
