/** The functions of gifenc that make an animation; the package has no types of its own. */
declare module "gifenc" {
  type Palette = readonly (readonly [number, number, number])[];
  interface FrameOptions {
    readonly palette?: Palette;
    /** How long the frame is shown, in milliseconds. */
    readonly delay?: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    /** Its fate when the next one comes: with 1 it stays. */
    readonly dispose?: number;
  }
  interface Encoder {
    writeFrame(indices: Uint8Array, width: number, height: number, options?: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }
  export function GIFEncoder(): Encoder;
  export function quantize(rgba: Uint8Array | Uint8ClampedArray, colours: number): Palette;
  export function applyPalette(rgba: Uint8Array | Uint8ClampedArray, palette: Palette): Uint8Array;
}
