/** The orders of the player's seat at a table: those that are set, and the list that is being changed. */
import type { Refusal } from "@brettwerk/client/v1/errors";
import type { Order, OrderReport } from "@brettwerk/client/v1/orders";
import { ClockSpec_Kind } from "@brettwerk/client/v1/record";
import { refusalOf } from "@brettwerk/client/wire";
import { server } from "../server.svelte";
import type { Table } from "../table/state/table.svelte";

const DAY_MS = 86_400_000n;

export class Orders {
  /** The orders that are set; undefined while that is not known. */
  set = $state.raw<readonly Order[] | undefined>();
  /** The latest reports on orders, the oldest first. */
  reports = $state.raw<readonly OrderReport[]>([]);
  /** The list as the player has changed it; undefined while it is the one that is set. */
  wanted = $state.raw<readonly Order[] | undefined>();
  busy = $state(false);
  refusal = $state.raw<Refusal | undefined>();
  readonly #table: Table;
  #asked = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The list that is shown. */
  get list(): readonly Order[] {
    return this.wanted ?? this.set ?? [];
  }

  get changed(): boolean {
    return this.wanted !== undefined;
  }

  /** Whether the session can have orders. */
  get mayBe(): boolean {
    const { session, running, perspective } = this.#table;
    const clock = session?.clock;
    const slow = clock === undefined || clock.kind === ClockSpec_Kind.UNSPECIFIED || clock.timeMs >= DAY_MS;
    return running && slow && perspective?.seat !== undefined && session?.practice !== true;
  }

  /** Asks the server what is set, and what has come of it. */
  async load(): Promise<void> {
    const asked = ++this.#asked;
    const answer = await server.call("getOrders", this.#table.requests.seat).catch(() => undefined);
    if (answer === undefined || asked !== this.#asked) return;
    this.#take(answer.orders, answer.reports);
  }

  /** Changes the list. */
  change(list: readonly Order[]): void {
    [this.wanted, this.refusal] = [list, undefined];
  }

  /** Saves the list; returns whether that was done. */
  async save(): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.refusal = undefined;
    try {
      const request = { ...this.#table.requests.seat, orders: [...this.list] };
      const answer = await server.call("setOrders", request);
      this.#asked++;
      this.wanted = undefined;
      this.#take(answer.orders, answer.reports);
      return true;
    } catch (error) {
      this.refusal = refusalOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  #take(set: readonly Order[], reports: readonly OrderReport[]): void {
    this.set = set;
    this.reports = reports;
    if (this.wanted === undefined) return;
    // Orders that have ended meanwhile are not in the changed list either, and counts are the newest ones.
    const now = new Map(set.map((order) => [order.id, order]));
    this.wanted = this.wanted.flatMap((order) => (order.id === 0 ? [order] : (now.get(order.id) ?? [])));
  }
}
