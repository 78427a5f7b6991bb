"""The board: which moves and hints are wanted of computer players, and who thinks about which. It lies in the broker's Redis.

`order.py` has what workers are given and give back, `worker_board.py` is a worker's side of it.
"""
