import { expect, test } from "vitest";
import { hasSameFields, unlessAlike } from "../../../../src/app/table/state/stable_lists";

test("a list stays the same object as long as all of it is alike", () => {
  const before = [
    { seat: 1, who: "Ada" },
    { seat: 2, who: "Ben" },
  ];
  expect(
    unlessAlike(
      before,
      [
        { seat: 1, who: "Ada" },
        { seat: 2, who: "Ben" },
      ],
      hasSameFields,
    ),
  ).toBe(before);
  const others = [
    [{ seat: 1, who: "Ada" }],
    [...before, { seat: 3, who: "" }],
    [
      { seat: 1, who: "Ada" },
      { seat: 2, who: "Cleo" },
    ],
    [
      { seat: 2, who: "Ben" },
      { seat: 1, who: "Ada" },
    ],
  ];
  for (const now of others) expect(unlessAlike(before, now, hasSameFields)).toBe(now);
});

test("fields that only one of two has tell them apart", () => {
  expect(hasSameFields<object>({ seat: 1 }, { seat: 1, who: undefined })).toBe(false);
  expect(hasSameFields<object>({ who: undefined }, { seat: undefined })).toBe(true);
});
