from services.rules.any_codec import Recent


def size(value: str) -> int:
    return len(value)


def test_used_entries_stay_and_unused_ones_are_forgotten() -> None:
    recent = Recent(20, size)
    recent.keep("used", "12345")
    for number in range(40):
        recent.keep(number, "1234")
        assert recent.find("used") == "12345"
        assert recent.find(number) == "1234"
    assert recent.find(0) is None
    assert recent.find("never") is None


def test_no_more_is_remembered_than_there_is_room_for() -> None:
    recent = Recent(1000, size)
    for number in range(1000):
        recent.keep(number, "x" * (1 + 37 * number % 100))
        assert sum(len(recent.find(key) or "") for key in range(number - 30, number + 1)) > 0
        held = {**recent._older, **recent.newer}
        assert sum(map(size, held.values())) <= 1000
        assert len(recent) == len(held) > 0


def test_an_entry_larger_than_the_room_pushes_no_other_out() -> None:
    recent = Recent(20, size)
    recent.keep("small", "1")
    recent.keep("large", "x" * 11)
    assert (recent.find("small"), recent.find("large")) == ("1", None)
