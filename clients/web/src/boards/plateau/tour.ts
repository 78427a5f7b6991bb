import type { Tour } from "../tour";

export const tour: Tour = [
  {
    target: "field",
    title: { en: "The goal", de: "Das Ziel" },
    text: {
      en: "Land an army on an enemy base: the framed node on which an emblem stands at first. With two players that wins at once; with more, that empire falls, and the last one standing wins.",
      de: "Lande mit einer Armee auf einer feindlichen Basis: dem umrahmten Knoten, auf dem anfangs ein Emblem steht. Zu zweit ist das sofort gewonnen; zu mehreren fällt dieses Reich, und das letzte gewinnt.",
    },
  },
  {
    target: "field",
    title: { en: "Your armies", de: "Deine Armeen" },
    text: {
      en: "The number of an army is the most steps that it makes in a turn; the emblem makes up to twelve. A step goes along a line to the next node. Nobody passes another army, except that a four may begin with a jump, and nobody enters the red area.",
      de: "Die Zahl einer Armee sagt, wie viele Schritte sie im Zug höchstens macht; das Emblem macht bis zu zwölf. Ein Schritt geht auf einer Linie zum nächsten Knoten. An anderen Armeen kommt keine vorbei, nur ein Vierer darf mit einem Sprung beginnen. Das rote Gebiet betritt niemand.",
    },
  },
  {
    target: "count",
    title: { en: "A turn", de: "Ein Zug" },
    text: {
      en: "A turn has six to twelve steps, with as many armies as you like, each once. The small armies (2, 4, 6) make at most six of them together. The emblem moves alone, before them or after them. This count says what is made, and what is still due.",
      de: "Ein Zug hat sechs bis zwölf Schritte, mit beliebig vielen Armeen, mit jeder einmal. Die kleinen (2, 4, 6) machen davon zusammen höchstens sechs. Das Emblem zieht allein, vor ihnen oder nach ihnen. Hier steht, wie viele gemacht und wie viele noch nötig sind.",
    },
  },
  {
    target: "field",
    title: { en: "Your move", de: "Deine Bewegung" },
    text: {
      en: "Touch an army with a dotted ring, then a node with a number: so many steps lead there. Where there is a choice of steps, you are asked below the board. Dragging does the same, and so do the arrow keys and Enter.",
      de: "Tippe eine Armee mit gepunktetem Ring an, dann einen Knoten mit einer Zahl: So viele Schritte führen dorthin. Sind verschiedene Schrittzahlen möglich, wirst du unter dem Brett gefragt. Ziehen geht auch, ebenso die Pfeiltasten und die Eingabetaste.",
    },
  },
  {
    target: "field",
    title: { en: "Capturing", de: "Schlagen" },
    text: {
      en: "An army that ends its move on an enemy one captures it. A two does so only around a corner, in an L; the others in any direction. An army on its base is no shield: who lands there conquers.",
      de: "Eine Armee, die auf einer feindlichen endet, schlägt sie. Ein Zweier kann das nur um die Ecke, in L-Form; die anderen in jeder Richtung. Eine Armee auf ihrer Basis ist kein Schild: Wer dort landet, erobert.",
    },
  },
  {
    target: "bar",
    title: { en: "The end of your turn", de: "Das Ende deines Zuges" },
    text: {
      en: "Your turn ends only when you say so: “End turn” works as soon as no step is due any more. Before that, “Take back” undoes moves where the table allows it.",
      de: "Dein Zug endet erst, wenn du es sagst: „Zug beenden“ geht, sobald kein Schritt mehr nötig ist. Vorher macht „Zurücknehmen“ Bewegungen ungeschehen, wo der Tisch es erlaubt.",
    },
  },
  {
    target: "tools",
    title: { en: "Looking closer, and help", de: "Genauer hinsehen, und Hilfe" },
    text: {
      en: "Here are pictures of how twos capture and fours jump, and answers to questions. “How the board is shown” unrolls the board or lets you draw ways. “Hint” asks the computer, “Rules” explains everything, and the key ? shows all keys.",
      de: "Hier gibt es Bilder dazu, wie Zweier schlagen und Vierer springen, und Antworten auf Fragen. „Wie das Brett gezeigt wird“ rollt das Brett ab oder lässt dich Wege zeichnen. „Tipp“ fragt den Computer, „Regeln“ erklärt alles, und die Taste ? zeigt alle Tasten.",
    },
  },
];
