"""What a process of a worker does with what is wanted: it takes positions off the board, thinks about them, and answers."""
