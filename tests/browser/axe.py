"""Asks axe for what a page does wrong for people who do not see it, or not well."""

from playwright.sync_api import Page

from deploy.local import web

_SCRIPT = web.SOURCES / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target.join(" ")}`));
}"""


def findings(page: Page) -> list[str]:
    """Return what axe finds on a page as it is now: rule, its meaning and the element, one line each."""
    # Colours that are on their way are nobody's colours.
    page.evaluate("Promise.allSettled(document.getAnimations().map((each) => each.finished))")
    page.evaluate(_SCRIPT.read_text())
    found: list[str] = page.evaluate(_RUN)
    return found
