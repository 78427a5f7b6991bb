"""Roles by the claims of a real OpenID provider that runs."""

import json
import urllib.request
from dataclasses import replace
from pathlib import Path

from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.moderation import roles
from services.players.moderation.provider_roles import ProviderRoles
from tests.openid_provider import OpenIdProvider
from tests.services.players.accounts.test_provider import ADA, ORIGIN, Place, client_of

GIVEN = ProviderRoles(frozenset({"brettwerk-moderators"}), frozenset({"brettwerk-operators"}))


def put_in(running: OpenIdProvider, *groups: str) -> None:
    """Let the provider have Ada in groups."""
    body = json.dumps({"groups": list(groups)}).encode()
    asked = urllib.request.Request(f"{running.issuer}/users/ada", body, {"content-type": "application/json"}, method="PUT")
    with urllib.request.urlopen(asked, timeout=20):
        pass


async def test_the_groups_of_a_player_at_the_provider_make_their_role_at_each_sign_in(tmp_path: Path):
    with OpenIdProvider() as running:
        place = Place(tmp_path / "players.sqlite3", replace(client_of(running), role_claim="groups"))
        place.store.wait()
        origins = OwnOrigins(ORIGIN)
        place.accounts = Accounts(place.store, b"k" * 32, origins, lambda: place.now_ms, place.provider, heard=GIVEN.heard)

        async def role() -> int:
            await place.sign_in(ADA, "ada")
            return await place.store.run(lambda connection: roles.role_of(connection, ADA.player_id, place.now_ms))

        found = [await role()]
        for groups in (["staff", "brettwerk-moderators"], ["brettwerk-operators"], ["staff"]):
            put_in(running, *groups)
            found.append(await role())
        await place.close()
    assert found == [roles.NONE, roles.MODERATOR, roles.OPERATOR, roles.NONE]
