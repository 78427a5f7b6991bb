"""The world and the actions in words, for clients and screen readers that know no game."""

from brettwerk_games.rules.board import Board, BoardGroup, BoardPlace
from brettwerk_games.rules.emperado.actions import TO_THE_END, Action, Attack, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.game_end import TURNS
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import GHOST, Party, Position, View, is_active
from brettwerk_games.rules.emperado.world import CONTINENTS, COUNTRIES, LETTERS, NEIGHBOURS, SIZE
from brettwerk_games.rules.interface import Choice, Scene, Text, Thing
from brettwerk_games.rules.interface import Place as Spot
from brettwerk_games.rules.scenes import number_text

_BOARD = Board(
    tuple(
        BoardPlace(number, known.notation, *known.at, NEIGHBOURS[number], f"country.{known.id}")
        for number, known in enumerate(COUNTRIES)
    ),
    tuple(BoardGroup(known.id, known.countries, f"continent.{known.id}", known.bonus) for known in CONTINENTS),
    width=SIZE[0],
    height=SIZE[1],
)


def board_of(options: Options, seats: int) -> Board:
    """Return the world: countries with their neighbours (EMP-MAP-2), and continents with what they pay (EMP-REINF-3)."""
    return _BOARD


def choice(view: View, action: Action) -> Choice:
    """Return an action as the countries that it is about, and what is done there."""
    match action:
        case Place(country=country, armies=armies):
            name = COUNTRIES[country].notation
            return Choice((name,), Text("choice.place", {"country": name, "armies": str(armies)}))
        case Attack(source=source, target=target, throws=throws):
            places = (COUNTRIES[source].notation, COUNTRIES[target].notation)
            args = {"source": places[0], "target": places[1]}
            if throws == TO_THE_END:
                return Choice(places, Text("choice.attack.end", args))
            return Choice(places, Text("choice.attack", {**args, "throws": str(throws)}))
        case Move(source=source, target=target, armies=armies):
            places = (COUNTRIES[source].notation, COUNTRIES[target].notation)
            return Choice(places, Text("choice.move", {"source": places[0], "target": places[1], "armies": str(armies)}))
        case Enter(armies=armies):
            entry = view.position.entry
            return Choice((COUNTRIES[entry.target].notation,) if entry else (), Text("choice.enter", {"armies": str(armies)}))
        case Exchange(set=chosen):
            return Choice(
                (), Text(f"choice.exchange.{chosen.name.lower()}" if view.seat == view.position.to_move else "choice.exchange")
            )
        case Done():
            return Choice((), Text("choice.done"))


def scene(view: View) -> Scene:
    """Return the countries as a list, each with its owner's letter, its armies and a star where it can act (EMP-UI-3)."""
    return Scene(0, 0, tuple(_spot(view.position, country) for country in range(len(COUNTRIES))), _facts(view))


def _spot(position: Position, country: int) -> Spot:
    known, owner, armies = COUNTRIES[country], position.owners[country], position.armies[country]
    number = {"armies": str(armies)}
    if owner == GHOST:
        thing = Thing(str(armies), Text("thing.ghosts", number))
        return Spot(known.notation, 0, country, Text(f"ghosts.{known.id}", number), (thing,))
    args = {"seat": LETTERS[owner], **number}
    active = position.end is None and owner == position.to_move and is_active(position, country)
    what = "active" if active else "armies"
    thing = Thing(f"{LETTERS[owner]}{armies}{'*' if active else ''}", Text(f"thing.{what}", args), owner)
    return Spot(known.notation, 0, country, Text(f"{what}.{known.id}", args), (thing,))


def _facts(view: View) -> tuple[tuple[Text, Text], ...]:
    """Return what the menu tells the seat on turn, for every seat (EMP-UI-6)."""
    position = view.position
    rows = [TURNS.beside(position), (Text("fact.round"), number_text(position.round))]
    if not position.end:
        rows.append((Text("fact.to_place"), number_text(position.to_place)))
        rows.append((Text("fact.card_bonus"), number_text(position.card_bonus)))
    if view.seat is not None and view.seat < len(position.parties):
        own = position.parties[view.seat]
        cards = {"riders": str(own.riders), "soldiers": str(own.soldiers), "cannons": str(own.cannons)}
        rows.append((Text("fact.cards"), Text("fact.cards.own", cards)))
    rows += [(Text(f"fact.seat.{seat}"), _holding(position, seat, party)) for seat, party in enumerate(position.parties)]
    return tuple(rows)


def _holding(position: Position, seat: int, party: Party) -> Text:
    if party.out:
        return Text("fact.out", {"round": str(party.out)})
    countries = [armies for armies, owner in zip(position.armies, position.owners, strict=True) if owner == seat]
    args = {
        "countries": str(len(countries)),
        "armies": str(sum(countries)),
        "cards": f"{party.cards}{'+' if party.fresh else ''}",
    }
    return Text("fact.holding", args)
