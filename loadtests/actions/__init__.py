"""What an accepted action costs: the whole system under a light driver, beside a yardstick in the same run."""
