"""The notation, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk_games.rules.emperado.actions import TO_THE_END, Attack, CardSet, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.options import CaptureMove, CardExchange, Options
from brettwerk_games.rules.emperado.position import Position, View
from brettwerk_games.rules.emperado.world import COUNTRIES
from brettwerk_games.rules.refusals import Ambiguous, GameRefusal, Illegal, Malformed, NotYourTurn
from tests.brettwerk_games.rules.emperado.worlds import BOLIVIEN, BRASILIEN, EMPERADO, OF, PERU, A, B, C, captured, world

FIGHTING = world("Peru A9, Bolivien A3, Brasilien B4")
PLACING = world("Peru A9, Nordwest A5", to_place=12)


def view(position: Position, seat: int | None = A) -> View:
    return EMPERADO.view(position, seat)


@pytest.mark.parametrize(
    ("position", "action", "text"),
    [
        (PLACING, Place(PERU, 7), "Peru +7"),
        (PLACING, Place(OF["Nordwest"], 100), "Nordwest +100"),
        (FIGHTING, Attack(PERU, BRASILIEN, 5), "Peru -> Brasilien 5"),
        (FIGHTING, Attack(PERU, BRASILIEN, TO_THE_END), "Peru -> Brasilien max"),
        (FIGHTING, Move(PERU, BOLIVIEN, 4), "Peru => Bolivien 4"),
        (FIGHTING, Done(), "Fertig"),
    ],
)
def test_actions_are_written_like_this_and_read_again(position: Position, action: Place, text: str) -> None:
    assert EMPERADO.write(view(position), action) == text
    assert EMPERADO.read(view(position), text) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("peru+3", Place(PERU, 3)),
        ("  PERU  +  3 ", Place(PERU, 3)),
        ("Peru +", Place(PERU, 1)),
        ("Peru + max", Place(PERU, 12)),
        ("Nordw +2", Place(OF["Nordwest"], 2)),
        ("Nordwestterritorium +2", Place(OF["Nordwest"], 2)),
        ("northwest territory +2", Place(OF["Nordwest"], 2)),
    ],
)
def test_placing_is_read_leniently(text: str, action: Place) -> None:
    assert EMPERADO.read(view(PLACING), text) == action


@pytest.mark.parametrize("name", ["Britannien", "Britanien", "britain", "Brit"])
def test_a_country_is_written_as_in_the_original_and_read_by_its_right_name_too(name: str) -> None:
    britain = world("Britanien A3", to_place=2)
    assert EMPERADO.read(view(britain), f"{name} +2") == Place(OF["Britanien"], 2)
    assert EMPERADO.write(view(britain), Place(OF["Britanien"], 2)) == "Britanien +2"
    assert COUNTRIES[OF["Britanien"]].name_de == "Britannien"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("peru->brazil", Attack(PERU, BRASILIEN, 1)),
        ("Peru - Brasilien 20", Attack(PERU, BRASILIEN, 20)),
        ("Peru > Bolivia", Move(PERU, BOLIVIEN, 1)),
        ("Peru – Bolivien max", Move(PERU, BOLIVIEN, 8)),
        ("Peru ⇒ Bolivien 3", Move(PERU, BOLIVIEN, 3)),
        ("Peru → Brasilien max", Attack(PERU, BRASILIEN, TO_THE_END)),
        ("peru=bol 2", Move(PERU, BOLIVIEN, 2)),
        ("DONE", Done()),
        ("ende", Done()),
    ],
)
def test_attacks_and_moves_are_read_leniently(text: str, action: Attack) -> None:
    assert EMPERADO.read(view(FIGHTING), text) == action


@pytest.mark.parametrize(
    ("name", "known"), [("Südstaaten", "Südstaaten"), ("suedstaaten", "Südstaaten"), ("TÜRKEI", "Türkei"), ("turkey", "Türkei")]
)
def test_umlauts_do_not_matter(name: str, known: str) -> None:
    position = world(f"{known} A9", to_place=1)
    assert EMPERADO.read(view(position), f"{name} +1") == Place(OF[known], 1)


@given(st.sampled_from(range(60)), st.sampled_from(("name_de", "name_en", "notation", "id")), st.integers(1, 10**9))
def test_every_country_is_known_by_all_its_names(country: int, name: str, armies: int) -> None:
    position = world("Peru A9", rest="A", lands={B: ((country + 1) % 60,)}, to_place=4)
    assert EMPERADO.read(view(position), f"{getattr(COUNTRIES[country], name)} +{armies}") == Place(country, armies)


def test_a_name_that_is_too_short_is_ambiguous() -> None:
    with pytest.raises(Ambiguous) as refused:
        EMPERADO.read(view(PLACING), "B +1")
    assert "Brasilien" in refused.value.details["countries"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Peru -> Bolivien 1", "EMP-ATTACK-2"),
        ("Peru => Brasilien 1", "EMP-MOVE-1"),
        ("Brasilien -> Peru 1", "EMP-ATTACK-1"),
        ("Peru +1", "EMP-TURN-5"),
        ("Einmarsch 3", "EMP-ATTACK-11"),
        ("Tausch RRR", "EMP-CARD-4"),
    ],
)
def test_readable_notation_of_an_illegal_action_is_refused_by_its_rule(text: str, rule: str) -> None:
    with pytest.raises(Illegal) as refused:
        EMPERADO.read(view(FIGHTING), text)
    assert refused.value.rule == rule


NONSENSE = ("", "Peru", "Atlantis +1", "Peru +0", "Peru + -1", "Peru +99999999999", "Peru -> ", "-> Peru", "Tausch", "Tausch RRS")
MORE = ("Peru -> Bolivien 10001", "x" * 81, "Peru ++1", "+1", "Peru +١")


@pytest.mark.parametrize("text", NONSENSE + MORE)
def test_nonsense_is_malformed(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        EMPERADO.read(view(PLACING), text)
    assert refused.value.rule == "EMP-NOTATION-1"
    assert len(refused.value.details["text"]) <= 41


@given(st.text(max_size=90))
def test_no_text_breaks_the_reader(text: str) -> None:
    for position in (FIGHTING, PLACING):
        try:
            EMPERADO.read(view(position), text)
        except GameRefusal:
            continue


def test_another_seats_text_is_refused() -> None:
    with pytest.raises(NotYourTurn):
        EMPERADO.read(view(FIGHTING, B), "Fertig")


def test_sets_are_written_for_their_owner_only() -> None:
    options = Options(card_exchange=CardExchange.MANUAL)
    position = world("Peru A9, Bolivien C1", to_place=3, exchanging=True, cards={A: (4, 4, 4)}, options=options)
    for chosen, text in ((CardSet.RIDERS, "RRR"), (CardSet.SOLDIERS, "SSS"), (CardSet.CANNONS, "KKK"), (CardSet.MIXED, "RSK")):
        assert EMPERADO.write(view(position), Exchange(chosen)) == f"Tausch {text}"
        assert EMPERADO.read(view(position), f"tausch {text.lower()}") == Exchange(chosen)
        assert {EMPERADO.write(view(position, seat), Exchange(chosen)) for seat in (B, C, None)} == {"Tausch"}
    assert EMPERADO.read(view(position), "exchange CSR") == Exchange(CardSet.MIXED)


def test_armies_that_move_in_are_written() -> None:
    position = captured(
        world("Peru A8, Brasilien B1", options=Options(capture_move=CaptureMove.CHOOSE)), Attack(PERU, BRASILIEN, 1)
    )
    assert EMPERADO.write(view(position), Enter(5)) == "Einmarsch 5"
    assert EMPERADO.read(view(position), "enter 5") == Enter(5)
    assert EMPERADO.read(view(position), "Einmarsch max") == Enter(7)
