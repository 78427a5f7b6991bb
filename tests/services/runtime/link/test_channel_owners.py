"""The owner of a shard is whoever claims it with the highest epoch, whatever servers tell, take back, and claim again."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from services.runtime.link.channel import Owners
from tests.night import examples

SERVERS = st.sampled_from("abc")
CLAIMS = st.dictionaries(st.integers(0, 4), st.integers(0, 3))


class Telling(RuleBasedStateMachine):
    """Servers tell this and that; a plain search through all claims says who owns what."""

    def __init__(self) -> None:
        super().__init__()
        self.owners: Owners[str] = Owners()
        self.claims: dict[str, dict[int, int]] = {}
        self.seen = self.all()

    def all(self) -> list[tuple[str | None, int]]:
        return [(self.owners.owners[shard], self.owners.epochs[shard]) for shard in range(6)]

    def best(self, shard: int) -> set[str]:
        most = max((claims[shard] for claims in self.claims.values() if shard in claims), default=None)
        return {who for who, claims in self.claims.items() if shard in claims and claims[shard] == most}

    @rule(who=SERVERS, claims=CLAIMS)
    def tell(self, who: str, claims: dict[int, int]) -> None:
        is_first = who not in self.claims
        self.claims[who] = claims
        before, changed = self.seen, self.owners.tell(who, dict(claims))
        self.seen = self.all()
        assert changed == (is_first or self.seen != before)
        for shard, (owner, _) in enumerate(before):
            assert owner not in self.best(shard) or self.seen[shard][0] == owner, "of equal ones who owned it before"

    @rule(who=SERVERS)
    def forget(self, who: str) -> None:
        was_there = self.claims.pop(who, None) is not None
        assert self.owners.forget(who) == was_there
        self.seen = self.all()

    @invariant()
    def the_highest_epoch_is_right(self) -> None:
        assert self.owners.are_known == bool(self.claims)
        for shard in range(6):
            best, owner = self.best(shard), self.owners.owners[shard]
            assert owner in best if best else owner is None
            assert self.owners.epochs[shard] == (self.claims[owner][shard] if owner else -1)
        claimed = {(who, shard, epoch) for who, claims in self.claims.items() for shard, epoch in claims.items()}
        assert self.owners.overtaken() == {(who, shard, epoch) for who, shard, epoch in claimed if who not in self.best(shard)}


TestTelling = Telling.TestCase
TestTelling.settings = settings(max_examples=examples(60), stateful_step_count=30, deadline=None)
