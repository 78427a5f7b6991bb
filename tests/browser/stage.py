"""The promises of the stage, and how it is looked at: once, or all through a game."""

from playwright.sync_api import Page

from tests.browser.conftest import SLOWER

MAX_SHIFT = 0.01
"""How much moves by itself at most."""
MIN_TEXT = 11.99
"""How small text on a board is at most, in pixels."""

BOARD_SHARE = """() => {
  const { width, height } = document.querySelector("[data-testid=board]").getBoundingClientRect();
  return (width * height) / (innerWidth * innerHeight);
}"""
OUT_OF_SIGHT = """() => {
  const inSight = (each) => {
    const { top, bottom, left, right, width } = each.getBoundingClientRect();
    return width > 0 && top >= 0 && left >= 0 && bottom <= innerHeight + 0.5 && right <= innerWidth + 0.5;
  };
  const needed = [...document.querySelectorAll("[data-testid=turn] :is(button, select, [data-testid=board-hint])")];
  const hidden = needed.filter((each) => each.getBoundingClientRect().width > 0 && !inSight(each));
  const seats = [...document.querySelectorAll("[data-testid^=seat-]:has([role=timer])")].map((_, seat) => seat);
  const clocks = (seat) => [...document.querySelectorAll(`[data-testid=clock-${seat}], [data-testid=turn-clock-${seat}]`)];
  return [
    ...hidden.map((each) => each.dataset.testid ?? each.textContent),
    ...seats.filter((seat) => !clocks(seat).some(inSight)).map((seat) => `clock ${seat}`),
  ];
}"""
TEXT_SIZES = """(among) => [...document.querySelectorAll(`[data-testid=board] text${among}`)].map((text) => {
  const { a, b } = text.getScreenCTM();
  return Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize);
})"""
OBSERVE = """() => {
  globalThis.shifts = [];
  let asked = 0;
  const after = () => (asked = performance.now() + EXPECTED_MS);
  const input = () => {
    asked = Infinity;
    requestAnimationFrame(() => requestAnimationFrame(after));
  };
  for (const kind of ["pointerdown", "pointerup", "click", "keydown"]) addEventListener(kind, input, { capture: true });
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput && startTime > asked)
        globalThis.shifts.push([startTime, value, sources.map(({ node }) => node?.outerHTML?.slice(0, 90))]);
  }).observe({ type: "layout-shift" });
}""".replace("EXPECTED_MS", str(round(500 * SLOWER)))
"""Keeps the shifts that nobody has asked for. Browsers call those expected that come within 500 ms of an input; on a machine that
is busy, a page may not have drawn its answer by then, so they count from when it has, and longer where it is slowed."""
FOLLOW = f"""() => {{
  const look = [{OUT_OF_SIGHT}, {TEXT_SIZES}, {BOARD_SHARE}];
  const seen = (globalThis.stage = {{ looks: 0, share: 1, text: 100, hidden: [] }});
  let before = [];
  setInterval(() => {{
    if (document.querySelector("[data-testid=board]") === null || document.querySelector("[data-testid=result]") !== null) return;
    const hidden = look[0]();
    // A part that has just come may still be on its way into sight.
    seen.hidden.push(...hidden.filter((each) => before.includes(each)));
    before = hidden;
    const sizes = look[1]("").filter((size) => size > 0);
    seen.text = Math.min(seen.text, ...sizes);
    seen.share = Math.min(seen.share, look[2]());
    seen.looks++;
  }}, 200);
}}"""


def cumulative_layout_shift(page: Page) -> float:
    """Return the score as browsers define it: the worst window of at most 5 s whose shifts are less than 1 s apart."""
    worst = score = 0.0
    first = last = -1e9
    for time_ms, value, _ in page.evaluate("globalThis.shifts"):
        if time_ms - last > 1000 or time_ms - first > 5000:
            first, score = time_ms, 0.0
        last = time_ms
        score += value
        worst = max(worst, score)
    return worst


def follow(page: Page) -> None:
    """Look at the stage from now on. It is to be touched by mouse or finger: what answers a script counts as a shift."""
    page.evaluate(OBSERVE)
    page.evaluate(FOLLOW)


def check(page: Page, *, share: float = 0.0) -> None:
    """Fail unless the stage has kept its promises since it is followed: its board had that share of the window at least."""
    assert cumulative_layout_shift(page) < MAX_SHIFT, page.evaluate("globalThis.shifts")
    seen = page.evaluate("globalThis.stage")
    assert seen["looks"] > 0
    assert seen["hidden"] == [], f"what a turn needs was out of sight: {seen['hidden']}"
    assert seen["text"] >= MIN_TEXT, "text on the board was too small"
    assert seen["share"] >= share, "the board was too small"
