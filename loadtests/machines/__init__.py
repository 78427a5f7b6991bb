"""Several machines on one: network namespaces as hosts, a wire between them that delays and loses, and Brettwerk on all of them.

    python -m loadtests.machines play --delay 20 --loss 1

Needs root and Linux. Nothing outlives the program, however it ends (namespaces.py).
"""
