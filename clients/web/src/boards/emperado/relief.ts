/** Light that falls from above on the left: countries stand out of the sea like pieces of a puzzle. */
import { COUNTRIES, HEIGHT, WIDTH } from "./world";

let drawn: string | undefined;

/**
 * Returns the address of a picture of the relief, as large as the map.
 *
 * It is a picture and no part of the drawing, since it never changes: sixty clipped drawings would be looked at again whenever
 * anything on the page changes.
 */
export function relief(): string {
  const countries = COUNTRIES.map(
    ({ path }, number) =>
      `<clipPath id="c${number}"><path id="p${number}" d="${path}"/></clipPath>` +
      `<g clip-path="url(#c${number})"><use href="#p${number}" x="-2.2" y="-2.2" stroke="#000" stroke-opacity=".24"/>` +
      `<use href="#p${number}" x="1.8" y="1.8" stroke="#fff" stroke-opacity=".38"/></g>`,
  ).join("");
  drawn ??= `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
      `<g fill="none" stroke-width="3.6" stroke-linejoin="round">${countries}</g></svg>`,
  )}`;
  return drawn;
}
