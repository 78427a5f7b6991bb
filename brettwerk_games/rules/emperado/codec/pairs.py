"""The game's values paired with the messages of emperado.proto, and where the two differ."""

from collections.abc import Sequence

from brettwerk.v1 import emperado_pb2 as pb
from brettwerk_games.rules.bounds import one_of
from brettwerk_games.rules.derived.differences import As, Differences, Fault
from brettwerk_games.rules.derived.pairs import Pairs
from brettwerk_games.rules.emperado.options import PRESET, Luck, Options, require_choices
from brettwerk_games.rules.emperado.position import Position, View, fault


def _plus_one(number: int) -> int:
    return number + 1


def _less_one(number: int) -> int:
    return number - 1


def _owners_plus_one(owners: Sequence[int]) -> list[int]:
    return [owner + 1 for owner in owners]


def _owners(plus_one: Sequence[int]) -> tuple[int, ...]:
    return tuple([owner - 1 for owner in plus_one])


def _computers(chosen: Sequence[int]) -> tuple[bool, ...]:
    """Return whether a computer plays each seat; those that are left out are people."""
    return (*map(bool, chosen), *PRESET.computers[len(chosen) :])


def _said_of_luck(luck: Luck) -> int:
    """Return the option as it is written: not at all where dice decide alone, as in all that is older than the option."""
    return 0 if luck == Luck.FULL else luck


def _luck(said: int) -> Luck:
    return one_of(Luck, said, "") if said else Luck.FULL


def _view_fault(view: View) -> Fault | None:
    position, seat = view
    if seat is not None and seat >= len(position.parties):
        return "seat", "there is no such seat"
    for owner, party in enumerate(position.parties):
        if party.hidden if owner == seat else party.cards > party.hidden:
            return f"position.parties[{owner}]", "a seat knows its own cards and no others"
    return None


PAIRS = Pairs(
    "Emperado",
    pb.DESCRIPTOR.message_types_by_name,
    Differences(
        ways={
            "EmperadoOptions.computers": As(tuple[int, ...], tuple, _computers),
            "EmperadoOptions.luck": As(int, _said_of_luck, _luck),
            "EmperadoPosition.owners": As(tuple[int, ...], _owners_plus_one, _owners),
            "EmperadoPosition.blocked": As(tuple[int, ...], sorted, frozenset),
            "EmperadoFought.defender": As(int, _plus_one, _less_one),
        },
        checks={Options: require_choices, Position: fault, View: _view_fault},
        judged=frozenset({"EmperadoOptions"}),
        left_out=frozenset({"EmperadoOptions"}),
        unread=frozenset({"EmperadoView.outlooks"}),
        kept={"EmperadoOptions": 1024, "EmperadoParty": 4096},
    ),
)
