/** A new game like the one before: who sits where, what is set, and whether the old one may end. */
import { create } from "@bufbuild/protobuf";
import { anyPack, AnySchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { GameSchema } from "@brettwerk/client/v1/games";
import { SessionSchema, type Session } from "@brettwerk/client/v1/sessions";
import { WecOptionsSchema } from "@brettwerk/client/v1/wec";
import "../../../../src/api/game_types";
import { unpack } from "../../../../src/api/registry";
import { hasOthers, sameAgain, wishesOf } from "../../../../src/app/table/setup/new_game";

const person = (playerId: string) => ({ kind: { case: "person" as const, value: { playerId, name: playerId } } });
const computer = (level: string, depth = 0) => ({ kind: { case: "computer" as const, value: { level, depth } } });

const game = create(GameSchema, {
  id: "emperado",
  levels: [{ id: "normal" }, { id: "strong" }, { id: "depth", maxDepth: 12 }],
});

function session(
  ...seats: { occupant?: ReturnType<typeof person> | ReturnType<typeof computer>; keptFor?: string }[]
): Session {
  const options = { typeUrl: "type.googleapis.com/brettwerk.v1.EmperadoOptions", value: new Uint8Array([88, 3]) };
  return create(SessionSchema, { game: "emperado", title: "Ours", seats, options, clock: { timeMs: 5000n } });
}

test("it has the same seats, settings, clock and computers", () => {
  let contributions = 0;
  const before = session(
    { occupant: person("me") },
    { occupant: computer("depth", 2) },
    { occupant: person("me") },
    {},
  );
  const asked = sameAgain(game, before, wishesOf(game, before, [0, 2]), () => new Uint8Array([++contributions]));
  expect(asked.seats).toEqual([
    { kind: { case: "me", value: true }, seedContribution: new Uint8Array([1]) },
    { kind: { case: "computer", value: { level: "depth", depth: 2 } } },
    { kind: { case: "me", value: true }, seedContribution: new Uint8Array([3]) },
    { kind: { case: "open", value: true } },
  ]);
  expect(asked).toMatchObject({ game: "emperado", title: "Ours", competitive: false, public: false });
  expect([asked.options, asked.clock]).toEqual([before.options, before.clock]);
});

test("the seats of other people are open for them", () => {
  const before = session({ occupant: person("me") }, { occupant: person("you") });
  const asked = sameAgain(game, before, wishesOf(game, before, [0]), () => new Uint8Array());
  expect(asked.seats?.[1]).toEqual({ kind: { case: "open", value: true } });
});

test("somebody else may be wished at a seat: another level, the other side", () => {
  const before = session({ occupant: person("me") }, { occupant: computer("strong") });
  const [mine, theirs] = wishesOf(game, before, [0]);
  expect([mine?.who, theirs?.who, theirs?.level]).toEqual(["me", "computer", "strong"]);
  const wishes = [
    { who: "computer", level: "depth", depth: 7 },
    { who: "me", level: "normal", depth: 0 },
  ] as const;
  const asked = sameAgain(game, before, wishes, () => new Uint8Array([1]));
  expect(asked.seats).toEqual([
    { kind: { case: "computer", value: { level: "depth", depth: 7 } } },
    { kind: { case: "me", value: true }, seedContribution: new Uint8Array([1]) },
  ]);
});

test("a competitive game of an earlier release begins anew as competitive games do today, and else as it was (WEC-MODE-1)", () => {
  const wec = create(GameSchema, {
    id: "wec",
    optionsType: "brettwerk.v1.WecOptions",
    options: [{ key: "competitive", competitiveValue: 1, values: { case: "switch", value: { preset: false } } }],
  });
  const options = anyPack(WecOptionsSchema, create(WecOptionsSchema, { competitive: false, stunRange: 4 }));
  const begun = (competitive: boolean) => {
    const before = create(SessionSchema, { game: "wec", competitive, options });
    return unpack(create(AnySchema, sameAgain(wec, before, [], () => new Uint8Array()).options));
  };
  expect(begun(true)).toMatchObject({ stunRange: 4 });
  expect(begun(true)).not.toHaveProperty("competitive");
  expect(begun(false)).toMatchObject({ stunRange: 4, competitive: false });
});

test("a game in which others play, or may come back, goes on", () => {
  const mine = { occupant: person("me") };
  expect(hasOthers(session(mine, { occupant: computer("easy") }), [0], "me")).toBe(false);
  expect(hasOthers(session(mine, { occupant: computer("easy"), keptFor: "me" }), [0], "me")).toBe(false);
  expect(hasOthers(session(mine, { occupant: person("you") }), [0], "me")).toBe(true);
  expect(hasOthers(session(mine, { occupant: computer("easy"), keptFor: "you" }), [0], "me")).toBe(true);
});
