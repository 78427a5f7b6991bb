"""Runs: many games among computers, played for statistics in small batches, on a queue of their own.

    queue.py     the bounds of the queue, and who takes it
    wish.py      what is asked for, checked
    batch.py     one game, and one batch; the same for the same seed
    store.py     runs as Redis holds them, for the AI service and for workers; scripts/ does each change at once
    calls.py     the calls of AiService
    sweeper.py   tickets for what waits, and gauges
    tasks.py     the task of a worker; pool.py runs the worker

The store is the truth, and messages are tickets that carry nothing, as with moves (docs/computers.md). A batch is known by its
run and its number: played twice it has the same result, and is counted once.
"""
