/** A drawing as a file that can be sent around. */

/** How many pixels of the file are one unit of the drawing. */
const SHARPNESS = 3;

/** Returns a drawing, which has all its looks in itself, as a PNG. Raises an Error where the browser cannot draw it. */
export async function pictureOf(drawing: SVGSVGElement): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal;
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("width", String(width * SHARPNESS));
  copy.setAttribute("height", String(height * SHARPNESS));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SHARPNESS;
  canvas.height = height * SHARPNESS;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
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
