"""The whole deployment on one machine: Redis, the services, a worker and the gateway, as processes that are looked after.

`deployment.py` is the library (tests and load tests start deployments with it), `play.py` the program behind `scripts/play`.
"""
