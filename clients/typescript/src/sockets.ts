/** Which WebSocket a client opens: the browser's, or one that stands in for it. */
import type { Socket } from "./reconnecting_socket";

export type Sockets = new (url: string) => Socket;

let sockets: Sockets | undefined;

/** Returns whether there are WebSockets here without further help. */
export function hasSockets(): boolean {
  return "WebSocket" in globalThis;
}

/** Opens sockets of this class from now on. */
export function useSockets(chosen: Sockets): void {
  sockets = chosen;
}

/** Opens a socket to the web endpoint at an address such as https://play.example.org. Raises an Error without WebSockets. */
export function openSocket(url: string): Socket {
  const address = new URL("/v1/connect", url);
  address.protocol = address.protocol === "https:" || address.protocol === "wss:" ? "wss:" : "ws:";
  return new (sockets ?? globalThis.WebSocket)(address.href);
}
