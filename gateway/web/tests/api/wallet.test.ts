import { expect, test } from "vitest";
import { memory } from "../../src/api/storage";
import { MOST_PLAYERS, MOST_SESSIONS, Wallet } from "../../src/api/wallet";

test("seats are kept by session and in turn order", () => {
  const storage = memory();
  new Wallet(storage).keepSeat("a", 1, "black");
  new Wallet(storage).keepSeat("a", 0, "white");
  new Wallet(storage).keepSeat("b", 0, "other");
  const wallet = new Wallet(storage);
  expect([...wallet.seats("a")]).toEqual([
    [0, "white"],
    [1, "black"],
  ]);
  wallet.forgetSeat("a", 0);
  expect([...wallet.seats("a").keys()]).toEqual([1]);
  wallet.forgetSeat("a", 1);
  expect(wallet.sessions()).toEqual(["b"]);
});

test("only the newest sessions are kept", () => {
  let now = 0;
  const wallet = new Wallet(memory(), () => ++now);
  for (let index = 0; index < MOST_SESSIONS + 5; index++) wallet.keepSeat(`s${index}`, 0, "t");
  expect(wallet.sessions()).toHaveLength(MOST_SESSIONS);
  expect(wallet.seats("s4").size).toBe(0);
  expect(wallet.seats("s5").size).toBe(1);
});

test("what cannot be read is no player and no seat", () => {
  const storage = memory();
  storage.setItem("brettwerk.player", '{"id": 1}');
  storage.setItem("brettwerk.seats.a", "[]");
  const wallet = new Wallet(storage);
  expect(wallet.player).toBeUndefined();
  expect(wallet.seats("a").size).toBe(0);
});

test("a name that was had before brings its player back, until the server knows him no longer", () => {
  const wallet = new Wallet(memory());
  const ada = { id: "p1", token: "t1", name: "Ada" };
  const bob = { id: "p2", token: "t2", name: "Bob" };
  wallet.keepPlayer(ada);
  wallet.keepPlayer(bob);
  expect(wallet.player).toEqual(bob);
  expect(wallet.earlier("Ada")).toEqual(ada);
  wallet.forgetPlayer();
  expect(wallet.player).toBeUndefined();
  expect(wallet.earlier("Bob")).toBeUndefined();
  for (let index = 0; index < MOST_PLAYERS; index++) wallet.keepPlayer({ ...bob, name: `Bob ${index}` });
  expect(wallet.earlier("Ada")).toBeUndefined();
});
