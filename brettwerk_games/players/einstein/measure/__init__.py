"""Measures the player; docs/einstein-player.md has the results and the commands.

match.py        games between two players, sides and dice mirrored
luck.py         luck told from skill, to learn more from every game
levels.py       every level against the one below, and its mean regret
regret.py       how much of the game a player gives away, against solved positions
openspiel.py    against OpenSpiel's MCTS at equal CPU time, or at a number of simulations
spiel.py        a game on OpenSpiel's board and on ours
speed.py        positions and random games a second
setups.py       the value of the first move and of every set-up
calibration.py  whether a chance of 70 % is won in 70 % of the games
"""
