"""The queue of puzzles: the Redis list `bw:queue:puzzles`. Its workers are those of runs, who take from it last of all."""

PUZZLES = "puzzles"
"""The queue, and its one task."""
ORDER_KEY = "bw:{puzzles}:order"
"""Where the players service puts a game: its session's id, a line feed, its packed record."""
PUZZLES_MADE = "puzzles_made"
"""The task of the players service that takes what was made, in its queue `results`."""
RESULTS = "results"
LOOK_S = 30.0
"""After so many seconds no further position of a game is looked at."""
TASK_MAX_S = 300
"""After how many seconds a task's process is killed."""
