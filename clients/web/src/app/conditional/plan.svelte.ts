/** A player's plan beforehand: lines that they play on a board of their own, until they are saved. */
import type { Any } from "@bufbuild/protobuf/wkt";
import type { LookAheadResponse } from "@brettwerk/client/v1/conditional_moves";
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import type { ActionChoice } from "@brettwerk/client/v1/games";
import { Happening_Kind, type Update } from "@brettwerk/client/v1/sessions";
import { refusalOf } from "@brettwerk/client/wire";
import { pack, unpack } from "../../api/registry";
import type { Choice } from "../../boards/board";
import { games } from "../games.svelte";
import { server } from "../server.svelte";
import type { Table } from "../table/state/table.svelte";
import { beginsWith, kept, played, withoutEnd, withPath, type Line, type Move } from "./lines";
import { movesOf, type ConditionalMoves } from "./moves.svelte";

/** How many lines there may be, and how many moves in one. */
export const [MAX_LINES, MAX_MOVES] = [16, 32];
/** How many actions are asked for at once, and in all. */
const [PAGE, MAX_ACTIONS] = [1000, 20_000];
const MALFORMED_LARGE = "lines";

/** A notice to the player: a key of the words, and what is put in. */
interface Notice {
  readonly key: "moved" | "moved.none" | "dropped" | "too.long" | "too.many";
  readonly args: Readonly<Record<string, string | number>>;
}

export class Plan {
  lines = $state.raw<readonly Line[]>([]);
  /** The actions played on the player's own board. */
  path = $state.raw<Line>([]);
  /** The position after it; the one before stays until the next is there. */
  ahead = $state.raw<LookAheadResponse | undefined>();
  notice = $state.raw<Notice | undefined>();
  refusal = $state.raw<Refusal | undefined>();
  /** Whether there is something that is not saved. */
  changed = $state(false);
  /** Whether the last thing that was done was to save. */
  saved = $state(false);
  busy = $state(false);
  readonly seat: number;
  readonly #table: Table;
  readonly #prepared: ConditionalMoves;
  /** The version whose position the lines begin at. */
  #base: bigint;
  /** Positions that were seen from there. */
  #seen: { path: Line; ahead: LookAheadResponse }[] = [];
  #all = $state.raw<{ of: LookAheadResponse; actions: readonly ActionChoice[] } | undefined>();
  #round = 0;

