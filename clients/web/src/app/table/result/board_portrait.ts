/** A board as a drawing that looks the same wherever it is taken: what style sheets say of it is in it. */

/** Properties that an element takes from the one around it, unless it says otherwise. */
const INHERITED = [
  "fill",
  "fill-opacity",
  "fill-rule",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "font-style",
  "font-weight",
  "letter-spacing",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
];
/** Properties that hold for an element alone, and their values where nothing is said of them. */
const OWN = {
  opacity: "1",
  display: "inline",
  visibility: "visible",
  transform: "none",
  filter: "none",
  "clip-path": "none",
  "stop-color": "rgb(0, 0, 0)",
  "stop-opacity": "1",
  "flood-color": "rgb(0, 0, 0)",
  "flood-opacity": "1",
  "vector-effect": "none",
};
/** Attributes that would place the drawing where it has been, or belong to the page that it was on. */
const LEFT_OUT = ["class", "style", "data-testid"];
const PLACED = ["x", "y", "width", "height", "aria-hidden", "focusable"];
const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns the drawing of a board that is shown in an element, to stand within another drawing; undefined where there is none. Its
 * looks are in its attributes, since neither the page's styles nor its colours of day and night come along into a file.
 */
export function portraitOf(shown: Element): SVGSVGElement | undefined {
  const drawings = [...shown.querySelectorAll("svg")].filter((each) => each.parentElement?.closest("svg") === null);
  const board = drawings.find((each) => each.hasAttribute("viewBox"));
  if (board === undefined) return undefined;
  const copy = copyOf(board);
  for (const name of PLACED) copy.removeAttribute(name);
  const [x = "", y = "", width = "", height = ""] = (board.getAttribute("viewBox") ?? "").split(/[ ,]+/);
  const ground = document.createElementNS(SVG, "rect");
  const fill = getComputedStyle(board).backgroundColor;
  for (const [name, value] of Object.entries({ x, y, width, height, fill })) ground.setAttribute(name, value);
  // Gradients and patterns may stand in a drawing of their own.
  const defined = drawings.filter((each) => each !== board).flatMap((each) => [...each.children]);
  copy.prepend(ground, ...defined.map((each) => copyOf(each)));
  return copy;
}

/** Returns a copy that says itself how it looks; `around` is the style of what it stands in. */
function copyOf<Kind extends Element>(element: Kind, around?: CSSStyleDeclaration): Kind {
  const copy = element.cloneNode(false) as Kind;
  const style = getComputedStyle(element);
  for (const name of LEFT_OUT) copy.removeAttribute(name);
  for (const name of INHERITED) {
    const value = style.getPropertyValue(name);
    // Values that are only taken over are left so: a shape that is used in many places has the colour of each.
    if (value !== around?.getPropertyValue(name)) copy.setAttribute(name, value);
  }
  for (const [name, usual] of Object.entries(OWN)) {
    const value = style.getPropertyValue(name);
    if (value !== usual) copy.setAttribute(name, value);
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) copy.append(copyOf(child, style));
    else if (child.nodeType === Node.TEXT_NODE) copy.append(child.cloneNode());
  }
  return copy;
}
