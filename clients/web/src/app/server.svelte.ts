/** The server of this page. */
import { Client } from "../api/client";
import { browserStorage } from "../api/storage";
import { Wallet } from "../api/wallet";
import { cleanName } from "./name";
import { settings } from "./settings.svelte";
import { t } from "./text/text.svelte";

const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/v1/connect`;

export const server = new Client({
  open: () => new WebSocket(address),
  random: Math.random,
  backoffRange: { first: 400, most: 10_000 },
  wallet: new Wallet(browserStorage("localStorage")),
  outbox: browserStorage("sessionStorage"),
  opening: 10_000,
  silenceTimeout: 3500,
  late: 4000,
  guestName: () => cleanName(settings.name) || t("guest", { number: Math.floor(1000 + Math.random() * 9000) }),
});

class Connection {
  state = $state(server.state);
  /** Whether something that the player did has had no answer for long. */
  late = $state(false);
}

/** How the connection to the server is. */
export const connection = new Connection();

/** Opens the connection and keeps it open as long as the page lives. */
export function connect(): void {
  server.onState((state) => (connection.state = state));
  server.onLate = (isLate) => (connection.late = isLate);
  window.addEventListener("offline", () => server.interrupt());
  window.addEventListener("online", () => server.start());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") server.start();
  });
  server.start();
}

/** Becomes a player of the name that was set, or of a guest's. Raises Refused. */
export async function becomePlayer(): Promise<void> {
  const name = cleanName(settings.name);
  if (name === "" && server.wallet.player !== undefined) return;
  await server.become(name || server.guestName());
  settings.name = server.wallet.player?.name ?? settings.name;
}
