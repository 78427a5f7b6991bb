"""How somebody gets about a page without a mouse: by Tab to what is wanted, and by arrows inside a grid."""

import pytest
from playwright.sync_api import Page

MAX_TABS = 60
"""How often Tab may be pressed on the way to anything: further off, nobody finds it."""
IS_ON = "(wanted) => document.activeElement?.matches(wanted) ?? false"
CELL = '[data-testid="board"] [role=gridcell]'
WAY = """(square) => {
  const at = document.activeElement;
  const to = document.querySelector(`[data-testid=board] [data-testid="square-${square}"]`);
  const place = (cell) => [Number(cell.closest("[role=row]").ariaRowIndex), Number(cell.ariaColIndex)];
  const [[row, column], [toRow, toColumn]] = [place(at), place(to)];
  return [toRow - row, toColumn - column];
}"""
"""How many rows down and columns to the right a square is from the one that has the focus, on the screen."""


def tab_to(page: Page, wanted: str, *, back: bool = False) -> None:
    """Press Tab, or Shift and Tab, until what a selector names has the focus."""
    passed = []
    for _ in range(MAX_TABS):
        if page.evaluate(IS_ON, wanted):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
        passed.append(page.evaluate("document.activeElement?.outerHTML.slice(0, 60)"))
    pytest.fail(f"no Tab leads to {wanted}: {passed}")


def press(page: Page, wanted: str, key: str = "Enter", *, back: bool = False) -> None:
    """Go to something by Tab and press a key on it."""
    tab_to(page, wanted, back=back)
    page.keyboard.press(key)


def walk(page: Page, square: str) -> None:
    """Go to a square by the arrow keys, from the one that has the focus."""
    down, right = page.evaluate(WAY, square)
    for key, times in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
        for _ in range(times):
            page.keyboard.press(key)
    assert page.evaluate(IS_ON, f'[data-testid="square-{square}"]'), f"no arrow key leads to {square}"
