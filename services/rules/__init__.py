"""The rules service: stateless; it knows what an action means in every game of brettwerk_games/rules, and nothing about sessions.

answers.py has one function per call, values in, values out; service.py puts them behind gRPC. any_codec.py carries a game's
values in and out of `Any`, steps.py shows a step to every seat, verify.py replays a whole record.
"""
