"""The tree of a game: its positions, what chance and seats do between them by number, and what each seat has been told.

Chance is not drawn here: where the rules ask for a draw (`Dice`), there is a node with every outcome and its probability, as many
as a draw has, whether it decides about the start, a die or a card. A step with several draws has as many nodes, one behind the
other. Each of them begins the step anew with what has been drawn, since the rules make a step as a whole.
"""

import copy
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from brettwerk_games import load
from brettwerk_games.adapters.match import Match, Setting
from brettwerk_games.rules.chance import Draw, Drawn, Undrawn
from brettwerk_games.rules.interface import Kind

MAX_OUTCOMES = 1024
"""Of a chance node. A draw with more of them has several nodes, the first of which say in which part of them it is."""
_DIGEST_BYTES = 16


class _Waiting(NamedTuple):
    """A draw that a step waits for: it is one of `size` outcomes from `low` on."""

    draw: Draw
    low: int
    size: int

    @property
    def width(self) -> int:
        """How many outcomes of the draw one of the node has."""
        width = 1
        while width * MAX_OUTCOMES < self.size:
            width *= MAX_OUTCOMES
        return width


class _Received(NamedTuple):
    """A step as an eye was told of it: the action that it has read, if any, and what stands for all that it has seen so far."""

    action: str
    digest: bytes


