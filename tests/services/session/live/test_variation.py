"""A long line is played in one question, beside everything else: what comes of it is what playing it ply by ply gives."""

import pytest

from brettwerk.v1 import record_pb2
from services.session.domain.updates import EVERYBODY, shows, view_of
from services.session.live import variation as variation_module
from services.session.live.rules_client import RulesClient
from services.session.live.variation import play_variation
from tests.services.session.running import running_rules


@pytest.mark.parametrize("writes", [True, False])
async def test_a_long_variation_gives_the_same_step_marks_and_notations(monkeypatch: pytest.MonkeyPatch, writes: bool) -> None:
    async with running_rules() as address:
        rules = RulesClient(address, 10)
        step = await rules.new("einstein", None, 2, None, bytes(32))
        variation = [record_pb2.Ply(seed=bytes(32))]
        for number in range(6):
            actor = step.to_act[0]
            view = view_of(await rules.look("einstein", step.position, 1 << actor), actor)
            action = (await rules.legal("einstein", view)).actions[0].action
            ply = record_pb2.Ply(actor=actor + 1, action=action, seed=bytes([number]) * 32, notation="forged")
            variation.append(ply)
            step = await rules.play("einstein", step.position, ply)
        found = []
        for shortest in (64, 1):
            monkeypatch.setattr(variation_module, "SHORT_VARIATION", shortest)
            plies = [record_pb2.Ply.FromString(ply.SerializeToString()) for ply in variation]
            last, marks = await play_variation(rules, "einstein", 2, None, None, plies, audiences=EVERYBODY, writes=writes)
            assert shows(last, EVERYBODY, 2)
            found.append((last, marks, [ply.notation for ply in plies]))
        assert found[0] == found[1]
        assert ("forged" in found[1][2]) != writes
        await rules.close()
