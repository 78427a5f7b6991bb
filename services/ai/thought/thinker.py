"""One thought about one position: granted time, alarm, kept thoughts, and how long it took."""

import time
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import record_pb2
from services.ai.celery_worker.app import THINK_MAX_S
from services.ai.thought import alarm, thought_cache
from services.ai.thought.assignment import Assignment, assign, packed_action
from services.ai.thought.thought_cache import Thoughts
from services.runtime import metrics

ALARM_S = 1.0
"""How much later than its deadline a search is interrupted: players look at the clock themselves, a game's step does not."""
_WEIGHT = 0.2
"""Of the newest thought in what the next is expected to take."""


@dataclass(frozen=True, slots=True)
class Considered:
    """The action of a player, and its cost: 0 seconds where it was known before. `was_full`: it had all of its time."""

    action: AnyMessage
    thought: record_pb2.Thought
    spent_s: float
    was_full: bool


class Mind:
    """A seat's player for as long as one order lasts: the same from action to action, so it may keep a plan of its turn."""

    def __init__(self, thinker: "Thinker", game: str, computer: record_pb2.Computer, view: AnyMessage) -> None:
        """Make it. Raises Refused where there is no such player (services.ai.thought.assignment)."""
        self._thinker = thinker
        self._game, self._computer = game, computer
        self._assignment = assign(game, computer, view)
        self._view = view
        self._is_fresh = True

    @property
    def level(self) -> str:
        """The name of what it plays, and how: "<game> <level>"."""
        return f"{self._game} {self._assignment.level.id}"

    def sees(self, game: str, computer: record_pb2.Computer, view: AnyMessage) -> bool:
        """Look at the next view of the same seat; return False when somebody else is to play there now. Raises Refused."""
        if (game, computer) != (self._game, self._computer):
            return False
        self._assignment = self._assignment.with_view(view)
        self._view = view
        return True

    def think(self, think_ms: int, seed: int, *, anew: bool) -> Considered:
        """Return what the player does within that many milliseconds; `anew`: whatever is known of it.

        Raises what it raises: NothingToDo, OutOfTime where it was interrupted and had no answer, anything else.
        """
        key = thought_cache.key_of(self._assignment, self._computer.depth, self._view.value, seed)
        considered = self._thinker.think(self._assignment, key, think_ms, is_fresh=self._is_fresh, anew=anew)
        self._is_fresh = False
        return considered


class Thinker:
    """Thinks in one process, and remembers how long it takes."""

    def __init__(self, kept: Thoughts) -> None:
        """Thoughts are looked up in `kept`, and put there."""
        self._kept = kept
        self._took: dict[str, float] = {}

    def expected_s(self, level: str, think_ms: int) -> float:
        """Return how long a thought of "<game> <level>" will about take: at most what it is granted."""
        return min(self._took.get(level, THINK_MAX_S), think_ms / 1000)

    def think(self, assignment: Assignment, key: bytes, think_ms: int, *, is_fresh: bool, anew: bool) -> Considered:
        """Return a thought. Only a player that has not thought before is answered for: another may have a plan."""
        named_s = assignment.think_s
        granted_s = min(named_s, think_ms / 1000)
        game = assignment.game.facts.id
        name = f"{game} {assignment.level.id}"
        is_slow = self.expected_s(name, think_ms) >= thought_cache.WORTH_S
        if is_fresh and not anew and (known := self._kept.find(key, everywhere=is_slow)) is not None:
            metrics.AI_CACHE_HITS.inc()
            return Considered(known.action, known.thought, 0.0, was_full=False)
        began = time.monotonic()
        deadline = began + granted_s
        seed = thought_cache.seed_of(key)
        thought = alarm.within(granted_s + ALARM_S, lambda: assignment.player.think(assignment.view, deadline, seed))
        took = time.monotonic() - began
        metrics.AI_THINK.labels(game, assignment.level.id).observe(took)
        before = self._took.get(name, took)
        self._took[name] = before + _WEIGHT * (took - before)
        made = session_pb2.SubmitActionRequest(
            action=packed_action(assignment.game, thought.action),
            thought=record_pb2.Thought(
                win_chance=thought.win_chance, nodes=thought.nodes, think_ms=int(took * 1000), depth=thought.depth
            ),
        )
        if is_fresh and granted_s == named_s and thought_cache.WORTH_S <= took < granted_s:
            self._kept.keep(key, made)
        return Considered(made.action, made.thought, took, was_full=granted_s == named_s)
