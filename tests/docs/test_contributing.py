import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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
    from services.runtime.settings_table import table

    assert table() in (ROOT / "docs" / "settings.md").read_text()
