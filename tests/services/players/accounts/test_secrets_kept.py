"""The hashes of secrets; nobody learns by the time it takes whether there is one."""

from argon2 import extract_parameters

from services.players.accounts import secrets_kept
from services.players.accounts.hash_queue import Rank
from services.players.accounts.secrets_kept import Hashes


async def test_a_secret_fits_its_own_hash_only() -> None:
    hashes = Hashes()
    kept = await hashes.make("correct horse", Rank.GUEST, "192.0.2.1")
    assert await hashes.fits(kept, "correct horse", Rank.SIGN_IN, "192.0.2.1")
    assert not await hashes.fits(kept, "wrong horse", Rank.SIGN_IN, "192.0.2.1")
    assert not await hashes.fits(None, "correct horse", Rank.SIGN_IN, "192.0.2.1")


async def test_the_comparison_without_a_hash_takes_as_long_as_one_with_it() -> None:
    assert extract_parameters(secrets_kept._NOBODY) == extract_parameters(
        await Hashes().make("correct horse", Rank.GUEST, "192.0.2.1")
    )
