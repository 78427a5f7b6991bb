"""Processes beside a service for requests that cost much CPU time or memory, so that its event loop answers everybody else.

`Pool` is the service's end, `child` the program that runs in each process.
"""

from services.runtime.pool.pool import Pool, Processes

__all__ = ["Pool", "Processes"]