  /** The actions possible in the position that is shown. */
  readonly #actions = $derived(
    this.#all !== undefined && this.#all.of === this.ahead ? this.#all.actions : (this.ahead?.actions ?? []),
  );
  readonly more = $derived(this.ahead?.moreActions === true && this.#all?.of !== this.ahead);
  readonly choices = $derived(
    this.#actions.map((action, key): Choice => ({
      key,
      places: action.places,
      notation: action.notation,
      label: games.words(this.#table.session?.game ?? "", action.label),
      // Decoded by the boards that look at it only.
      get action() {
        return unpack(action.action);
      },
    })),
  );
  readonly toAct = $derived(this.ahead?.toAct ?? []);
  readonly view = $derived(unpack(this.ahead?.view));
  readonly events = $derived(this.ahead?.events.map((event) => unpack(event)) ?? []);
  /** The events that led here, as far as they were seen. */
  readonly recent = $derived.by(() => {
    const steps = (this.ahead === undefined ? [] : this.path).map((_, index) =>
      this.#find(this.path.slice(0, index + 1)),
    );
    return [...this.#table.recent, ...steps.map((step) => step?.ahead.events.map((event) => unpack(event)) ?? [])];
  });
  /** How many moves of the turn on the board can be taken back. */
  readonly undoable = $derived.by(() => {
    const [mover] = this.toAct;
    const other = this.path.findLastIndex((move) => move.seat !== mover);
    return this.path.length - 1 - other;
  });

  constructor(table: Table, prepared: ConditionalMoves) {
    this.#table = table;
    this.#prepared = prepared;
    this.seat = table.perspective?.seat ?? 0;
    this.#base = table.live?.version ?? 0n;
    this.lines = prepared.lines ?? [];
  }

  /** Whether lines can be made now: another seat is to act. */
  get open(): boolean {
    const { live, running } = this.#table;
    return running && live !== undefined && !live.toAct.includes(this.seat);
  }

  /** Shows the position after a path of moves. */
  async show(path: Line): Promise<boolean> {
    const round = ++this.#round;
    this.refusal = undefined;
    const found = this.#find(path);
    if (found !== undefined) {
      this.busy = false;
      // As the server has written it.
      [this.path, this.ahead] = [found.path, found.ahead];
      return true;
    }
    this.busy = true;
    try {
      const ahead = await this.#ask(path);
      if (round !== this.#round) return false;
      const moves = movesOf(ahead.moves);
      const last = moves.at(-1);
      const known = last === undefined ? moves : [...path.slice(0, -1), { ...last, next: ahead.toAct }];
      this.#seen.push({ path: known, ahead });
      [this.path, this.ahead] = [known, ahead];
      return true;
    } catch (error) {
      if (round === this.#round) this.refusal = refusalOf(error);
      return false;
    } finally {
      if (round === this.#round) this.busy = false;
    }
  }

  /** Plays one of the actions that are offered. */
  choose(choice: Choice): Promise<void> {
    const action = this.#actions[choice.key]?.action;
    return action === undefined ? Promise.resolve() : this.#play(action);
  }

  /** Plays an action that a board has put together. */
  build(type: string, fields: object): Promise<void> {
    return this.#play(pack(type, fields));
  }

  /** Plays an action that was written down. Returns whether it is one that is offered. */
  async write(notation: string): Promise<boolean> {
    if (this.more) await this.loadActions();
    const choice = this.choices.find((each) => each.notation === notation.trim());
    if (choice !== undefined) await this.choose(choice);
    return choice !== undefined;
  }

  async #play(action: Any): Promise<void> {
    const [seat] = this.toAct;
    if (seat === undefined || this.busy || !this.open) return;
    this.notice = undefined;
    if (this.path.length >= MAX_MOVES) {
      this.notice = { key: "too.long", args: { most: MAX_MOVES } };
      return;
    }
    if (!(await this.show([...this.path, { seat, action, notation: "" }]))) return;
    const lines = withPath(this.lines, this.path);
    if (lines === this.lines) return;
    if (lines.length > MAX_LINES) {
      await this.show(this.path.slice(0, -1));
      this.notice = { key: "too.many", args: { most: MAX_LINES } };
      return;
    }
    this.#change(lines);
  }

  /** Takes back what was played last on the board. */
  async back(count: number): Promise<void> {
    if (count <= 0 || this.busy) return;
    const lines = withoutEnd(this.lines, this.path, count);
    if (lines !== this.lines) this.#change(lines);
    await this.show(this.path.slice(0, -count));
  }

  /** Removes a line. */
  async remove(index: number): Promise<void> {
    this.#change(this.lines.filter((_, at) => at !== index));
    const { path } = this;
    let left = path;
    while (left.length > 0 && !this.lines.some((line) => beginsWith(line, left))) left = left.slice(0, -1);
    if (left !== path) await this.show(left);
  }

  #change(lines: readonly Line[]): void {
    [this.lines, this.changed, this.saved] = [lines, true, false];
    [this.notice, this.refusal] = [undefined, undefined];
  }

  /** Fetches all that can be done in the position that is shown. */
  async loadActions(): Promise<void> {
    const { ahead, path } = this;
    if (ahead === undefined) return;
    const actions: ActionChoice[] = [];
    let pageToken = "";
    do {
      const page = await this.#ask(path, { pageSize: PAGE, pageToken }).catch(() => undefined);
      if (page === undefined || this.ahead !== ahead) return;
      actions.push(...page.actions);
      pageToken = page.nextPageToken;
    } while (pageToken !== "" && actions.length < MAX_ACTIONS);
    this.#all = { of: ahead, actions };
  }

  #ask(path: Line, page: { pageSize?: number; pageToken?: string } = {}): Promise<LookAheadResponse> {
    const moves = path.map(({ seat, action }) => ({ seat, action }));
    return server.call("lookAhead", { ...this.#where(), moves, ...page });
  }

  #where(): { sessionId: string; seatToken: string; expectedVersion: bigint } {
    const { id } = this.#table;
    return { sessionId: id, seatToken: this.#table.tokenOf(this.seat), expectedVersion: this.#base };
  }

  #find(path: Line): { path: Line; ahead: LookAheadResponse } | undefined {
    return this.#seen.find((each) => each.path.length === path.length && beginsWith(each.path, path));
  }

  /** Saves the lines, as far as they have answers. */
  async save(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    [this.notice, this.refusal, this.saved] = [undefined, undefined, false];
    const sent = kept(this.lines, this.seat);
    try {
      const lines = sent.map((line) => ({ moves: line.map(({ seat, action }) => ({ seat, action })) }));
      const answer = await server.call("setConditionalMoves", { ...this.#where(), lines });
      this.#prepared.set(answer.lines.map(({ moves }) => movesOf(moves)));
      [this.changed, this.saved] = [false, true];
    } catch (error) {
      this.refusal = this.#numbered(refusalOf(error), sent);
    } finally {
      this.busy = false;
    }
  }

  /** Returns a refusal with the number that a line has in the list, where it is about one. */
  #numbered(refusal: Refusal, sent: readonly Line[]): Refusal {
    if (refusal.reason !== Reason.CONDITIONAL_MOVES) return refusal;
    const line = sent[Number(refusal.details["line"])];
    if (line === undefined) return refusal;
    const listed = this.lines.findIndex((each) => beginsWith(each, line));
    return { ...refusal, details: { ...refusal.details, line: String(listed) } };
  }

  /** Whether a refusal says that the lines are too large together. */
  get isTooLarge(): boolean {
    return this.refusal?.reason === Reason.MALFORMED && this.refusal.field === MALFORMED_LARGE;
  }

  /** Begins with what is set, unless there is something that was not saved. */
  begin(): void {
    this.follow();
    if (!this.changed) this.lines = this.#prepared.lines ?? [];
    if (this.ahead === undefined && this.open) void this.show(this.path);
  }

  /** Follows the game: keeps of the lines what is still possible, and says what was played. */
  follow(): void {
    const { live, perspective } = this.#table;
    if (live === undefined || live.positionVersion <= this.#base) return;
    const plies = (perspective?.plies ?? []).filter((ply) => ply.version > this.#base);
    const goesOn =
      plies.length > 0 &&
      plies.every((ply) => ply.happening?.kind === Happening_Kind.ACTED) &&
      (perspective?.past ?? []).every((each) => each.version <= this.#base || keepsLines(each));
    let { lines, path } = this;
    let seen = this.#seen;
    for (const ply of goesOn ? plies : []) {
      const is = (move: Move): boolean => isPlayed(ply, move, seen);
      const [first] = path;
      path = first !== undefined && is(first) ? path.slice(1) : [];
      lines = played(lines, is);
      seen = seen.flatMap((each) => {
        const [move, ...rest] = each.path;
        return move !== undefined && is(move) ? [{ ...each, path: rest }] : [];
      });
    }
    if (!goesOn) [lines, path] = [[], []];
    const moves = plies.map((ply) => ply.happening?.notation ?? "").join(" ");
    const had = this.lines.length > 0;
    [this.lines, this.#base] = [lines, live.version];
    // The pictures were made for another version, whose number the server no longer takes.
    this.#seen = [];
    this.changed &&= lines.length > 0;
    if (!goesOn) this.notice = had ? { key: "dropped", args: {} } : undefined;
    else this.notice = { key: had && lines.length === 0 ? "moved.none" : "moved", args: { moves } };
    [this.saved, this.refusal] = [false, undefined];
    this.ahead = undefined;
    this.path = path;
    if (this.open) void this.show(path);
  }
}

/** Whether an update leaves lines as they are, or carries them on. */
function keepsLines({ happening }: Update): boolean {
  return (
    happening?.kind !== Happening_Kind.UNDONE &&
    happening?.kind !== Happening_Kind.LOADED &&
    happening?.kind !== Happening_Kind.OPTIONS
  );
}

/**
 * Whether a move is the one that was played. Its notation may tell a way that the move's does not: then the position tells,
 * where it was seen.
 */
function isPlayed(ply: Update, move: Move, seen: readonly { path: Line; ahead: LookAheadResponse }[]): boolean {
  if (ply.happening?.concernedSeat !== move.seat) return false;
  if (ply.happening.notation === move.notation) return true;
  const ahead = seen.find(({ path }) => path.length === 1 && beginsWith(path, [move]))?.ahead;
  const [found, view] = [ahead?.ownView ?? ahead?.view, ply.view];
  if (found === undefined || view === undefined || found.value.length !== view.value.length) return false;
  return found.value.every((byte, index) => byte === view.value[index]);
}
