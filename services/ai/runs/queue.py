"""The queue of runs, `statistics`: for how long what is taken from it is worked at, and how much of it there is.

Its workers (BRETTWERK_WORKER_QUEUE=statistics) let everybody else go first on their machine, too (BRETTWERK_RUNS_NICE).
"""

TURN_S = 10.0
"""After how many seconds a process that still finds batches ends its task, and leaves a ticket for the next."""
TASK_MAX_S = 300
"""After how many seconds a task's process is killed: a game that takes so long never ends."""
BATCHES = 1000
"""About how many batches the longest run of a level has."""
MAX_ATTEMPTS = 3
"""How many batches of a run may fail before it is abandoned."""
HAND_MS = 15_000
"""How long a batch is in hand without a sign of life; then it is given to another."""
ALIVE_MS = 6_000
"""How long a worker is believed to live after its last beat."""
EVERY_S = 0.5
"""How often to check whether there are enough tickets."""
REST_S = 5.0
"""The same while there are no runs."""
TICKETS = 4
"""Tickets that wait at most."""
