import { mount } from "svelte";
import App from "./App.svelte";
import { files } from "./files.svelte";
import { installation } from "./installation.svelte";
import { router } from "./router.svelte";
import { connect, server } from "./server.svelte";
import { settings } from "./settings.svelte";
import { awaitTouch } from "./sound";
import { BASE } from "./text/languages";
import { words } from "./text/words.svelte";
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
// The page is not shown in English before it is in the player's language.
if (settings.language === BASE) show(target);
else void words.loadFirst(settings.language).then(() => show(target));

function show(target: HTMLElement): void {
  mount(App, { target });
}

/** Tells what concerns the player, once there is one. */
function tell(): void {
  import("./news/watch.svelte").then(
    ({ followNews }) => followNews(),
    () => undefined,
  );
}
server.onPlayer(tell);
if (server.wallet.player !== undefined) tell();
