"""The yardsticks of Brettwerk, measured in the same minutes."""
