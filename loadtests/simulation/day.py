"""How many games there are by the time of day."""

from collections.abc import Sequence

from loadtests.simulation.parameters import Parameters

DAY_S = 86_400.0


def share_at(curve: Sequence[float], hour: float) -> float:
    """Return a curve's value at an hour of the day, in a straight line between full hours."""
    whole = int(hour // 1)
    first, second = curve[whole % len(curve)], curve[(whole + 1) % len(curve)]
    return first + (second - first) * (hour - whole)


class WorldDay:
    """The games of all regions, whose peaks together are such that at most so many are played at a time."""

    def __init__(self, parameters: Parameters, games: float) -> None:
        self._curve = parameters.row("day")
        self._ahead = {region: float(hours) for region, hours in parameters.table("hours_ahead").items()}
        shares = {region: float(share) for region, share in parameters.table("regions").items()}
        most = max(sum(share * self._at(region, minute * 60.0) for region, share in shares.items()) for minute in range(1440))
        self.peaks = {region: games * share / most for region, share in shares.items()}
        """The games of each region at its own peak."""

    def games(self, region: str, now: float) -> float:
        """Return the games of a region at a time, in seconds of UTC's day."""
        return self.peaks[region] * self._at(region, now)

    def peak_at(self, region: str) -> float:
        """Return when a region has most games."""
        return max((minute * 60.0 for minute in range(1440)), key=lambda now: self._at(region, now))

    def _at(self, region: str, now: float) -> float:
        return share_at(self._curve, now / 3600 + self._ahead[region])
