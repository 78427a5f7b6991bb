/** Something that is dragged over a drawing, by mouse, pen or finger. */

/** So far a pointer goes before it drags, in pixels of the screen. */
const BEGINS = 8;

/** A place in the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The input of a drag, and its reports. */
interface DragSource {
  readonly svg: () => SVGSVGElement | undefined;
  /** The piece that stood at `from` is in the air. */
  readonly lift?: (from: number) => void;
  /** It is over a place. */
  readonly over?: (at: Point) => void;
  /** It was let go at a place. */
  readonly drop: (from: number, at: Point) => void;
}

interface Drag {
  readonly from: number;
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  readonly begun: boolean;
}

export class DragGesture {
  /** Where the pointer is in the drawing. */
  at = $state.raw<Point>({ x: 0, y: 0 });
  #drag = $state.raw<Drag>();
  #ended = false;
  readonly #source: DragSource;

  constructor(source: DragSource) {
    this.#source = source;
  }

  /** Where that stood which is in the air. */
  get lifted(): number | undefined {
    return this.#drag?.begun === true ? this.#drag.from : undefined;
  }

  /** Tells whether the click that comes is the end of a drag, and no touch of its own: browsers make one of both. */
  swallows(): boolean {
    const ended = this.#ended;
    this.#ended = false;
    return ended;
  }

  /** The pointer is down on `from`; `can` tells whether what stands there can be dragged. */
  down(event: PointerEvent, from: number, can = true): void {
    this.#ended = false;
    if (event.button !== 0 || !can) return;
    this.#drag = { from, pointer: event.pointerId, x: event.clientX, y: event.clientY, begun: false };
  }

  move(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.begun) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < BEGINS) return;
      this.#source.svg()?.setPointerCapture(event.pointerId);
      this.#source.lift?.(drag.from);
      this.#drag = { ...drag, begun: true };
    }
    this.at = this.#place(event);
    this.#source.over?.(this.at);
  }

  /** Ends a drag that is not meant: the piece in the air goes back. */
  stop(): void {
    this.#drag = undefined;
  }

  /** The pointer was let go, or the browser has taken it for something else. */
  up(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    this.#drag = undefined;
    if (!drag.begun || event.type === "pointercancel") return;
    this.#ended = true;
    this.#source.drop(drag.from, this.#place(event));
  }

  #place(event: PointerEvent): Point {
    const matrix = this.#source.svg()?.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x, y };
  }
}
