"""The page of the architecture names the functions that an action passes: each is called, in that order."""

import re
from pathlib import Path

from tests.docs.action_trace import ROOT, Entered, traced

ROW = re.compile(r"^\| `([\w/]+\.py)` `([\w.]+)` \|", re.MULTILINE)
EITHER = "in either order"


def named() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the functions that the page names in order, and those that come after them in any."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    _, _, rest = page.partition("\n## One action\n")
    section, _, _ = rest.partition("\n## ")
    ordered, _, after = section.partition(EITHER)
    return ROW.findall(ordered), ROW.findall(after)


def missing(names: list[tuple[str, str]], entered: list[Entered]) -> list[tuple[str, str]]:
    """Return the functions that were not called in this order: the first of them, and all after it."""
    calls = iter(entered)
    return [name for name in names if not any(name == call for call in calls)]


async def test_an_action_passes_the_functions_that_the_page_names(tmp_path: Path) -> None:
    ordered, after = named()
    assert len(ordered) > 20
    assert after
    for entered in await traced(tmp_path):
        assert missing(ordered, entered) == []
        assert [missing([*ordered, one], entered) for one in after] == [[]] * len(after)


def test_a_function_that_is_not_called_in_its_turn_is_noticed() -> None:
    calls = [Entered("a.py", "first"), Entered("a.py", "second"), Entered("b.py", "third")]
    assert missing([("a.py", "first"), ("b.py", "third")], calls) == []
    assert missing([("a.py", "second"), ("a.py", "first")], calls) == [("a.py", "first")]
    assert missing([("b.py", "first"), ("b.py", "third")], calls) == [("b.py", "first"), ("b.py", "third")]
