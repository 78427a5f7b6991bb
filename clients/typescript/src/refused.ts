/** Refusals as errors. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Reason, RefusalSchema, type Refusal } from "./generated/brettwerk/v1/errors_pb";

/** A reason of the contract's catalogue as a word: "ILLEGAL", "NOT_YOUR_TURN". */
export type ReasonWord = keyof typeof Reason;

/** A call was refused; `reason` says why in a word, and `refusal` all that the server says of it. */
export class Refused extends Error {
  /** Why; "UNSPECIFIED" for a reason of a newer server. */
  readonly reason: ReasonWord;
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    const reason = (Reason[refusal.reason] as ReasonWord | undefined) ?? "UNSPECIFIED";
    super(refusal.message || reason);
    this.name = "Refused";
    this.reason = reason;
    this.refusal = refusal;
  }
}

/** Returns a refusal of the client's own, for what never reached a server. */
export function ownRefusal(reason: Reason, message: string, details: Record<string, string> = {}): Refused {
  const fields: MessageInitShape<typeof RefusalSchema> = { reason, message, details };
  return new Refused(create(RefusalSchema, fields));
}

/** Returns the refusal behind anything that was thrown. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  return ownRefusal(Reason.INTERNAL, error instanceof Error ? error.message : String(error)).refusal;
}

/** The reasons that are no fault of the caller's: an outage, a bound, a defect of the server. */
const NO_FAULT: ReadonlySet<Reason> = new Set([
  Reason.UNAVAILABLE,
  Reason.TOO_MANY_REQUESTS,
  Reason.FULL,
  Reason.DEADLINE,
  Reason.INTERNAL,
]);

/** Whether it may pass by itself, however long that takes. */
export function mayPass(refusal: Refusal): boolean {
  return NO_FAULT.has(refusal.reason);
}

/** Whether the same request can succeed a little later. */
export function isPassing(refusal: Refusal): boolean {
  // A guess that comes too soon is reported immediately: repeating it automatically would keep its person waiting.
  if (refusal.details["limit"] === "guesses") return false;
  return refusal.reason === Reason.UNAVAILABLE || refusal.reason === Reason.TOO_MANY_REQUESTS;
}
