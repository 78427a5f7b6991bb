"""The board: which moves and hints are wanted of computer players, and who thinks about which. It lies in the broker's Redis.

`want.py` has what is noted, `order.py` what workers are given and give back; `board.py` is the AI service's side of it,
`worker_board.py` a worker's. It is changed by scripts only (`lua.py`, scripts/), so that any number of processes may do so.
"""
