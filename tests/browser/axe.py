"""Asks axe for what a page does wrong for people who do not see it, or not well."""

from playwright.sync_api import Page

from deploy.local import web

_SCRIPT = web.SOURCES / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target.join(" ")}`));
}"""

# Colours that are on their way are nobody's colours. What turns for ever has none of its own.
_SETTLE = """() => {
  const ending = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime !== Infinity);
  return Promise.allSettled(ending.map((each) => each.finished));
}"""


def findings(page: Page) -> list[str]:
    """Return what axe finds on a page as it is now: rule, its meaning and the element, one line each."""
    page.evaluate(_SETTLE)
    page.evaluate(_SCRIPT.read_text())
    found: list[str] = page.evaluate(_RUN)
    return found
