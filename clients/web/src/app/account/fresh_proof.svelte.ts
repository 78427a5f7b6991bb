/** Fresh proofs: asks the player for one, in a dialog, when something is refused for want of it. */
import { Reason } from "@brettwerk/client/v1/errors";
import { ownRefusal, refusalOf } from "@brettwerk/client/wire";
import type { Proof } from "../../api/account";

/** The dialog's question to the player. */
export interface Question {
  /** The ways that the player has: password, passkey, phrase. */
  readonly ways: readonly string[];
  /** Whether the last answer was wrong. */
  readonly isWrong: boolean;
  readonly answer: (proof: Proof) => void;
}

class FreshProof {
  question = $state.raw<Question | undefined>();

  /** Does something with what proves who the player is, which is asked for if it is needed, again as long as it is wrong. Raises Refused. */
  async with<T>(act: (proof: Proof) => Promise<T>): Promise<T> {
    let proof: Proof;
    for (;;) {
      try {
        return await act(proof);
      } catch (error: unknown) {
        const { reason, details } = refusalOf(error);
        if (reason !== Reason.PROOF_NEEDED) throw error;
        proof = await this.#ask(details["ways"]?.split(",") ?? [], details["proof"] === "wrong");
        if (proof === undefined) throw ownRefusal(Reason.PROOF_NEEDED, "no proof was given");
      }
    }
  }

  #ask(ways: readonly string[], isWrong: boolean): Promise<Proof> {
    return new Promise((resolve) => {
      const answer = (proof: Proof): void => {
        this.question = undefined;
        resolve(proof);
      };
      this.question = { ways, isWrong, answer };
    });
  }
}

export const freshProof = new FreshProof();
