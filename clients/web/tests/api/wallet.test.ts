import { expect, test } from "vitest";
import { memory } from "../../src/api/storage";
import { MAX_DEVICES, MAX_SESSIONS, Wallet } from "../../src/api/wallet";

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

test("seats that were dealt change places, however many are the player's own", () => {
  const wallet = new Wallet(memory());
  for (const [seat, token] of ["a", "b", "c"].entries()) wallet.keepSeat("s", seat, token);
  wallet.moveSeat("s", 0, 1);
  wallet.moveSeat("s", 0, 2);
  expect(Object.fromEntries(wallet.seats("s"))).toEqual({ 0: "c", 1: "a", 2: "b" });
  wallet.moveSeat("s", 5, 0);
  wallet.moveSeat("s", 1, 1);
  expect(Object.fromEntries(wallet.seats("s"))).toEqual({ 0: "c", 1: "a", 2: "b" });
  wallet.keepSeat("t", 0, "z");
  wallet.moveSeat("t", 0, 1);
  expect(Object.fromEntries(wallet.seats("t"))).toEqual({ 1: "z" });
});

test("only the newest sessions are kept", () => {
  let now = 0;
  const wallet = new Wallet(memory(), () => ++now);
  for (let index = 0; index < MAX_SESSIONS + 5; index++) wallet.keepSeat(`s${index}`, 0, "t");
  expect(wallet.sessions()).toHaveLength(MAX_SESSIONS);
  expect(wallet.seats("s4").size).toBe(0);
  expect(wallet.seats("s5").size).toBe(1);
});

test("an unreadable entry is no player and no seat", () => {
  const storage = memory();
  storage.setItem("brettwerk.player", '{"id": 1}');
  storage.setItem("brettwerk.seats.a", "[]");
  const wallet = new Wallet(storage);
  expect(wallet.player).toBeUndefined();
  expect(wallet.seats("a").size).toBe(0);
});

test("a player is kept until the server knows them no longer", () => {
  const wallet = new Wallet(memory());
  wallet.keepPlayer({ id: "p1", token: "t1", name: "Ada" });
  wallet.keepPlayer({ id: "p1", token: "t2", name: "Bob" });
  expect(wallet.player).toEqual({ id: "p1", token: "t2", name: "Bob" });
  wallet.forgetPlayer();
  expect(wallet.player).toBeUndefined();
});

test("sessions that the player has created are kept for as long as they are the same player", () => {
  const storage = memory();
  const wallet = new Wallet(storage);
  wallet.keepCreated("a");
  expect(wallet.hasCreated("a")).toBe(false);
  wallet.keepPlayer({ id: "p1", token: "t1", name: "Ada" });
  for (let index = 0; index <= MAX_SESSIONS; index++) wallet.keepCreated(`s${index}`);
  wallet.keepCreated("s7");
  expect(new Wallet(storage).hasCreated("s7")).toBe(true);
  expect(wallet.hasCreated("s0")).toBe(false);
  expect(wallet.hasCreated("s1")).toBe(true);
  wallet.keepPlayer({ id: "p2", token: "t2", name: "Ben" });
  expect(wallet.hasCreated("s7")).toBe(false);
  storage.setItem("brettwerk.founded", '[["s", 1], "s", {}]');
  expect(wallet.hasCreated("s")).toBe(false);
});

test("device tokens are kept for each player, and stay when the player goes", () => {
  const storage = memory();
  const wallet = new Wallet(storage);
  wallet.keepPlayer({ id: "ada", token: "t", name: "Ada" });
  wallet.keepDevice("ada", "one");
  wallet.keepDevice("bob", "two");
  wallet.keepDevice("ada", "three");
  wallet.forgetPlayer();
  expect(new Wallet(storage).devices).toEqual(["three", "two"]);
  for (let index = 0; index < MAX_DEVICES; index++) wallet.keepDevice(`p${index}`, `${index}`);
  expect(wallet.devices).toHaveLength(MAX_DEVICES);
  expect(wallet.devices).not.toContain("three");
});
