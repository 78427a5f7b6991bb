import { mount } from "svelte";
import App from "./App.svelte";
import { files } from "./files.svelte";
import { installation } from "./installation.svelte";
import { router } from "./router.svelte";
import { connect, server } from "./server.svelte";
import { awaitTouch } from "./sound";
import "../boards/theme.css";
import "./theme.css";
import "./parts/layout.css";
import "./parts/forms.css";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the client");
installation.listen();
files.listen(() => server.unanswered);
router.start();
connect();
awaitTouch();
mount(App, { target });

/** Tells what concerns the player, once there is one. */
function tell(): void {
  import("./news/watch.svelte").then(
    ({ followNews }) => followNews(),
    () => undefined,
  );
}
server.onPlayer(tell);
if (server.wallet.player !== undefined) tell();
