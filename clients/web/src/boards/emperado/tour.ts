import type { Tour } from "../tour";

export const tour: Tour = [
  {
    target: "map",
    title: { en: "The goal", de: "Das Ziel" },
    text: {
      en: "Take countries until no other seat has any left. Each one shows the letter of its owner and the number of its armies. White countries belong to nobody, but ghosts defend them.",
      de: "Befreie Länder, bis keine andere Partei mehr eines hat. Jedes zeigt den Buchstaben seines Besitzers und die Zahl seiner Armeen. Weiße Länder gehören niemandem, aber Geister verteidigen sie.",
    },
  },
  {
    target: "status",
    title: { en: "New armies", de: "Neue Armeen" },
    text: {
      en: "Your turn begins with new armies: three, and more for whole continents, for many countries and for cards. This bar adds them up. The numbers in circles on the map say what each continent is worth.",
      de: "Dein Zug beginnt mit neuen Armeen: drei, und mehr für ganze Kontinente, für viele Länder und für Karten. Diese Leiste rechnet sie vor. Die Zahlen in Kreisen auf der Karte sagen, was jeder Kontinent wert ist.",
    },
  },
  {
    target: "doings",
    title: { en: "Placing them", de: "Setzen" },
    text: {
      en: "Touch countries of yours on the map: each touch places one army. Here you choose another number; a right click places 5, and Shift 20 times as many. All of them have to be placed before you can attack.",
      de: "Tippe eigene Länder auf der Karte an: Jede Berührung setzt eine Armee. Hier wählst du eine andere Zahl; ein Rechtsklick setzt 5, Umschalt das Zwanzigfache. Alle müssen gesetzt sein, bevor du angreifen kannst.",
    },
  },
  {
    target: "map",
    title: { en: "Attacking", de: "Angreifen" },
    text: {
      en: "Now stars mark the countries that can act. Touch one, then a neighbour that is not yours. A click attacks once, a right click 5 times, with Shift 20 times as often; or choose below how often. A finger touches twice, first to see, then to attack. The percentage is your chance of taking the country if you fight to the end. A tie of dice goes to the defender.",
      de: "Nun tragen Länder, die etwas tun können, einen Stern. Tippe eines an, dann ein fremdes Nachbarland. Ein Klick greift einmal an, ein Rechtsklick 5-mal, mit Umschalt 20-mal so oft; oder wähle unten, wie oft. Der Finger tippt zweimal, erst zum Ansehen, dann zum Angreifen. Die Prozentzahl ist die Chance, das Land zu befreien, wenn du bis zum Ende kämpfst. Bei gleichen Würfeln gewinnt der Verteidiger.",
    },
  },
  {
    target: "map",
    title: { en: "Moving", de: "Ziehen" },
    text: {
      en: "Armies that have moved into a country that you took can attack on from there. From a star you can also move armies to a neighbour of your own; that one can do nothing more in this turn. One army always stays behind.",
      de: "Armeen, die in ein befreites Land eingerückt sind, können von dort weiter angreifen. Von einem Stern kannst du auch Armeen in ein eigenes Nachbarland ziehen; das kann dann in diesem Zug nichts mehr tun. Eine Armee bleibt immer zurück.",
    },
  },
  {
    target: "holdings",
    title: { en: "Cards", de: "Karten" },
    text: {
      en: "Take at least one country in your turn, and you get one card at its end: a rider, a soldier or a cannon. Three equal or three different ones bring the card bonus at the start of a later turn. Only you see which you have.",
      de: "Befreist du in deinem Zug mindestens ein Land, bekommst du am Ende eine Karte: Reiter, Soldat oder Kanone. Drei gleiche oder drei verschiedene bringen zu Beginn eines späteren Zuges den Kartenbonus. Nur du siehst, welche du hast.",
    },
  },
  {
    target: "doings",
    title: { en: "The end of your turn", de: "Das Ende deines Zuges" },
    text: {
      en: "“Done” appears here when all armies are placed, and ends your turn. Attacks and moves are up to you. Where the table allows it, what you placed or moved can be taken back until you attack.",
      de: "„Fertig“ erscheint hier, wenn alle Armeen gesetzt sind, und beendet deinen Zug. Ob du angreifst oder ziehst, entscheidest du. Wo der Tisch es erlaubt, lässt sich zurücknehmen, was du gesetzt oder gezogen hast, bis du angreifst.",
    },
  },
  {
    target: "pace",
    title: { en: "Watching the others", de: "Den anderen zusehen" },
    text: {
      en: "Arrows on the map and the move table show what the others do, and then it is your turn. “Continue” up here, Enter or a tap on the map goes on at once. Under “Times” you can give it more time, or have it wait for you.",
      de: "Pfeile auf der Karte und die Zugtabelle zeigen, was die anderen tun; dann bist du am Zug. „Weiter“ hier oben, die Eingabetaste oder eine Berührung der Karte geht sofort weiter. Unter „Zeiten“ gibst du dem mehr Zeit oder lässt es auf dich warten.",
    },
  },
  {
    target: "countries",
    title: { en: "Without the map, and help", de: "Ohne die Karte, und Hilfe" },
    text: {
      en: "“All countries as a list” plays everything by arrow keys and Enter. “Hint” asks the computer, “Rules” explains everything, and the key ? shows all keys.",
      de: "Mit „Alle Länder als Liste“ spielt sich alles mit Pfeiltasten und Eingabetaste. „Tipp“ fragt den Computer, „Regeln“ erklärt alles, und die Taste ? zeigt alle Tasten.",
    },
  },
];
