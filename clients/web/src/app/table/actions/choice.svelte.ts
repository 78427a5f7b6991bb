/** The actions open to a player in the position shown, and how they choose: at once, after a question, or not at all. */
import type { Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import type { ActionChoice, Effect } from "@brettwerk/client/v1/games";
import type { Hint } from "@brettwerk/client/v1/play";
import type { Session, Update } from "@brettwerk/client/v1/sessions";
import { pack } from "../../../api/registry";
import type { Choice } from "../../../boards/board";
import { games } from "../../games.svelte";
import { server } from "../../server.svelte";
import { settings } from "../../settings.svelte";
import type { Requests } from "../state/requests.svelte";
import { ActionCache } from "./action_cache";

/** Most actions that are asked for. */
const MAX_ACTIONS = 20_000;

/** The situation of a choice. */
interface Situation {
  readonly session: Session | undefined;
  /** The update that the play at the table has come to. */
  readonly update: Update | undefined;
  /** Whether one of the player's seats is to act. */
  readonly myTurn: boolean;
  /** The version of an earlier position that the player looks at. */
  readonly looking: bigint | undefined;
  /** The player's choice before their turn, which comes before what the client does by itself. */
  readonly premove: { readonly chosen: unknown };
}

/** Always the same list, so that boards are not recreated while others play. */
const NONE: readonly Choice[] = [];

/** Whether two actions are the same message. */
function isSameAction(one: Any, other: Any): boolean {
  return (
    one.typeUrl === other.typeUrl &&
    one.value.length === other.value.length &&
    one.value.every((byte, index) => byte === other.value[index])
  );
}

/** An action that the server listed. Its words are made, and it is decoded, for the boards that look at them only. */
class Listed implements Choice {
  readonly key: number;
  readonly #listed: ActionChoice;
  readonly #game: string;
  readonly #unpacking: ActionCache;

  constructor(key: number, listed: ActionChoice, game: string, unpacking: ActionCache) {
    this.key = key;
    this.#listed = listed;
    this.#game = game;
    this.#unpacking = unpacking;
  }

  get places(): readonly string[] {
    return this.#listed.places;
  }

  get notation(): string {
    return this.#listed.notation;
  }

  get label(): string {
    return games.words(this.#game, this.#listed.label);
  }

  get kind(): string {
    return this.#listed.label?.key ?? "";
  }

  get effects(): readonly Effect[] {
    return this.#listed.effects;
  }

  get action(): Message | undefined {
    return this.#unpacking.unpack(this.#listed.action);
  }
}

export class Choosing {
  /** The words of the player's own last action from before it was played, by its notation. */
  said = $state.raw<{ notation: string; label: string } | undefined>();
  hints = $state.raw<{ version: bigint; list: readonly Hint[] } | undefined>();
  /** Counts moves that were taken back before they were played: boards then begin to choose anew. */
  #reconsidered = $state(0);
  #asking = $state.raw<{ version: bigint; choice: Choice } | undefined>();
  #all = $state.raw<{ version: bigint; actions: readonly ActionChoice[] } | undefined>();
  #awaited = $state.raw(0n);
  /** The version in which the client has moved by itself, so that a refusal does not make it try for ever. */
  #moved = 0n;
  readonly #in: Situation;
  readonly #requests: Requests;
  readonly #unpacking = new ActionCache();

  readonly busy = $derived.by(() => this.#requests.doing === "act" || (this.#in.update?.version ?? 0n) < this.#awaited);
  /** The actions open to the player: those that the update listed, or all of them once they were requested. */
  readonly #actions = $derived.by((): readonly ActionChoice[] => {
    const { update } = this.#in;
    return this.#all?.version === update?.version ? (this.#all?.actions ?? []) : (update?.actions ?? []);
  });
  /** Whether there is more than that. */
  readonly hasMore = $derived.by(
    () => this.#in.update?.moreActions === true && this.#all?.version !== this.#in.update.version,
  );
  readonly choices = $derived.by((): readonly Choice[] => {
    const { session, myTurn, looking } = this.#in;
    void this.#heed();
    if (!myTurn || looking !== undefined || session === undefined) return NONE;
    return this.#actions.map((action, key) => new Listed(key, action, session.game, this.#unpacking));
  });

  constructor(situation: Situation, requests: Requests) {
    this.#in = situation;
    this.#requests = requests;
  }

  get #version(): bigint {
    return this.#in.update?.version ?? 0n;
  }

  /** Plays one of the actions that the player was offered, or asks them first when they want that. */
  choose(choice: Choice): Promise<boolean> {
    if (!settings.confirm) return this.#play(choice);
    this.#asking = { version: this.#version, choice };
    return Promise.resolve(false);
  }

  /** The action that the player is asked about; nothing once the position has changed. */
  get asking(): Choice | undefined {
    return this.#asking?.version === this.#in.update?.version && this.choices.length > 0
      ? this.#asking?.choice
      : undefined;
  }

  /** Plays the action that the player was asked about. */
  confirm(): Promise<boolean> {
    const choice = this.asking;
    this.#asking = undefined;
    return choice === undefined ? Promise.resolve(false) : this.#play(choice);
  }

  /** Plays nothing; the player may choose again. */
  reconsider(): void {
    if (this.#asking !== undefined) this.#reconsidered++;
    this.#asking = undefined;
  }

  #play(choice: Choice): Promise<boolean> {
    this.said = { notation: choice.notation, label: choice.label };
    const action = this.#actions[choice.key]?.action;
    return action === undefined ? Promise.resolve(false) : this.#act({ action });
  }

  /** Plays an action if it is among those that may be done now, all of which are asked for where need be. Returns whether it is. */
  async playIfListed(action: Any): Promise<boolean> {
    const version = this.#version;
    const listed = (): ActionChoice | undefined =>
      this.#actions.find((each) => each.action !== undefined && isSameAction(each.action, action));
    if (listed() === undefined && this.hasMore) await this.loadActions();
    const found = listed();
    if (found === undefined || this.#version !== version || !this.#in.myTurn) return false;
    return this.#act({ action });
  }

  /** Plays an action that a board has put together. */
  build(type: string, fields: object): Promise<boolean> {
    return this.#act({ action: pack(type, fields) });
  }

  /** Plays an action that the player has written down. */
  write(notation: string): Promise<boolean> {
    return this.#act({ notation });
  }

  #act(what: { action: Any } | { notation: string }): Promise<boolean> {
    const expectedVersion = this.#version;
    return this.#requests.try("act", async () => {
      const { version } = await server.call("act", { ...this.#requests.seat, expectedVersion, ...what });
      this.#awaited = version;
    });
  }

  /** Asks for all that the player may do, where the update could not tell it all; for boards that need the whole list. */
  async loadActions(): Promise<void> {
    const version = this.#version;
    const actions: ActionChoice[] = [];
    let pageToken = "";
    do {
      const page = await server
        .call("listActions", { ...this.#requests.seat, pageSize: 1000, pageToken })
        .catch(() => undefined);
      if (page === undefined || page.atVersion !== version) return;
      actions.push(...page.actions);
      pageToken = page.nextPageToken;
    } while (pageToken !== "" && actions.length < MAX_ACTIONS);
    this.#all = { version, actions };
  }

  /** The only thing that can be done, when the player wants that to be done without asking. */
  get forced(): Choice | undefined {
    const { choices } = this;
    const { update } = this.#in;
    if (
      !settings.autoplay ||
      this.busy ||
      this.#requests.doing !== undefined ||
      update === undefined ||
      update.moreActions ||
      this.#in.premove.chosen !== undefined
    )
      return undefined;
    return choices.length === 1 && update.version > this.#moved ? choices[0] : undefined;
  }

  /** Does the only thing that can be done. */
  force(choice: Choice): void {
    this.#moved = this.#version;
    void this.#play(choice);
  }

  hint(): Promise<boolean> {
    if (this.#requests.doing === "hint") return Promise.resolve(false);
    return this.#requests.try("hint", async (wanted, signal) => {
      const answer = await server.call("getHint", this.#requests.seat, signal);
      if (wanted()) this.hints = { version: answer.forVersion, list: answer.hints };
    });
  }

  /** Makes what calls it be recreated when a move is reconsidered. */
  #heed(): number {
    return this.#reconsidered;
  }
}
