"""The fixture that the tests of accounts share."""

import pytest
from argon2 import PasswordHasher

from services.players.accounts import secrets_kept


@pytest.fixture
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash with the least memory and in one pass: a hash as it is kept takes a tenth of a second of a processor."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(secrets_kept, "_HASHER", hasher)
    monkeypatch.setattr(secrets_kept, "_NOBODY", hasher.hash("a secret that nobody knows"))
