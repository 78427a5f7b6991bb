/** Returns random bytes for the seeds of a session: with them no server can choose the rolls alone. */
export function newSeedContribution(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(16));
}
