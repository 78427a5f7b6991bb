/** A drawing as a file that can be sent around. */

/** How many pixels of the file are one unit of the drawing, where nobody says. */
const SHARPNESS = 3;

/**
 * Returns a drawing, which has all its looks in itself, on a canvas that is as large as the drawing, or whose longer side is
 * `longest`. Raises an Error where the browser cannot draw it.
 */
export async function canvasOf(drawing: SVGSVGElement, longest?: number): Promise<HTMLCanvasElement> {
  const box = drawing.viewBox.baseVal;
  const scale = longest === undefined ? SHARPNESS : longest / Math.max(box.width, box.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(box.width * scale);
  canvas.height = Math.round(box.height * scale);
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("width", String(canvas.width));
  copy.setAttribute("height", String(canvas.height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  // Animations read the points of many canvases.
  canvas.getContext("2d", { willReadFrequently: true })?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Returns a drawing, which has all its looks in itself, as a PNG. Raises an Error where the browser cannot draw it. */
export async function pictureOf(drawing: SVGSVGElement, longest?: number): Promise<Blob> {
  const canvas = await canvasOf(drawing, longest);
  return new Promise((resolve, fail) => {
    canvas.toBlob(
      (blob) => (blob === null ? fail(new Error("the picture cannot be drawn")) : resolve(blob)),
      "image/png",
    );
  });
}

/** Whether the browser hands pictures on to other programs of the device. */
export function canShareFiles(): boolean {
  const sample = new File([], "card.png", { type: "image/png" });
  return "canShare" in navigator && navigator.canShare({ files: [sample] });
}

/** Saves a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
