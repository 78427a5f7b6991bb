/** The page with nothing but a board, for the pages of others: `/embed/<session>?language=de&theme=dark`. */
import { mount } from "svelte";
import "../../boards/theme.css";
import EmbeddedGame from "./EmbeddedGame.svelte";
import { speak } from "./words";

const target = document.getElementById("board");
if (target === null) throw new Error("the page has no place for the board");
const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
const session = location.pathname.split("/").at(2) ?? "";
const language = asked.get("language");

void speak(language === null ? navigator.languages : [language, ...navigator.languages]).then((speech) => {
  document.documentElement.lang = speech.language;
  mount(EmbeddedGame, { target, props: { session, speech } });
});
