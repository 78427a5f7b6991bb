/** Returns a share for the chance of a session: with it no server can choose the rolls alone. */
export function newShare(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(16));
}
