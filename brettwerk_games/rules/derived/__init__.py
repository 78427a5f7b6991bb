"""The bytes of a game, derived from its frozen values and its contract: no field is named twice, and no bound.

A NamedTuple or dataclass goes with a message that has a field of the same name for each of its own:

- numbers, switches and texts with their like, an IntEnum with an enum, a value with a message;
- a tuple with a repeated field; one of fixed length with a message of as many fields, or with as many fields whose names begin
  with its own (`ready` with ready_first and ready_second);
- `| None` with an optional field; with a number one higher, of which 0 is None; or with an enum's 0.

Where such a number was replaced by an optional field (`plus_one_of` in limits.proto), both are written, and either is read.
Positions by themselves, as they are stored and hashed, keep their bytes: they are written with the number alone.

An alternative of types goes with a message whose only oneof has a field for each of them: a message that is named as the type,
with or without the game's name before it (ConnectFourPlayed and Played), or a field that is named as the type. Where such a
field holds no message of the type's own, it holds the type's only field (Rolled and rolled).

Bounds are those of the contract (limits.proto). An enum's 0 is what a new value has, if that has one; and what is left out of
options has its preset. `differences.py` is where a game says what is otherwise.

`pairs.py` puts messages together of fields, `fields.py` makes these. The output is bytes, field by field, which takes less time
than a message that is made for each value. A game may keep parts that come again from step to step (`Differences.kept`),
or put them together by hand of derived parts.
"""
