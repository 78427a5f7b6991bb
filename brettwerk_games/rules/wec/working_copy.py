"""A position being worked on in one step: what the parts of the rules change, until it is a position again."""

from collections.abc import Iterable
from typing import Any

from brettwerk_games.rules.wec.board import falling_order
from brettwerk_games.rules.wec.kinds import PRIMARIES, Article
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.piece_numbers import Names, extended, ids_of
from brettwerk_games.rules.wec.pieces import Carried, Piece
from brettwerk_games.rules.wec.position import End, Hit, Position, Projectile, Reserve, Turn
from brettwerk_games.rules.wec.reports import Report
from brettwerk_games.rules.wec.visibility import hidden, sees


class WorkingCopy:
    """Everything of a position, changeable."""

    def __init__(self, position: Position) -> None:
        """Start from a position."""
        self.before = position
        self.options: Options = position.options
        self.ply = position.ply
        self.active = position.active
        self.field = position.field.copy()
        self.ground: list[tuple[Carried, ...]] = list(position.ground)
        self.projectiles: list[Projectile] = list(position.projectiles)
        self.reserves: list[Reserve] = list(position.reserves)
        self.turn: Turn = position.turn
        self.hits: dict[tuple[int, Article], int] = {(hit.piece, hit.weapon): hit.times for hit in position.turn.hits}
        self.believed: dict[tuple[int, Article], int] = {(hit.piece, hit.weapon): hit.times for hit in position.turn.believed}
        self.lost: list[End] = list(position.turn.lost)
        self.reports: list[Report] = []
        """The events, in order."""
        self.at_once = 1
        """Tells what is reported now from what comes about before and after it; 0 while things come one after another."""
        self.hidden = position.unseen
        self.hidden_at_first = self.hidden
        self.gone: dict[int, Piece] = {}
        """The pieces that left the game in this step, as they were."""
        self.witnessed: set[tuple[int, int]] = set()
        """(eye, piece) for what an eye knows to be gone although it did not see it before."""

    def ids(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return how the position holds what the active seat believes of pieces with these numbers."""
        return ids_of(self.before, self.active, numbers)

    def next_number(self) -> int:
        """Return a number for a transit or projectile that starts now; later ones have higher numbers."""
        return 1000 + 2 * self.ply + self.turn.fires

    def sees(self, eye: int, piece: Piece) -> bool:
        """Tell whether an eye saw a piece when the step began or the last effects were looked at.

        A spectator sees nothing that could be hidden from anybody.
        """
        return sees(eye, piece, self.hidden, self.options)

    def look_again(self) -> None:
        """Work visibility out anew (WEC-OBS-7)."""
        self.hidden = self.hidden_now()

    def hidden_now(self) -> frozenset[int]:
        """Return what is hidden from its opponent as this copy stands; what was exposed before is revealed (WEC-RUL-45)."""
        found = hidden(self.field.pieces.values(), self.options, self.ply)
        late = [number for number in self.turn.exposed if number in found]
        for number in late:
            self.reveal(self.field.pieces[number], self.ply + 1)
        return found.difference(late) if late else found

    def reveal(self, piece: Piece, until: int) -> None:
        """Let the opponent see a piece until the end of a ply (WEC-RUL-45)."""
        now = self.field.pieces[piece.id]
        self.field.put(now._replace(revealed=max(now.revealed, until)))

    def expose(self, piece: Piece) -> None:
        """Reveal a piece that Fires or takes if it is hidden, was so in this Turn or is before its end (WEC-RUL-45)."""
        if piece.id in self.hidden or piece.id in self.turn.emerged:
            self.reveal(piece, self.ply + 1)
        if self.before.revision > 1 and (self.options.stealth_invisible or self.options.submerged_invisible):
            self.turn = self.turn._replace(exposed=(*self.turn.exposed, piece.id))

    def note_emerged(self, after: frozenset[int]) -> None:
        """Note which of the active side's pieces came into sight in this step, which leaves the pieces `after` hidden."""
        came = self.hidden_at_first - after
        if not came or self.before.revision == 1:
            return
        pieces = self.field.pieces
        own = [number for number in sorted(came) if number in pieces and pieces[number].seat == self.active]
        emerged = tuple(number for number in own if number not in (*self.turn.exposed, *self.turn.emerged))
        if emerged:
            self.turn = self.turn._replace(emerged=(*self.turn.emerged, *emerged))

    def hit(self, struck: Iterable[int], weapon: Article, count: int) -> None:
        """Record hits (WEC-RUL-3)."""
        for number in struck:
            self.hits[number, weapon] = self.hits.get((number, weapon), 0) + count

    def believe(self, struck: Iterable[int], weapon: Article, count: int) -> None:
        """Record the hits that the one who fires can know of."""
        for number in struck:
            self.believed[number, weapon] = self.believed.get((number, weapon), 0) + count

    def scatter(self, square: int, seat: int, articles: Iterable[Carried]) -> None:
        """Let articles fall on and around a square, as their owner sees it (WEC-PLACE)."""
        for article in articles:
            fallen = article._replace(lock=0)
            for near in falling_order(square, seat):
                if len(self.ground[near]) < 2:
                    self.ground[near] = (*self.ground[near], fallen)
                    break

    def destroy(self, piece: Piece, cause: End) -> None:
        """Take a piece out of the game; its articles fall (WEC-RUL-16), and the loss of a primary is noted (WEC-RUL-47)."""
        self.field.remove(piece.id)
        self.gone[piece.id] = piece
        self.scatter(piece.square, piece.seat, piece.articles)
        self.lose(piece, cause)

    def lose(self, piece: Piece, cause: End) -> None:
        """Note the loss of a primary."""
        if piece.kind in PRIMARIES:
            self.lost[piece.seat] = cause

    def shift(self, piece: Piece, place: int) -> Piece:
        """Put a piece on another place, and return it; a Pawn that changes its place loses its origin mark (WEC-RUL-28)."""
        moved = piece._replace(place=place, origin=False)
        self.field.put(moved)
        return moved

    def freeze(self, unseen: frozenset[int], **others: Any) -> Position:
        """Return the position that was made, given what `hidden_now` says of it and the fields that this copy does not have."""
        pieces = self.field.pieces
        order = sorted(pieces)
        after = self.before._replace(
            options=self.options,
            pieces=tuple([pieces[number] for number in order]),
            ground=tuple(self.ground),
            ply=self.ply,
            projectiles=tuple(self.projectiles),
            reserves=tuple(self.reserves),
            turn=self.turn._replace(hits=_hits(self.hits), believed=_hits(self.believed), lost=(self.lost[0], self.lost[1])),
            **others,
        )
        if order == list(pieces):
            after.field = self.field  # the working copy is done with it
        after.unseen = unseen
        names = extended(after.names, after)
        if names is not after.names:
            after = _with_names(after, names)
        if after.history is self.before.history and after.end == self.before.end:
            after.history_of = self.before.history_of
        return after


def _with_names(position: Position, names: Names) -> Position:
    """Return a position with other names; what was worked out of it does not hang on them."""
    after = position._replace(names=names)
    after.unseen = position.unseen
    if "field" in position.__dict__:
        after.field = position.field
    return after


def _hits(hits: dict[tuple[int, Article], int]) -> tuple[Hit, ...]:
    return tuple(Hit(piece, weapon, hits[piece, weapon]) for piece, weapon in sorted(hits))
