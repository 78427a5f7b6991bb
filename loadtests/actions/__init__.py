"""The cost of an accepted action: the whole system under a light driver, beside a yardstick in the same run."""
