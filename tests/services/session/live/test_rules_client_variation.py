"""A long line is played in one question, beside everything else: what comes of it is what playing it ply by ply gives."""

import pytest

from brettwerk.v1 import record_pb2
from services.session.domain.perception import EVERYBODY
from services.session.domain.plies import Variation
from services.session.domain.updates import shows, view_of
from services.session.live import rules_client
from services.session.live.rules_client import RulesClient
from tests.services.session.running import running_rules


@pytest.mark.nightly
async def test_a_long_variation_gives_the_same_step_and_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_rules() as address:
        rules = RulesClient(address, 10)
        step = (await rules.new("einstein", None, 2, None, bytes(32))).step
        plies = [record_pb2.Ply(seed=bytes(32))]
        for number in range(6):
            actor = step.to_act[0]
            view = view_of(await rules.look("einstein", step.position, 1 << actor), actor)
            action = (await rules.legal("einstein", view)).actions[0].action
            ply = record_pb2.Ply(actor=actor + 1, action=action, seed=bytes([number]) * 32, notation="forged")
            plies.append(ply)
            step = await rules.play("einstein", step.position, ply)
        found, variation = [], Variation(None, None, tuple(plies))
        for shortest in (64, 1):
            monkeypatch.setattr(rules_client, "SHORT_VARIATION", shortest)
            last, marks = await rules.play_variation("einstein", 2, variation, EVERYBODY)
            assert shows(last, EVERYBODY, 2)
            found.append((last, marks))
        assert found[0] == found[1]
        again, written = await rules.write_variation("einstein", 2, variation)
        assert again.position == found[0][0].position
        assert [ply.action for ply in written.plies] == [ply.action for ply in plies]
        assert "forged" not in [ply.notation for ply in written.plies]
        assert written.options is not None
        await rules.close()
