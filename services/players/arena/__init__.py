"""The arena: bots play each other and the computer levels around the clock."""
