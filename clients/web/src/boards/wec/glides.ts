/** Pieces and projectiles on their way: drawn again over the board, while they are not seen where they have come to. */
import { animate } from "../animation";
import type { Gone } from "./motion";
import type { Seen } from "./overlay";

interface Glide {
  readonly element: SVGGElement;
  /** The piece or projectile that it shows: a glide ends when that changes. */
  readonly shown: unknown;
  end(): void;
}

export class Glides {
  readonly #running = new Set<Glide>();

  /** Lets what an element draws come over the board from so far to where it is; nothing moves for those who want it so. */
  begin(element: SVGGElement, shown: unknown, { dx, dy }: Gone, over: { host: Element; seen: Seen; ms: number }): void {
    const drawing = element.ownerSVGElement;
    if (drawing === null || over.ms === 0) return;
    const box = drawing.cloneNode() as SVGSVGElement;
    const twin = box.appendChild(element.cloneNode(true)) as SVGGElement;
    delete twin.dataset["name"];
    over.host.append(box);
    const { width, height } = over.seen;
    const from = `translate(${(dx / width) * 100}%, ${(dy / height) * 100}%)`;
    const played = animate(box, [{ transform: from }, { transform: "none" }], {
      duration: over.ms,
      easing: "ease-in-out",
    });
    if (played === undefined) {
      box.remove();
      return;
    }
    element.style.visibility = "hidden";
    const end = (): void => {
      this.#running.delete(glide);
      played.cancel();
      box.remove();
      element.style.visibility = "";
    };
    const glide: Glide = { element, shown, end };
    this.#running.add(glide);
    played.onfinish = end;
  }

  /** Ends what is on its way, apart from what still shows the same where it has come to. */
  end(stands: (shown: unknown) => boolean = () => false): void {
    for (const each of [...this.#running]) if (!each.element.isConnected || !stands(each.shown)) each.end();
  }
}
