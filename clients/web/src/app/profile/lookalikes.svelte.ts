/** Players whose names look like those of other players' accounts, as the server finds them: asked for once for each, many at a time. */
import { SvelteMap } from "svelte/reactivity";
import { server } from "../server.svelte";

/** As many as one question may name. */
const MANY = 50;
/** How many answers are kept. */
const KEPT = 1000;

interface Named {
  readonly playerId: string;
  readonly name: string;
}

const keyOf = ({ playerId, name }: Named): string => `${playerId} ${name}`;

class Lookalikes {
  /** The name of the account that each looks like; empty for none. */
  readonly #found = new SvelteMap<string, string>();
  #wanted = new Map<string, Named>();

  /** Returns the name of the account of somebody else that this player's name looks like; empty for none, and while that is not known. */
  of(player: Named): string {
    return this.#found.get(keyOf(player)) ?? "";
  }

  /** Has the server asked about a player, if it was not yet. */
  want(player: Named): void {
    const key = keyOf(player);
    if (this.#found.has(key) || this.#wanted.has(key)) return;
    this.#wanted.set(key, player);
    if (this.#wanted.size === 1) setTimeout(() => void this.#ask());
  }

  async #ask(): Promise<void> {
    const players = [...this.#wanted.values()];
    this.#wanted = new Map();
    if (this.#found.size > KEPT) this.#found.clear();
    for (let first = 0; first < players.length; first += MANY) {
      const some = players.slice(first, first + MANY);
      try {
        const { lookalikes } = await server.call("findLookalikes", { players: some });
        for (const player of some) this.#found.set(keyOf(player), "");
        for (const { player, account } of lookalikes) {
          if (player !== undefined) this.#found.set(keyOf(player), account?.name ?? "");
        }
      } catch {
        // Names are shown without the sign while nobody can tell; who comes to see them later asks again.
      }
    }
  }
}

export const lookalikes = new Lookalikes();
