/** The page with nothing but a board, for the pages of others: `/embed/<session>?language=de&theme=dark`. */
import "../../boards/theme.css";
import "./page.css";
import { EmbeddedGame } from "./embedded_game";
import { Page } from "./page";
import { speak } from "./words";

const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
const session = location.pathname.split("/").at(2) ?? "";
const language = asked.get("language");

void speak(language === null ? navigator.languages : [language, ...navigator.languages]).then((speech) => {
  document.documentElement.lang = speech.language;
  new EmbeddedGame(session, speech, new Page());
});
