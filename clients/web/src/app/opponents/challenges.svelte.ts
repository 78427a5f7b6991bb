/** The player's challenges, as they were when they were last asked for. */
import { Challenge_State, DeclineReason, type Challenge } from "@brettwerk/client/v1/opponents";
import type { Refusal } from "@brettwerk/client/v1/errors";
import { refusalOf } from "@brettwerk/client/wire";
import { company } from "../company.svelte";
import { server } from "../server.svelte";
import { enter } from "./table_entry";

/** Answers that came so long ago are not shown any more, in milliseconds. */
const SHOWN_MS = 10 * 60_000;

class Challenges {
  received = $state.raw<readonly Challenge[]>([]);
  sent = $state.raw<readonly Challenge[]>([]);
  refusal = $state.raw<Refusal | undefined>();
  /** Challenges that the player has looked at and put away. */
  #away = $state.raw<ReadonlySet<string>>(new Set());

  /** Challenges that wait for the player's answer, newest first. */
  readonly open = $derived(this.received.filter(({ state }) => state === Challenge_State.OPEN));
  /** The player's own: those that wait, and those that were answered a moment ago. */
  readonly shown = $derived(
    this.sent.filter(
      ({ state, createdAtMs, challengeId }) =>
        !this.#away.has(challengeId) &&
        state !== Challenge_State.WITHDRAWN &&
        (state === Challenge_State.OPEN || Number(createdAtMs) > server.time.now - SHOWN_MS),
    ),
  );

  /** Asks for them; leaves all as it is when that fails. */
  async load(): Promise<void> {
    const player = server.wallet.player?.id;
    if (player === undefined) return;
    try {
      const { received, sent } = await server.call("listChallenges", {});
      if (server.wallet.player?.id !== player) return;
      [this.received, this.sent] = [received, sent];
      if (received.length > 0 || sent.length > 0) company.wanted = true;
    } catch {
      // They are asked for again with the next news.
    }
  }

  /** Accepts a challenge, and goes to the table; it may take a moment until there is one. */
  async accept({ challengeId }: Challenge): Promise<void> {
    await this.#act(async () => {
      const { challenge } = await server.call("answerChallenge", { challengeId, accept: true });
      if (challenge !== undefined && challenge.sessionId !== "") await enter(challenge.sessionId);
    });
  }

  async decline({ challengeId }: Challenge, declineReason: DeclineReason): Promise<void> {
    await this.#act(() => server.call("answerChallenge", { challengeId, accept: false, declineReason }));
  }

  async withdraw({ challengeId }: Challenge): Promise<void> {
    await this.#act(() => server.call("withdrawChallenge", { challengeId }));
  }

  /** Blocks a player, and declines what they ask for. */
  async block(challenge: Challenge): Promise<void> {
    await this.decline(challenge, DeclineReason.UNSPECIFIED);
    await this.#act(() =>
      server.call("blockPlayer", { playerId: challenge.challenger?.playerId ?? "", blocked: true }),
    );
  }

  /** Goes to the table of an accepted challenge. */
  async go(challenge: Challenge): Promise<void> {
    this.putAway(challenge);
    await enter(challenge.sessionId);
  }

  /** Shows a challenge no more. */
  putAway({ challengeId }: Challenge): void {
    this.#away = new Set([...this.#away, challengeId]);
  }

  async #act(work: () => Promise<unknown>): Promise<void> {
    this.refusal = undefined;
    try {
      await work();
    } catch (error) {
      this.refusal = refusalOf(error);
    }
    await this.load();
  }
}

export const challenges = new Challenges();
