"""The text that a phone reads off a page that is held before its camera."""

import base64

import zxingcpp
from playwright.sync_api import Locator

_PIXELS = """async (png) => {
    const bytes = Uint8Array.from(atob(png), (each) => each.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const drawing = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    drawing.drawImage(picture, 0, 0);
    const { data } = drawing.getImageData(0, 0, picture.width, picture.height);
    let greens = "";
    for (let at = 1; at < data.length; at += 4) greens += String.fromCharCode(data[at]);
    return [picture.width, picture.height, btoa(greens)];
}"""


def read_code(shown: Locator) -> str:
    """Return the text of the QR code in what an element shows; empty where there is none."""
    png = base64.b64encode(shown.screenshot()).decode()
    width, height, greens = shown.page.evaluate(_PIXELS, png)
    pixels = memoryview(base64.b64decode(greens)).cast("B", (height, width))
    found = zxingcpp.read_barcode(pixels, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode), try_invert=False)
    return found.text if found is not None else ""
