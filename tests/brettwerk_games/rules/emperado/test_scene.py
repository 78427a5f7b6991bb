"""The plain board and the words of choices."""

from brettwerk_games.rules.emperado.actions import TO_THE_END, Attack, CardSet, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.options import CaptureMove, CardExchange, Options
from brettwerk_games.rules.interface import Draw, Text
from tests.brettwerk_games.rules.emperado.worlds import BOLIVIEN, BRASILIEN, EMPERADO, PERU, SEED, A, B, C, captured, world

POSITION = world("Peru A8, Bolivien A1, Island -4, Korea C2", seats=4, to_place=5, cards={A: (1, 0, 2), B: (0, 3, 0)}, fresh=(B,))


def test_the_board_is_a_list_of_sixty_countries() -> None:
    scene = EMPERADO.scene(EMPERADO.view(POSITION, A))
    assert (scene.rows, scene.columns, len(scene.places)) == (0, 0, 60)


def test_a_country_shows_owner_armies_and_a_star_where_it_can_act() -> None:
    places = {place.name: place for place in EMPERADO.scene(EMPERADO.view(POSITION, B)).places}
    marks = {
        name: (places[name].things[0].mark, places[name].things[0].owner) for name in ("Peru", "Bolivien", "Island", "Korea")
    }
    assert marks == {"Peru": ("A8*", A), "Bolivien": ("A1", A), "Island": ("4", None), "Korea": ("C2", C)}
    assert places["Peru"].label == Text("active.peru", {"seat": "A", "armies": "8"})
    assert places["Bolivien"].label == Text("armies.bolivien", {"seat": "A", "armies": "1"})
    assert places["Island"].label == Text("ghosts.island", {"armies": "4"})


def test_a_blocked_country_has_no_star() -> None:
    places = EMPERADO.scene(EMPERADO.view(POSITION._replace(blocked=frozenset({PERU})), A)).places
    assert places[PERU].things[0].mark == "A8"


def test_the_seat_on_turn_is_told_what_the_menu_tells() -> None:
    facts = {caption.key: value for caption, value in EMPERADO.scene(EMPERADO.view(POSITION, A)).facts}
    assert facts["fact.turn"] == Text("seat.0.name")
    assert facts["fact.round"] == Text("fact.number", {"number": "2"})
    assert facts["fact.to_place"] == Text("fact.number", {"number": "5"})
    assert facts["fact.card_bonus"] == Text("fact.number", {"number": "4"})
    assert facts["fact.cards"] == Text("fact.cards.own", {"riders": "1", "soldiers": "0", "cannons": "2"})
    assert facts["fact.seat.0"] == Text("fact.holding", {"countries": "2", "armies": "9", "cards": "3"})
    assert facts["fact.seat.1"] == Text("fact.holding", {"countries": "56", "armies": "168", "cards": "3+"})
    assert facts["fact.seat.3"] == Text("fact.out", {"round": "1"})


def test_spectators_are_told_of_no_own_cards_and_of_the_result() -> None:
    over = EMPERADO.system_action(POSITION, Draw(), SEED).position
    facts = {caption.key: value for caption, value in EMPERADO.scene(EMPERADO.view(over, None)).facts}
    assert "fact.cards" not in facts
    assert facts["fact.result"] == Text("reason.agreed")


def test_choices_name_their_countries_in_touching_order() -> None:
    view = EMPERADO.view(POSITION, A)
    assert EMPERADO.choice(view, Place(PERU, 5)).places == ("Peru",)
    assert EMPERADO.choice(view, Attack(PERU, BRASILIEN, 5)).places == ("Peru", "Brasilien")
    assert EMPERADO.choice(view, Move(PERU, BOLIVIEN, 5)).places == ("Peru", "Bolivien")
    assert EMPERADO.choice(view, Done()).places == ()
    assert EMPERADO.choice(view, Attack(PERU, BRASILIEN, TO_THE_END)).label.key == "choice.attack.end"
    assert EMPERADO.choice(view, Attack(PERU, BRASILIEN, 5)).label.args["throws"] == "5"


def test_the_choice_of_armies_that_move_in_is_made_at_their_target() -> None:
    position = captured(
        world("Peru A8, Bolivien B1", options=Options(capture_move=CaptureMove.CHOOSE)), Attack(PERU, BOLIVIEN, 1)
    )
    choice = EMPERADO.choice(EMPERADO.view(position, A), Enter(5))
    assert (choice.places, choice.label) == (("Bolivien",), Text("choice.enter", {"armies": "5"}))


def test_a_set_is_named_to_its_owner_only() -> None:
    position = world(
        "Peru A8", to_place=3, exchanging=True, cards={A: (3, 0, 0)}, options=Options(card_exchange=CardExchange.MANUAL)
    )
    assert EMPERADO.choice(EMPERADO.view(position, A), Exchange(CardSet.RIDERS)).label.key == "choice.exchange.riders"
    assert EMPERADO.choice(EMPERADO.view(position, B), Exchange(CardSet.RIDERS)).label.key == "choice.exchange"
