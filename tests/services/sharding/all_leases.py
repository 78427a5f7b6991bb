"""The leases of all shards, as a process sees them that looks at each."""

import asyncio

from services.sharding.leases import Lease, Leases
from services.sharding.shards import SHARDS


async def look(leases: Leases) -> list[Lease]:
    """Return all leases; those of the process that looks are renewed."""
    return await asyncio.gather(*map(leases.look_at, range(SHARDS)))
