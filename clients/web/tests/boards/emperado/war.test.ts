/** The film of an attack: which throws are seen, what both sides have after each, and how long it takes. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { EmperadoFoughtSchema, type EmperadoFought } from "@brettwerk/client/v1/emperado";
import { BRIEF, FILM, roundsOf, War } from "../../../src/boards/emperado/war.svelte";

/** Returns an attack in which both sides lose an army with each throw; the last twenty throws are known. */
function attack(throws: number): EmperadoFought {
  const last = Array.from({ length: Math.min(20, throws) }, () => ({ attacker: [6, 3, 1], defender: [5, 3] }));
  const lost = { attackersLost: throws, defendersLost: throws };
  return create(EmperadoFoughtSchema, { attackers: 100, defenders: 80, throws, last, ...lost });
}

test("strengths follow the dice to the end", () => {
  const rounds = roundsOf(attack(3), 8).map(({ number, attackers, defenders }) => [number, attackers, defenders]);
  expect(rounds).toEqual([
    [1, 99, 79],
    [2, 98, 78],
    [3, 97, 77],
  ]);
});

test("strengths follow what a throw says where dice do not decide alone", () => {
  const last = [
    { attacker: [6, 6, 6], defender: [1, 1, 1], won: 1 },
    { attacker: [6, 3], defender: [1], won: undefined },
  ];
  const fought = create(EmperadoFoughtSchema, {
    attackers: 9,
    defenders: 5,
    throws: 2,
    last,
    attackersLost: 2,
    defendersLost: 2,
  });
  expect(roundsOf(fought, 8).map(({ attackers, defenders }) => [attackers, defenders])).toEqual([
    [7, 4],
    [7, 3],
  ]);
});

test("a war of many throws is a short film that ends with the last one", () => {
  const rounds = roundsOf(attack(60), FILM.rounds);
  expect(rounds).toHaveLength(FILM.rounds);
  expect(rounds.at(-1)).toMatchObject({ number: 60, attackers: 40, defenders: 20 });
  for (const [index, { attackers }] of rounds.entries())
    expect(attackers).toBeLessThan(rounds[index - 1]?.attackers ?? 100);
  for (const [brief, { all }] of [
    [false, FILM],
    [true, BRIEF],
  ] as const) {
    const war = new War(attack(60), brief);
    expect(war.rounds.length * war.eachMs).toBeLessThanOrEqual(all);
  }
});

test("armies fall when they are lost, not all of very many", () => {
  const few = new War(attack(2), false);
  expect(few.fallsOf("attackers")).toEqual([1, 2]);
  const many = new War(attack(60), false);
  expect(many.fallsOf("defenders").length).toBeLessThanOrEqual(6);
});

test("with reduced motion the end is shown at once", () => {
  const war = new War(attack(3), false);
  expect(war.rolling).toBe(false);
  expect(war.strength).toMatchObject({ attackers: 97, defenders: 77 });
});
