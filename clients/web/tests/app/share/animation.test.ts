import { afterEach, describe, expect, it, vi } from "vitest";
import { animationOf, MAX_PICTURES, shownMs, taken } from "../../../src/app/share/animation";
import { canvasOf } from "../../../src/app/table/result/picture_file";

vi.mock("../../../src/app/table/result/picture_file", () => ({ canvasOf: vi.fn() }));

const [WIDTH, HEIGHT] = [8, 4];
/** Returns a canvas of one colour with a point of another one. */
function canvas(point: number, colour: readonly number[]): HTMLCanvasElement {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  data.set(colour, point * 4);
  return { width: WIDTH, height: HEIGHT, getContext: () => ({ getImageData: () => ({ data, width: WIDTH, height: HEIGHT }) }) } as unknown as HTMLCanvasElement; // prettier-ignore
}

const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
afterEach(() => vi.clearAllMocks());

describe("the pictures of an animation", () => {
  it("are all of a short game, and of a long one as many as there may be, with its beginning and its end", () => {
    expect([taken(0), taken(1), taken(4)]).toEqual([[], [0], [0, 1, 2, 3]]);
    for (const count of [MAX_PICTURES, MAX_PICTURES + 1, 999, 4000]) {
      const numbers = taken(count);
      expect(numbers).toHaveLength(MAX_PICTURES);
      expect([numbers[0], numbers.at(-1)]).toEqual([0, count - 1]);
      expect(new Set(numbers).size).toBe(MAX_PICTURES);
      expect([...numbers].sort((one, other) => one - other)).toEqual(numbers);
    }
  });

  it("are shown for a while each, and all together for a minute", () => {
    for (let pictures = 2; pictures <= MAX_PICTURES; pictures++) {
      expect(shownMs(pictures)).toBeGreaterThanOrEqual(120);
      expect(shownMs(pictures)).toBeLessThanOrEqual(900);
      expect(shownMs(pictures) * pictures).toBeLessThanOrEqual(60_100);
    }
  });
});

describe("an animation", () => {
  const make = async (count: number, signal = new AbortController().signal): Promise<[Uint8Array, number[]]> => {
    const drawn: number[] = [];
    const made = await animationOf({
      count,
      draw: () => Promise.resolve(drawing),
      drawn: (pictures) => drawn.push(pictures),
      signal,
    });
    return [new Uint8Array(await made.arrayBuffer()), drawn];
  };

  it("is a GIF that goes on for ever, with a picture for each that was drawn", async () => {
    let number = 0;
    vi.mocked(canvasOf).mockImplementation(() => Promise.resolve(canvas(number++ % 32, [200, 30, 30, 255])));
    const [bytes, drawn] = await make(5);
    const text = String.fromCharCode(...bytes);
    expect(text.slice(0, 6)).toBe("GIF89a");
    expect([bytes[6], bytes[8]]).toEqual([WIDTH, HEIGHT]);
    expect(text).toContain("NETSCAPE2.0");
    expect(text.split("\x21\xf9\x04")).toHaveLength(1 + 5);
    expect(bytes.at(-1)).toBe(0x3b);
    expect(drawn).toEqual([1, 2, 3, 4, 5]);
  });

  it("is given up between two pictures", async () => {
    const giveUp = new AbortController();
    let drawings = 0;
    vi.mocked(canvasOf).mockImplementation(() => {
      if (++drawings === 5) giveUp.abort();
      return Promise.resolve(canvas(0, [0, 0, 0, 255]));
    });
    await expect(make(100, giveUp.signal)).rejects.toThrow();
    expect(drawings).toBe(5);
  });

  it("fails where the browser draws nothing", async () => {
    vi.mocked(canvasOf).mockResolvedValue({
      width: 1,
      height: 1,
      getContext: () => null,
    } as unknown as HTMLCanvasElement);
    await expect(make(2)).rejects.toThrow("cannot be drawn");
  });
});
