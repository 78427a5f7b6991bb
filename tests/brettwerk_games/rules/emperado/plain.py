"""Results that the game's fast ways must reach, written down the plain way: messages field by field, lists action by action."""

from collections.abc import Iterator

from brettwerk.v1 import emperado_pb2 as pb
from brettwerk_games.rules.emperado.actions import TO_THE_END, Action, Attack, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.battle import max_throws
from brettwerk_games.rules.emperado.cards import sets
from brettwerk_games.rules.emperado.odds import odds, series
from brettwerk_games.rules.emperado.options import Luck, Options
from brettwerk_games.rules.emperado.placement import must_exchange
from brettwerk_games.rules.emperado.position import GHOST, Party, Position, View, is_active, seats_in
from brettwerk_games.rules.emperado.reinforcement import BASIC, country_bonus
from brettwerk_games.rules.emperado.strength import SHARE_OF_A_SET, TURNS
from services.runtime.seats import complete

CLICKS = (1, 5, 20, 100)


def plus_one(seat: int | None) -> int:
    return 0 if seat is None else seat + 1


def options_message(options: Options) -> pb.EmperadoOptions:
    luck = 0 if options.luck == Luck.FULL else options.luck
    return pb.EmperadoOptions(**{**options._asdict(), "computers": map(int, options.computers), "luck": luck})


def position_message(position: Position) -> pb.EmperadoPosition:
    return pb.EmperadoPosition(
        owners=[owner + 1 for owner in position.owners],
        armies=position.armies,
        parties=[pb.EmperadoParty(**party._asdict()) for party in position.parties],
        to_move=position.to_move,
        round=position.round,
        to_place=position.to_place,
        blocked=sorted(position.blocked),
        captured=position.captured,
        exchanging=position.exchanging,
        entry=None if position.entry is None else pb.EmperadoEntry(**position.entry._asdict()),
        card_bonus=position.card_bonus,
        card_clock=position.card_clock,
        stirred=position.stirred,
        winner=plus_one(position.winner),
        end=pb.EmperadoEnd.ValueType(position.end or 0),
        options=options_message(position.options),
        played=position.played,
        thrown=position.thrown,
        revision=position.revision,
    )


def view_message(view: View) -> pb.EmperadoView:
    message = pb.EmperadoView(position=position_message(view.position), seat=plus_one(view.seat), outlooks=outlooks(view))
    complete(message)
    return message


def outlooks(view: View) -> Iterator[pb.EmperadoOutlook]:
    position = view.position
    if view.seat != position.to_move or position.end is not None or position.to_place or position.entry is not None:
        return
    owners, armies = position.owners, position.armies
    for source, owner in enumerate(owners):
        if owner == view.seat and is_active(position, source):
            for target in position.world.neighbours[source]:
                if owners[target] != owner:
                    yield outlook(source, target, armies[source], armies[target], position.options.luck)


def outlook(source: int, target: int, attackers: int, defenders: int, luck: Luck) -> pb.EmperadoOutlook:
    message = pb.EmperadoOutlook(source=source, target=target)
    for throws in CLICKS:
        if throws < max_throws(attackers, defenders):
            message.series.add(throws=throws, **series(attackers, defenders, throws, luck)._asdict())
    message.series.add(throws=TO_THE_END, **odds(attackers, defenders, luck)._asdict())
    return message


def view(position: Position, seat: int | None) -> View:
    parties = tuple(
        party if owner == seat else Party(0, 0, 0, party.cards, party.fresh, party.out)
        for owner, party in enumerate(position.parties)
    )
    return View(position._replace(parties=parties), seat)


def actions(view: View) -> Iterator[Action]:
    position = view.position
    if position.end is not None or view.seat != position.to_move:
        return
    seat, owners, armies = position.to_move, position.owners, position.armies
    if position.entry is not None:
        least, most = position.entry.least, position.entry.least + armies[position.entry.source] - 1
        yield from (Enter(amount) for amount in (least, *(amount for amount in CLICKS if least < amount < most), most))
    elif position.to_place:
        if position.exchanging:
            yield from (Exchange(found) for found in sets(position.parties[seat]))
        if not must_exchange(position):
            own = (country for country, owner in enumerate(owners) if owner == seat)
            yield from (Place(country, amount) for country in own for amount in amounts(position.to_place))
    else:
        yield Done()
        for source, owner in enumerate(owners):
            if owner == seat and is_active(position, source):
                for target in position.world.neighbours[source]:
                    if owners[target] == seat:
                        yield from (Move(source, target, amount) for amount in amounts(armies[source] - 1))
                    else:
                        most = max_throws(armies[source], armies[target])
                        yield from (Attack(source, target, throws) for throws in CLICKS if throws < most)
                        yield Attack(source, target, TO_THE_END)


def amounts(most: int) -> tuple[int, ...]:
    return (*(amount for amount in CLICKS if amount < most), most)


def strengths(position: Position) -> tuple[float, ...]:
    found = []
    for seat in range(len(position.parties)):
        armies = sum(number for owner, number in zip(position.owners, position.armies, strict=True) if owner == seat)
        held = [c.bonus for c in position.world.continents if all(position.owners[country] == seat for country in c.countries)]
        income = BASIC + (sum(held) if position.round > 1 else 0) + country_bonus(position, seat)
        found.append(armies + TURNS * (income + SHARE_OF_A_SET * position.card_bonus) if seat in seats_in(position) else 0.0)
    assert GHOST not in range(len(position.parties))
    return tuple(found)
