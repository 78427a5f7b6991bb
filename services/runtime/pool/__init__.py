"""Processes beside a service for requests that cost much CPU time or memory, so that its event loop answers everybody else.

`pool.Pool` is the service's end, `child` the program that runs in each process. It needs nothing of the service's end: so nothing
is imported here.
"""
