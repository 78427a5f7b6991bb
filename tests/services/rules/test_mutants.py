"""The rules answer or refuse whatever is asked with values that were changed somewhere; nothing is a fault of theirs.

The changed values are those that the driver of loadtests/fuzz/ sends to a whole system; here they come a hundred times as fast.
"""

import random
from collections import Counter

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2, games_pb2, sessions_pb2
from brettwerk_games.rules import registry
from loadtests.fuzz.mutations import Mutator
from services.rules import facts
from services.rules.answers import answer
from services.rules.steps import EVERYBODY
from services.runtime import limits
from services.runtime.refusal import Refused
from tests.night import examples
from tests.services.rules.asking import seen

ASKED = examples(800)
"""Questions of one test."""
PLIES = 60


class Asker:
    """Asks the rules of one game, and keeps count of what was said."""

    def __init__(self, game: str, seed: int) -> None:
        self.game = facts.game(game)
        self.rng = random.Random(seed)
        self.mutator = Mutator(self.rng)
        self.said: Counter[str] = Counter()

    @property
    def asked(self) -> int:
        return sum(self.said.values())

    def ask(self, name: str, request: Message) -> Message | None:
        try:
            limits.check(request)
            response = answer(name, request)
        except Refused as refused:
            reason = errors_pb2.Reason.Name(refused.reason)
            if reason == "REASON_MALFORMED" and not refused.refusal.field:
                raise AssertionError(f"{name} does not say which field is wrong: {refused.refusal.message}") from refused
            self.said[reason] += 1
            return None
        except Exception as error:
            raise AssertionError(f"{name} of {request}") from error
        self.said["answered"] += 1
        return response

    def begin(self) -> pb.Step | None:
        """Begin a game on one of the prepared boards, now and then with options or a board that were changed."""
        preset = self.rng.choice([*self.game.presets, games_pb2.Preset()])
        seats = self.rng.randint(self.game.min_seats, min(preset.max_seats or 6, len(self.game.seats)))
        request = pb.NewPositionRequest(game=self.game.id, seats=seats, step_seed=self.rng.randbytes(32), audiences=EVERYBODY)
        if preset.HasField("options"):
            request.options.CopyFrom(preset.options)
            self.mutator.any_values.append(preset.options)
        if preset.HasField("start_position"):
            request.start_position.CopyFrom(preset.start_position)
        wrong = pb.NewPositionRequest()
        wrong.CopyFrom(request)
        for value in (wrong.options, wrong.start_position):
            if value.type_url:
                value.CopyFrom(self.mutator.mutant(value, self.rng.choice((1, 1, 3))))
        for one in (wrong, request):
            response = self.ask("new_position", one)
            if isinstance(response, pb.NewPositionResponse):
                return response.step
        return None

    def play(self) -> None:
        """Play a game, and try at every ply what is none of its actions, system actions, notations, views and positions."""
        step = self.begin()
        for _ in range(PLIES):
            if step is None or not step.to_act or self.asked > ASKED:
                return
            seat = self.rng.choice(list(step.to_act))
            update = seen(step, seat)
            self.mutator.any_values = [
                *self.mutator.any_values[-50:],
                *(choice.action for choice in update.actions),
                update.view,
                step.position,
            ]
            self.mutator.texts = [choice.notation for choice in update.actions]
            self._try(step, seat, update)
            step = self._apply(step.position, seat, self.rng.choice(update.actions).action)

    def _try(self, step: pb.Step, seat: int, update: sessions_pb2.Update) -> None:
        mutator, game = self.mutator, self.game.id
        for _ in range(4):
            self._apply(step.position, seat, mutator.mutant(self.rng.choice(update.actions).action, self.rng.choice((1, 1, 2))))
        text = self.rng.choice(mutator.texts)[: self.rng.randrange(12)] + self.rng.choice(mutator.texts)[self.rng.randrange(6) :]
        self.ask("parse_notation", pb.ParseNotationRequest(game=game, view=update.view, notation=text[:200]))
        system_action = mutator.mutant(games_pb2.SystemAction(), 2)
        seed = self.rng.randbytes(32)
        self.ask(
            "apply_action", pb.ApplyActionRequest(game=game, position=step.position, system_action=system_action, step_seed=seed)
        )
        view = mutator.mutant(update.view, self.rng.choice((1, 2)))
        name, request = self.rng.choice(
            (
                ("view_position", pb.ViewPositionRequest(game=game, position=mutator.mutant(step.position, 2))),
                ("draw_scene", pb.DrawSceneRequest(game=game, view=view)),
                ("legal_actions", pb.LegalActionsRequest(game=game, view=view)),
                ("name_expiry", pb.NameExpiryRequest(game=game, view=update.view)),
            )
        )
        self.ask(name, request)

    def _apply(self, position: AnyMessage, seat: int, action: AnyMessage) -> pb.Step | None:
        request = pb.ApplyActionRequest(
            game=self.game.id, position=position, step_seed=self.rng.randbytes(32), audiences=EVERYBODY
        )
        request.action.seat = seat
        request.action.action.CopyFrom(action)
        response = self.ask("apply_action", request)
        return response.step if isinstance(response, pb.ApplyActionResponse) else None


@pytest.mark.parametrize("game_id", registry.games())
@pytest.mark.parametrize("seed", [1, 2])
def test_the_rules_refuse_what_they_cannot_do_and_name_the_field_of_what_they_cannot_read(game_id: str, seed: int) -> None:
    asker = Asker(game_id, seed)
    while asker.asked < ASKED:
        asker.play()
    assert asker.said["answered"] > ASKED // 10, asker.said
    assert asker.said["REASON_MALFORMED"] > ASKED // 10, asker.said
