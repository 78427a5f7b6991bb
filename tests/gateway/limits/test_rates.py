"""Nobody goes on faster than the rates say, and a refusal says the truth about when to come again."""

from gateway.identity.caller import Caller
from gateway.identity.players import Player
from gateway.limits import rates
from gateway.limits.rates import Rates
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from tests.gateway.refusing import refusal_of


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def make_rates(clock: Clock) -> Rates:
    config = Settings(rate_per_s=1, rate_burst=20, address_rate_per_s=4, address_rate_burst=60)
    return Rates(config, clock)


def refused_by(rates_: Rates, caller: Caller, *, is_costly: bool = False, size: int = 0) -> str:
    refused = refusal_of(lambda: rates_.check(caller, size, is_costly=is_costly))
    return refused.refusal.details["limit"] if refused else ""


ADA, BOB = Caller("192.0.2.1", Player("ada", "Ada")), Caller("192.0.2.1", Player("bob", "Bob"))


def test_a_player_who_floods_is_stopped_and_the_neighbours_are_not() -> None:
    all_rates = make_rates(Clock())
    assert [refused_by(all_rates, ADA) for _ in range(100)] == [""] * 20 + ["player"] * 80
    assert [refused_by(all_rates, BOB) for _ in range(20)] == [""] * 20


def test_many_players_of_one_address_are_stopped_together() -> None:
    all_rates = make_rates(Clock())
    callers = [Caller("192.0.2.1", Player(str(number), "x")) for number in range(70)]
    assert [refused_by(all_rates, caller) for caller in callers] == [""] * 60 + ["address"] * 10
    assert refused_by(all_rates, Caller("192.0.2.2")) == ""


def test_costly_calls_are_rarer() -> None:
    all_rates = make_rates(Clock())
    assert [refused_by(all_rates, ADA, is_costly=True) for _ in range(3)] == ["", "", "costly_player"]
    assert refused_by(all_rates, ADA) == ""


def test_strangers_make_players_no_faster_than_their_address_may() -> None:
    all_rates = make_rates(Clock())
    found = [refused_by(all_rates, Caller("192.0.2.1"), is_costly=True) for _ in range(7)]
    assert found == [""] * 6 + ["costly_address"]


def test_talk_has_rates_of_its_own() -> None:
    clock = Clock()
    config = Settings(talk_per_minute=6, talk_burst=2)
    all_rates = Rates(config, clock)

    def say(caller: Caller) -> str:
        try:
            all_rates.check(caller, is_talk=True)
        except Refused as refused:
            return refused.refusal.details["limit"]
        return ""

    assert [say(ADA) for _ in range(3)] == ["", "", "talk_player"]
    assert refused_by(all_rates, ADA) == ""
    clock.now += 10
    assert [say(ADA) for _ in range(2)] == ["", "talk_player"]
    crowd = [Caller("192.0.2.7", Player(str(number), "x")) for number in range(20)]
    assert [say(one) for one in crowd] == [""] * 16 + ["talk_address"] * 4


def test_a_large_request_counts_as_many() -> None:
    all_rates = make_rates(Clock())
    assert refused_by(all_rates, ADA, size=15 * rates.BYTES_PER_TOKEN) == ""
    assert [refused_by(all_rates, ADA) for _ in range(5)] == [""] * 4 + ["player"]


def test_usual_calls_are_charged_nothing_more_and_heavy_ones_by_their_cpu_time() -> None:
    clock = Clock()
    player = Caller("192.0.2.1", Player("p", "Ada"))
    own = Rates(Settings(rate_per_s=10, rate_burst=20, address_rate_per_s=1000, address_rate_burst=1000), clock)
    for _ in range(20):
        own.check(player)
        own.charge(player, 0.004)
        clock.now += 0.1
    own.charge(player, 0.5)
    refused = refusal_of(lambda: own.check(player))
    assert refused is not None
    clock.now += refused.refusal.retry_after_ms / 1000 + 1e-6
    own.check(player)
