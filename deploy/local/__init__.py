"""The whole house on one machine: Redis, the services, a worker and the gateway, as processes that are looked after.

`house.py` is the library (tests and load tests start houses with it), `play.py` the program behind `scripts/play`.
"""
