"""A folder in the navigation stands for its pages."""

from pathlib import Path

from scripts.docs_site.nav import with_pages


def test_a_folder_becomes_its_pages_with_the_first_one_in_front(tmp_path: Path) -> None:
    (tmp_path / "runbooks").mkdir()
    for name in ("B.md", "README.md", "A.md"):
        (tmp_path / "runbooks" / name).touch()
    entry = {"Operation": ["operations.md", {"Runbooks": "runbooks"}]}
    made = {"Operation": ["operations.md", {"Runbooks": ["runbooks/README.md", "runbooks/A.md", "runbooks/B.md"]}]}
    assert with_pages(entry, tmp_path) == made
