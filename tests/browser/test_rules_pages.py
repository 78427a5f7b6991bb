"""Rules pages: pictures beside the text, contents, and a search; in both languages, themes and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.night import at_night, by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]
PICTURES = {"wec": 37, "einstein": 4, "plateau": 9, "emperado": 1}
TOO_WIDE = "() => document.documentElement.scrollWidth > innerWidth"
SMALLEST = """() => Math.min(...[...document.querySelectorAll("[data-testid=rules-picture] svg text")]
  .filter((text) => text.checkVisibility())
  .map((text) => text.getScreenCTM().a * parseFloat(getComputedStyle(text).fontSize)))"""


LOOKS = [("en-GB", "light", (1440, 900)), ("de-DE", "dark", (390, 844))]
ALL = [(game, *look) for game in PICTURES for look in LOOKS]


@pytest.mark.parametrize(("game", "locale", "scheme", "size"), by_day(ALL, ("einstein", *LOOKS[1])))
def test_a_rules_page_has_its_pictures_with_words_for_them(open_page, game, locale, scheme, size):
    page = open_page(f"/rules/{game}", locale=locale, color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
    pictures = page.get_by_test_id("rules-picture")
    expect(pictures).to_have_count(PICTURES[game])
    for drawing in pictures.locator("svg[role=img]").all():
        assert drawing.get_attribute("aria-label")
    assert not page.evaluate(TOO_WIDE)
    assert page.evaluate(SMALLEST) >= 11.9
    assert not findings(page)


@pytest.mark.parametrize("language", ["en-GB", at_night("de-DE")])
def test_the_rules_of_weaponized_chess_begin_with_two_pages_and_their_pictures(open_page, language):
    page = open_page("/rules/wec", locale=language)
    beginning = page.locator("article.rules h2").first
    rest = page.locator("article.rules h2").nth(1)
    drawn = page.locator("[id^=short-]").locator("xpath=ancestor::p/following-sibling::*[contains(@class, 'picture')][1]")
    expect(drawn).to_have_count(6)
    top, end = (each.evaluate("heading => heading.getBoundingClientRect().top") for each in (beginning, rest))
    for picture in drawn.all():
        box = picture.evaluate("picture => picture.getBoundingClientRect().toJSON()")
        assert top < box["top"] < end
        assert box["height"] > 60
    words = page.evaluate("""() => {
      let words = 0;
      let part = document.querySelector("article.rules h2").nextElementSibling;
      for (; part.tagName !== "H2"; part = part.nextElementSibling)
        words += part.matches(".picture") ? 0 : part.textContent.trim().split(/\\s+/).length;
      return words;
    }""")
    assert words < 900, "two pages"


@pytest.mark.nightly
def test_a_rules_page_is_searched_and_has_contents(open_page):
    page = open_page("/rules/wec")
    expect(page.get_by_test_id("rules-picture").first).to_be_attached()
    rule = page.get_by_text("A Chopper jumps to one of eight target Squares", exact=False)
    other = page.get_by_text("There are two players, Black and White", exact=False)
    page.get_by_test_id("rules-find").fill("chopper jumps")
    expect(rule).to_be_visible()
    expect(other).to_be_hidden()
    page.get_by_test_id("rules-find").fill("")
    expect(other).to_be_visible()
    page.get_by_test_id("rules-contents").locator("summary").click()
    page.get_by_test_id("rules-contents").get_by_role("link", name="Firing").click()
    expect(page.get_by_role("heading", name="Firing")).to_be_in_viewport()
