/** Drawings of what can be done, as paths of a square of 24 by 24. */
export const ICONS = {
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5 1 1.1 1 1.9h5.2c0-.8.4-1.4 1-1.9A6 6 0 0 0 12 3Z",
  chances: "M4 20h16M7 16v-5M12 16V5M17 16V9",
  undo: "M10 14 5 9l5-5M5 9h9a5 5 0 0 1 0 10h-3",
  flip: "M7 4v14M3 14l4 4 4-4M17 20V6M13 10l4-4 4 4",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  less: "M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  talk: "M4 5h16v11H10l-5 4v-4H4Z",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 21a8 8 0 0 1 16 0",
  resign: "M6 21V4M6 5h12l-3 4 3 4H6",
} as const;
