"""The leases of all shards, as a process sees them that looks at each."""

import asyncio

from services.session.domain.bounds import SHARDS
from services.sharding.leases import Lease, Leases


async def look(leases: Leases) -> list[Lease]:
    """Return all leases; those of the process that looks are renewed."""
    return await asyncio.gather(*map(leases.look_at, range(SHARDS)))
