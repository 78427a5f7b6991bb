"""Computers have names, characters and faces, and their strength stands beside the name."""

import pytest
from playwright.sync_api import expect

from tests.browser.play import choose_game, from_menu

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

NORMAL = {
    "einstein": ("Otto – Normal", "Otto – Mittel"),
    "emperado": ("Carla – Normal", "Carla – Mittel"),
    "plateau": ("Kyra – Normal", "Kyra – Mittel"),
    "wec": ("Wanda – Normal", "Wanda – Mittel"),
}


@pytest.mark.nightly
@pytest.mark.parametrize(("language", "locale"), [(0, "en-GB"), (1, "de-DE")])
def test_the_choice_of_a_level_shows_its_name_and_character(open_page, language, locale):
    page = open_page(locale=locale)
    for game, names in NORMAL.items():
        choose_game(page, game)
        expect(page.get_by_test_id(f"about-{game}")).to_be_visible()
        expect(page.get_by_test_id("play-button")).to_contain_text(names[language])
        levels = page.get_by_test_id("level-all")
        for name in levels.locator("option").all_text_contents():
            assert " – " in name, name
            levels.select_option(label=name)
            level = levels.input_value()
            expect(page.locator(f".basics [data-portrait='{game} {level}']")).to_be_visible()
            expect(page.get_by_test_id("character")).not_to_be_empty()


@pytest.mark.nightly
def test_at_the_table_a_computer_has_its_face_name_and_strength(open_page):
    page = open_page()
    choose_game(page, "einstein")
    page.get_by_test_id("level-all").select_option("strong")
    page.get_by_test_id("play-button").click()
    seat = page.get_by_test_id("seat-1")
    expect(seat).to_contain_text("Computer")
    expect(seat).to_contain_text("Vera – Strong")
    expect(seat.locator("[data-portrait='einstein strong']")).to_be_visible()
    expect(page.get_by_test_id("seat-0").locator("[data-portrait]")).to_have_count(0)
    from_menu(page, "hand-over")
    expect(page.get_by_test_id("seat-0").locator("[data-portrait]")).to_be_visible()
