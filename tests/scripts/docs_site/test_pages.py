"""Pages keep their links; sources and folders that they link to become pages, and a link that leads nowhere is found."""

from pathlib import Path

import pytest

from scripts.docs_site.pages import stage

GUIDE = """# Guide

See [the rules](../services/rules.py), [all games](../services/games), [the chart](../deploy/chart), [setup](setup.md#first)
and ![a board](board.svg).

```python
text = "[not a link](nowhere.md)"
```
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    files = {
        "docs/guide.md": GUIDE,
        "docs/setup.md": "# Setup",
        "docs/board.svg": "<svg/>",
        "services/rules.py": "MAX = 3\n",
        "services/games/chess.py": "",
        "services/games/__init__.py": "",
        "deploy/chart/README.md": "# Chart",
    }
    for name, text in files.items():
        path = tmp_path / "repository" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "repository"


def test_links_to_pages_stay_and_others_lead_to_pages_of_sources(repository: Path, tmp_path: Path) -> None:
    stage(repository, tmp_path / "site")
    text = (tmp_path / "site" / "docs" / "guide.md").read_text("utf-8")
    assert "(../services/rules.py.md)" in text
    assert "(../services/games.md)" in text
    assert "(../deploy/chart/README.md)" in text
    assert "(setup.md#first)" in text
    assert "(board.svg)" in text
    assert '"[not a link](nowhere.md)"' in text


def test_a_source_is_shown_with_its_name_and_a_folder_by_the_names_in_it(repository: Path, tmp_path: Path) -> None:
    stage(repository, tmp_path / "site")
    source = (tmp_path / "site" / "services" / "rules.py.md").read_text("utf-8")
    assert "# services/rules.py" in source
    assert "````python\nMAX = 3\n" in source
    assert (tmp_path / "site" / "services" / "games.md").read_text("utf-8").endswith("\n- `chess.py`\n")


def test_a_removed_page_goes_when_the_site_is_made_again(repository: Path, tmp_path: Path) -> None:
    stage(repository, tmp_path / "site")
    (repository / "docs" / "guide.md").unlink()
    stage(repository, tmp_path / "site")
    assert not (tmp_path / "site" / "docs" / "guide.md").exists()
    assert not (tmp_path / "site" / "services").exists()


def test_a_link_that_leads_nowhere_is_refused_with_its_page(repository: Path, tmp_path: Path) -> None:
    (repository / "docs" / "setup.md").write_text("[gone](../gone.py)", "utf-8")
    with pytest.raises(ValueError, match=r"docs/setup.md links to ../gone.py"):
        stage(repository, tmp_path / "site")
