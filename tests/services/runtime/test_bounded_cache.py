import random
from collections.abc import Iterable

from services.runtime.bounded_cache import BoundedCache


def filled(keys: Iterable[str], limit_bytes: int = 100) -> BoundedCache[str, str]:
    """Return a cache with values of ten bytes each."""
    cache = BoundedCache[str, str](limit_bytes)
    for key in keys:
        cache.put(key, f"value of {key}", 10)
    return cache


def test_a_kept_value_is_found_until_it_is_forgotten() -> None:
    cache = filled("ab")
    assert (cache.find("a"), cache.get("b"), cache.find("c"), cache.get("c")) == ("value of a", "value of b", None, None)
    cache.forget("a")
    cache.forget("never kept")
    assert ("a" in cache, "b" in cache, list(cache), len(cache)) == (False, True, ["b"], 1)
    cache.clear()
    assert (cache.find("b"), len(cache), cache.use.entries, cache.use.bytes) == (None, 0, 0, 0)


def test_the_least_recently_used_is_forgotten_first() -> None:
    cache = filled("abcde", limit_bytes=50)
    cache.find("a")
    assert cache.touch("b") == cache.get("b")
    cache.put("c", "another", 10)
    cache.get("d")
    cache.exchange("e", "another of e")
    for key in "fg":
        cache.put(key, key, 10)
    assert list(cache) == ["a", "b", "c", "f", "g"]


def test_a_large_value_pushes_out_many_small_ones_and_the_largest_stays_alone() -> None:
    cache = filled("abcdefghij")
    cache.put("large", "large", 55)
    assert list(cache) == ["g", "h", "i", "j", "large"]
    cache.put("largest", "largest", 1000)
    assert (list(cache), cache.use.bytes) == (["largest"], 1000)
    cache.put("a", "a", 10)
    assert (list(cache), cache.use.bytes) == (["a"], 10)


def test_values_unused_between_two_looks_are_forgotten() -> None:
    cache = filled("abc")
    cache.forget_idle()
    assert (list(cache), cache.use.entries) == (["a", "b", "c"], 3)
    cache.find("b")
    cache.put("d", "d", 10)
    cache.forget_idle()
    assert (list(cache), cache.use.entries, cache.use.bytes) == (["b", "d"], 2, 20)
    cache.forget_idle()
    assert (list(cache), cache.use.entries, cache.use.bytes) == ([], 0, 0)


def test_a_value_that_stays_is_not_forgotten_however_long_nobody_uses_it() -> None:
    cache = filled("abc")
    for _ in range(3):
        cache.forget_idle(lambda key, value: key == "b" and value == "value of b")
    assert list(cache) == ["b"]


def test_its_owner_is_told_of_each_key_that_goes() -> None:
    gone: list[str] = []
    cache = BoundedCache[str, str](30, gone.append)
    for key in "abcd":
        cache.put(key, key, 10)
    cache.put("d", "another", 10)
    cache.forget("c")
    cache.forget("c")
    cache.forget_idle()
    cache.forget_idle()
    assert gone == ["a", "c", "b", "d"]


def test_it_counts_what_it_holds_and_how_often_something_was_found() -> None:
    cache = filled("abcd", limit_bytes=30)
    found = [cache.find(key) for key in "abd"]
    assert found == [None, "value of b", "value of d"]
    use = cache.use
    assert (use.limit_bytes, use.entries, use.bytes, use.hits, use.misses) == (30, 3, 30, 2, 1)


def test_its_bytes_are_always_those_of_its_values() -> None:
    rng, cache, sizes = random.Random("bytes"), BoundedCache[int, int](500), dict[int, int]()
    for _ in range(5000):
        key, size = rng.randrange(40), rng.randrange(1, 60)
        match rng.randrange(8):
            case 0:
                cache.forget(key)
            case 1:
                cache.forget_idle(lambda key, _: key % 3 == 0)
            case 2:
                cache.find(key)
            case _:
                cache.put(key, size, size)
                sizes[key] = size
        assert cache.use.bytes == sum(sizes[one] for one in cache) <= 500
        assert cache.use.entries == len(cache) == len(list(cache))
