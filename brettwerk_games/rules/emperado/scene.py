"""The world and the actions in words, for clients and screen readers that know no game."""

from functools import cache

from brettwerk_games.rules.board import Board, BoardGroup, BoardPlace
from brettwerk_games.rules.emperado.actions import TO_THE_END, Action, Attack, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.game_end import TURNS
from brettwerk_games.rules.emperado.maps import require_world
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import GHOST, Party, Position, View, is_active
from brettwerk_games.rules.emperado.world import LETTERS, World
from brettwerk_games.rules.interface import Choice, Scene, Text, Thing
from brettwerk_games.rules.interface import Place as Spot
from brettwerk_games.rules.scenes import number_text


@cache
def _board(world: World) -> Board:
    return Board(
        tuple(
            BoardPlace(number, known.notation, *known.at, world.neighbours[number], f"country.{known.key}", known.shape)
            for number, known in enumerate(world.countries)
        ),
        tuple(
            BoardGroup(known.id, known.countries, f"continent.{known.key}", known.bonus, colour=known.colour)
            for known in world.continents
        ),
        width=world.size[0],
        height=world.size[1],
    )


def board_of(options: Options, seats: int) -> Board:
    """Return the world: countries with their neighbours (EMP-MAP-2), and continents with what they pay (EMP-REINF-3).

    Raises Malformed for a map that is not installed.
    """
    return _board(require_world(options.map))


def choice(view: View, action: Action) -> Choice:
    """Return an action as the countries that it is about, and what is done there."""
    countries = view.position.world.countries
    match action:
        case Place(country=country, armies=armies):
            name = countries[country].notation
            return Choice((name,), Text("choice.place", {"country": name, "armies": str(armies)}))
        case Attack(source=source, target=target, throws=throws):
            places = (countries[source].notation, countries[target].notation)
            args = {"source": places[0], "target": places[1]}
            if throws == TO_THE_END:
                return Choice(places, Text("choice.attack.end", args))
            return Choice(places, Text("choice.attack", {**args, "throws": str(throws)}))
        case Move(source=source, target=target, armies=armies):
            places = (countries[source].notation, countries[target].notation)
            return Choice(places, Text("choice.move", {"source": places[0], "target": places[1], "armies": str(armies)}))
        case Enter(armies=armies):
            entry = view.position.entry
            return Choice((countries[entry.target].notation,) if entry else (), Text("choice.enter", {"armies": str(armies)}))
        case Exchange(set=chosen):
            return Choice(
                (), Text(f"choice.exchange.{chosen.name.lower()}" if view.seat == view.position.to_move else "choice.exchange")
            )
        case Done():
            return Choice((), Text("choice.done"))


def scene(view: View) -> Scene:
    """Return the countries as a list, each with its owner's letter, its armies and a star where it can act (EMP-UI-3)."""
    return Scene(0, 0, tuple(_spot(view.position, country) for country in range(view.position.world.count)), _facts(view))


def _spot(position: Position, country: int) -> Spot:
    known, owner, armies = position.world.countries[country], position.owners[country], position.armies[country]
    number = {"armies": str(armies)}
    if owner == GHOST:
        thing = Thing(str(armies), Text("thing.ghosts", number))
        return Spot(known.notation, 0, country, Text(f"ghosts.{known.key}", number), (thing,))
    args = {"seat": LETTERS[owner], **number}
    active = position.end is None and owner == position.to_move and is_active(position, country)
    what = "active" if active else "armies"
    thing = Thing(f"{LETTERS[owner]}{armies}{'*' if active else ''}", Text(f"thing.{what}", args), owner)
    return Spot(known.notation, 0, country, Text(f"{what}.{known.key}", args), (thing,))


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
