import type { Tour } from "../tour";

export const tour: Tour = [
  {
    target: "grid",
    title: { en: "The goal", de: "Das Ziel" },
    text: {
      en: "Whoever loses the King has lost, whether it is taken, destroyed by a weapon or converted. Nobody calls check, so look after yours. (A table can put a Dictator, an Avatar or a President in their place.)",
      de: "Wer den König verliert, hat verloren, ob er geschlagen, von einer Waffe zerstört oder bekehrt wird. Niemand sagt Schach, also pass auf deinen auf. (Am Tisch kann an seiner Stelle ein Diktator, Avatar oder Präsident stehen.)",
    },
  },
  {
    target: "bar",
    title: { en: "A Turn", de: "Ein Zug" },
    text: {
      en: "A Turn has one Move, and you have to make it. Before or after it you may fire twice, and pick up, drop, exchange and call a reinforcement once each. The buttons that can be pressed say what is possible now; “End turn” comes last.",
      de: "Ein Zug hat eine Bewegung, und die musst du machen. Vorher oder nachher darfst du zweimal feuern und je einmal aufnehmen, ablegen, tauschen und eine Verstärkung rufen. Welche Knöpfe sich drücken lassen, sagt, was jetzt geht; „Zug beenden“ kommt zuletzt.",
    },
  },
  {
    target: "grid",
    title: { en: "Moving", de: "Ziehen" },
    text: {
      en: "With “Move” pressed, touch a square with a dotted edge, then a green one. A solid red edge means that what stands there is taken. Where two of your pieces share a square, touch it again for the other; a round arrow means that the piece can go up or down right there. Dragging works too, and so do the arrow keys and Enter.",
      de: "Ist „Ziehen“ gedrückt, tippe ein Feld mit gepunktetem Rand an, dann ein grünes. Ein durchgezogener roter Rand heißt: Was dort steht, wird geschlagen. Teilen sich zwei deiner Figuren ein Feld, tippe es noch einmal für die andere an; ein runder Pfeil heißt, dass die Figur dort auf- oder absteigen kann. Ziehen mit der Maus geht auch, ebenso die Pfeiltasten und die Eingabetaste.",
    },
  },
  {
    target: "bar",
    title: { en: "Firing", de: "Feuern" },
    text: {
      en: "Press “Fire”, then choose a piece, its weapon if it has several, and a target. Hits count at the end of the Turn, and a counter against that weapon withstands one of them. Rockets, SAMs and torpedoes fly on, a square in every Turn. Then the weapon rests for some Turns.",
      de: "Drücke „Feuern“, dann wähle eine Figur, ihre Waffe, wenn sie mehrere hat, und ein Ziel. Treffer zählen am Ende des Zuges, und ein Konter gegen diese Waffe hält einen davon aus. Raketen, SAMs und Torpedos fliegen weiter, in jedem Zug ein Feld. Danach ruht die Waffe einige Züge.",
    },
  },
  {
    target: "grid",
    title: { en: "Articles", de: "Gegenstände" },
    text: {
      en: "The small signs on the squares are articles that belong to nobody: weapons, counters, transports and more. A piece on the Ground that stands on one can pick it up, and then has what it gives. Most carry a single one.",
      de: "Die kleinen Zeichen auf den Feldern sind Gegenstände, die niemandem gehören: Waffen, Konter, Transportmittel und mehr. Eine Figur am Boden, die auf einem steht, kann ihn aufnehmen und hat dann, was er gibt. Die meisten tragen nur einen.",
    },
  },
  {
    target: "levels",
    title: { en: "Three levels", de: "Drei Ebenen" },
    text: {
      en: "Every square has Air, Ground and Sub, one above the other. Pieces in Air are blue, those in Sub green. Press a level here to dim the others on the big board; as soon as there is something in Air or in Sub, each level is shown as a small board.",
      de: "Jedes Feld hat Luft, Boden und Tiefe, übereinander. Figuren in der Luft sind blau, die in der Tiefe grün. Drücke hier eine Ebene, um die anderen auf dem großen Brett abzudunkeln; sobald etwas in der Luft oder in der Tiefe ist, zeigt jede ein kleines Brett.",
    },
  },
  {
    target: "grid",
    title: { en: "What you do not see", de: "Was du nicht siehst" },
    text: {
      en: "Unless the table says otherwise, enemies with Stealth and enemies in Sub are hidden from you until they fire or one of your detectors is near: a Counter-Stealth or, for Sub, a Torpedo Launcher. A Move that runs into one stops there.",
      de: "Wenn der Tisch nichts anderes sagt, sind Gegner mit Tarnung und Gegner in der Tiefe für dich verborgen, bis sie feuern oder einer deiner Späher nahe ist: eine Kontertarnung oder, für die Tiefe, ein Torpedorohr. Ein Zug, der auf so einen stößt, endet dort.",
    },
  },
  {
    target: "controls",
    title: { en: "Asking", de: "Nachfragen" },
    text: {
      en: "Touch any square: beside or below the board you read what stands there, and the board shows where it could go and what it could hit, even if it is not yours. “Hint” asks the computer, “Rules” explains everything, and the key ? shows all keys.",
      de: "Tippe irgendein Feld an: Neben oder unter dem Brett steht, was darauf ist, und das Brett zeigt, wohin es ziehen und was es treffen könnte, auch wenn es nicht deines ist. „Tipp“ fragt den Computer, „Regeln“ erklärt alles, und die Taste ? zeigt alle Tasten.",
    },
  },
];
