"""Redis as the session service writes to it: commands in pipelines over a few connections, to one server or a cluster's masters.

It knows keys and commands, and nothing of sessions. redis-py makes the connections, and finds out who the masters are.
"""
