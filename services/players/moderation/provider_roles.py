"""Which roles the OpenID provider gives: at each sign-in through it, what it says then counts, for a week. In a transaction."""

from dataclasses import dataclass

from sqlalchemy import Connection

from brettwerk.v1 import moderation_pb2
from services.players.moderation import acts, roles
from services.runtime.settings import Settings


@dataclass(frozen=True, slots=True)
class ProviderRoles:
    """The values of the provider's claim that make moderators and operators."""

    moderators: frozenset[str]
    operators: frozenset[str]

    @classmethod
    def of(cls, config: Settings) -> "ProviderRoles":
        """Return those of the settings."""
        return cls(_listed(config.openid_moderators), _listed(config.openid_operators))

    def heard(self, connection: Connection, player_id: str, values: frozenset[str], now_ms: int) -> None:
        """Note what the provider says of a player who signs in through it: the role is theirs, or is no longer."""
        role = roles.OPERATOR if values & self.operators else roles.MODERATOR if values & self.moderators else roles.NONE
        if role == roles.NONE:
            if roles.take(connection, player_id, roles.PROVIDER):
                acts.note(connection, moderation_pb2.MODERATION_ACT_WITHDRAW, acts.PROVIDER, now_ms, player_id=player_id)
            return
        if roles.put(connection, player_id, roles.PROVIDER, role, now_ms, now_ms + roles.PROVIDER_MS):
            name = roles.NAMES[role]
            acts.note(connection, moderation_pb2.MODERATION_ACT_GRANT, acts.PROVIDER, now_ms, player_id=player_id, subject=name)


def _listed(setting: str) -> frozenset[str]:
    return frozenset(value.strip() for value in setting.split(",") if value.strip())
