"""Plays at many tables through the gRPC endpoint, hurts the system meanwhile, and judges what was kept and what was seen.

`ledger.py` is what the driver remembers of a session, `evidence.py` what the system says of it afterwards, `judgement.py`
compares the two, `figures.py` adds it up. `clients.py`, `tables.py`, `watchers.py` play; `system.py` starts what is hurt, and
each kind of fault is a module of `faults/`. `python -m loadtests.chaos --help`.
"""
