import type { Tour } from "../tour";

export const tour: Tour = [
  {
    target: "board",
    title: { en: "The goal", de: "Das Ziel" },
    text: {
      en: "White runs to A1, Black to E5. Whoever gets one stone there first has won, and so has whoever takes every enemy stone.",
      de: "Weiß läuft nach A1, Schwarz nach E5. Wer zuerst einen Stein dort hat, gewinnt; ebenso, wer alle fremden Steine schlägt.",
    },
  },
  {
    target: "board",
    title: { en: "The die", de: "Der Würfel" },
    text: {
      en: "A die is rolled before each move; the one with a frame is that of the side to move. The stones that may move wear a dashed ring: the one with the number rolled or, if it is gone, its neighbours in number. A solid ring means that the stone is chosen already, since no other may move.",
      de: "Vor jedem Zug wird gewürfelt; der Würfel mit Rahmen gehört der Seite am Zug. Die Steine, die ziehen dürfen, tragen einen gestrichelten Ring: der mit der gewürfelten Zahl oder, wenn er fort ist, seine Nachbarn in der Zahlenreihe. Ein durchgezogener Ring heißt: Der Stein ist schon gewählt, weil kein anderer ziehen darf.",
    },
  },
  {
    target: "board",
    title: { en: "Your move", de: "Dein Zug" },
    text: {
      en: "Touch a ringed stone, then one of the squares that its arrows point to. Dragging does the same, and so do the arrow keys and Enter.",
      de: "Tippe einen Stein mit Ring an, dann eines der Felder, auf die seine Pfeile zeigen. Ziehen geht auch, ebenso die Pfeiltasten und die Eingabetaste.",
    },
  },
  {
    target: "board",
    title: { en: "Taking stones", de: "Steine schlagen" },
    text: {
      en: "Whatever stands on the square is taken, even a stone of your own. That can be good: fewer stones are moved more often.",
      de: "Was auf dem Feld steht, wird geschlagen, auch ein eigener Stein. Das kann gut sein: Wer weniger Steine hat, zieht die übrigen öfter.",
    },
  },
  {
    target: "moves",
    title: { en: "Looking back, and help", de: "Zurückblicken und Hilfe" },
    text: {
      en: "The list of moves shows any earlier position while play goes on. “Hint” asks the computer, “Rules” explains everything, and the key ? shows all keys.",
      de: "Die Zugliste zeigt jede frühere Stellung, während die Partie weitergeht. „Tipp“ fragt den Computer, „Regeln“ erklärt alles, und die Taste ? zeigt alle Tasten.",
    },
  },
];
