"""The settings that are secret keys, and what is derived from them."""

import hashlib
import hmac
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Keys(BaseSettings):
    """Keys of tokens, and of calls between the services; settings.py has everything else."""

    model_config = SettingsConfigDict(env_prefix="BRETTWERK_", frozen=True, extra="ignore")

    secret_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of player tokens, worker tickets and sealed saves: 32 characters or more, the same on every process.",
    )
    player_keys: SecretStr = Field(
        default=SecretStr(""),
        description="Keys of player tokens while they are being replaced: id:key, separated by commas, 32 characters or more "
        "each. The first one signs, all are accepted, and no others are. The id 0 is the key derived from the "
        "secret key, which is used if this is empty.",
    )
    inner_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of calls between the services: 32 characters or more, the same on every process; two keys separated "
        "by a comma while it is being replaced (the first signs, both are accepted). Empty: derived from the "
        "secret key, if a process has that.",
    )
    inner_auth: Literal["required", "offered"] = Field(
        default="required",
        description="required: a service answers only callers with that key. offered: it also answers callers without any "
        "token; use this only while replacing a version that sends none.",
    )

    def key(self, purpose: str) -> bytes:
        """Return the 32-byte key for one purpose, derived from secret_key (HKDF-like: HMAC-SHA256 of the purpose).

        Raises ValueError if secret_key is too short to be secret.
        """
        secret = self.secret_key.get_secret_value().encode()
        if len(secret) < 32:
            raise ValueError("BRETTWERK_SECRET_KEY must have at least 32 characters")
        return hmac.new(secret, b"brettwerk " + purpose.encode(), hashlib.sha256).digest()

    def derived_inner_key(self) -> str:
        """Return the key of inner calls that is derived from secret_key. Raises ValueError if that is too short to be secret."""
        return self.key("inner calls").hex()
