"""Large endgame tables, which operators have built or deleted on the machines of the workers.

    board.py     what is ordered and how it stands, in the broker's Redis
    agent.py     a worker's side: it reports how it stands on its machine, and does what is asked for
    calls.py     the calls of AiService

An operator's order is carried out once, by the workers that run in the minute after it. Up to how many stones new pods of a
cluster build by themselves is a setting (BRETTWERK_TABLES_STONES).
"""