class TreeNode:
    """A node of the tree, which never changes. Its children have the numbers of `actions`.

    `match` is the game up to the last whole step, None before the first. A copy is the node itself, and a stored node is the
    setting with the numbers that lead to it.
    """

    __slots__ = ("_action", "_drawn", "_received", "_waiting", "before", "match", "number", "setting")

    def __init__(
        self,
        setting: Setting,
        before: "TreeNode | None" = None,
        number: int = 0,
        drawn: Drawn | None = None,
        waiting: _Waiting | None = None,
    ) -> None:
        """Make the root of a setting's tree, or (for `child`) what a number leads to. Raises as the beginning of a match does."""
        self.setting, self.before, self.number = setting, before, number
        self.match: Match | None = before.match if before else None
        self._action: Any = None
        """The action whose step ends here."""
        self._drawn = drawn or Drawn()
        self._waiting = waiting
        self._received: dict[int | None, _Received] = {}
        if waiting is None:
            self._go_on()

    def _go_on(self) -> None:
        """Make the step that is under way, or wait for a draw."""
        try:
            self.match = self._stepped()
        except Undrawn as undrawn:
            self._waiting = _Waiting(undrawn.draw, 0, undrawn.draw.bound)

    def _stepped(self) -> Match:
        if self.match is None:
            return Match(self.setting, drawn=self._drawn)
        chosen = self
        while chosen.before and chosen.before.waits:
            chosen = chosen.before
        self._action = self.match.legal()[chosen.number]
        match = copy.copy(self.match)
        match.play(self._action, self._drawn)
        earlier = chosen.before and chosen.before.before
        if earlier and earlier.match:
            earlier.match.forget_legal()  # a game of thousands of actions has hundreds of thousands of legal ones
        return match

    @property
    def waits(self) -> bool:
        """Whether chance is to decide."""
        return self._waiting is not None

    @property
    def turn(self) -> int | None:
        """The seat that is to act; None where chance is to decide, and after the end."""
        return None if self.waits or self.match is None else self.match.turn

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.waits and self.turn is None

    def actions(self) -> Sequence[Any]:
        """Return the legal actions of the seat that is to act; none where chance is to decide, and after the end."""
        return () if self.waits or self.match is None else self.match.legal()

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance, each with its probability. Raises ValueError where chance does not decide."""
        if self._waiting is None:
            raise ValueError("nothing is drawn here")
        _, _, size = self._waiting
        width = self._waiting.width
        return [(number, min(width, size - low) / size) for number, low in enumerate(range(0, size, width))]

    def child(self, number: int) -> "TreeNode":
        """Return the node that an outcome or a legal action leads to. Raises IndexError for a number that has none."""
        if self._waiting is None:
            if not 0 <= number < len(self.actions()):
                raise IndexError(f"action {number} is not legal: there are {len(self.actions())}")
            return TreeNode(self.setting, self, number)
        draw, low, size = self._waiting
        width = self._waiting.width
        if not 0 <= number * width < size:
            raise IndexError(f"{draw} has no outcome {number} here")
        low, size = low + number * width, min(width, size - number * width)
        if size == 1:
            return TreeNode(self.setting, self, number, self._drawn.after(draw, low))
        return TreeNode(self.setting, self, number, self._drawn, _Waiting(draw, low, size))

    def says(self, number: int) -> str:
        """Return an outcome in words, or a legal action in notation. Raises IndexError for a number that has none."""
        if self._waiting is None:
            assert self.match is not None
            return self.match.notation(number)
        draw, low, _ = self._waiting
        return f"{draw.purpose} {draw.number}: {low + number * self._waiting.width} of {draw.bound}"

    def returns(self) -> list[float]:
        """Return each seat's reward: 0 before the end."""
        seats = range(self.setting.seats)
        return [0.0 for _ in seats] if self.waits or self.match is None else [self.match.reward(seat) for seat in seats]

    def observation(self, seat: int | None) -> str:
        """Return what a seat, or a spectator (None), sees now; equal where their views are.

        Its last word stands for the whole view, of which not all is drawn.
        """
        if self.match is None:
            return ""
        view = self.match.view(seat)
        facts = (" ".join((what.key, how.key, *how.args.values())) for what, how in self.setting.game.scene(view).facts)
        return "\n".join((self.match.drawing(seat), *facts, _digest([self._encoded(Kind.VIEW, view)]).hex()))

    def information(self, seat: int | None) -> str:
        """Return all that a seat, or a spectator (None), has been told so far; equal where that is, and where they acted alike.

        The actions that it has read are followed by a word that stands for all views and events that it has seen.
        """
        steps = [node._step_to(seat) for node in self._way()]
        return " ".join((f"{seat}:", *(step.action for step in steps if step.action), steps[-1].digest.hex()))

    def _way(self) -> "list[TreeNode]":
        """Return the nodes from the root to this one."""
        found, node = [self], self.before
        while node is not None:
            found.append(node)
            node = node.before
        return found[::-1]

    def _step_to(self, seat: int | None) -> _Received:
        """Return what an eye has been told with the step that ends here, where that is known of the node before."""
        if seat not in self._received:
            self._received[seat] = self._receive(seat)
        return self._received[seat]

    def _receive(self, seat: int | None) -> _Received:
        nothing = _Received("", self.before._received[seat].digest if self.before else b"")
        former = self.before.match if self.before else None
        if self.waits or self.match is None:
            return nothing
        game, step = self.setting.game, self.match.step
        if former and game.facts.hides_actions and seat in game.unaware(former.position, step):
            return nothing
        shown = (game.show(event, seat) for event in step.events)
        seen = [self._encoded(Kind.EVENT, event) for event in shown if event is not None]
        read = self._read(former, seat) if former else ""
        return _Received(read, _digest((nothing.digest, read.encode(), self._encoded(Kind.VIEW, self.match.view(seat)), *seen)))

    def _read(self, former: Match, seat: int | None) -> str:
        """Return the action of the step that ends here as an eye may read it, with who acted."""
        assert self.match is not None
        game, turn = self.setting.game, former.turn
        text = game.read_by(self.match.step, seat) if seat != turn else None
        return f"{turn}.{game.write(former.view(seat), self._action) if text is None else text}"

    def _encoded(self, kind: Kind, value: Any) -> bytes:
        return self.setting.game.codec.encode(kind, value)

    def path(self) -> list[int]:
        """Return the numbers that lead from the root to this node."""
        return [node.number for node in self._way()[1:]]

    def __deepcopy__(self, memo: Any) -> "TreeNode":
        """Return the node itself."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how the node is made again: by playing to it."""
        game, seats, chosen, most = self.setting.game.facts.id, self.setting.seats, dict(self.setting.chosen), self.setting.most
        return _played, (game, seats, chosen, most, self.path())


def _played(game: str, seats: int, chosen: dict[str, int | str], most: int, path: Iterable[int]) -> TreeNode:
    node = TreeNode(Setting(load(game), seats, chosen, most))
    for number in path:
        node = node.child(number)
    return node


def _digest(parts: Iterable[bytes]) -> bytes:
    found = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.digest()
