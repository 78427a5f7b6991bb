/** A call that a person begins: whether it is under way, and why it was refused. */
import type { Refusal } from "@brettwerk/client/v1/errors";
import { refusalOf } from "@brettwerk/client/wire";

export class Attempt {
  busy = $state(false);
  refusal = $state.raw<Refusal | undefined>();

  /** Does something; returns what that returns, or undefined if it was refused. */
  async make<T>(act: () => Promise<T>): Promise<T | undefined> {
    [this.busy, this.refusal] = [true, undefined];
    try {
      return await act();
    } catch (error) {
      this.refusal = refusalOf(error);
      return undefined;
    } finally {
      this.busy = false;
    }
  }
}
