import { expect, test } from "vitest";
import { deviceName, needsHomeScreen } from "../../../src/app/notifications/device_name";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const EDGE = `${CHROME.replace("X11; Linux x86_64", "Windows NT 10.0; Win64; x64")} Edg/140.0.0.0`;
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

test("a device is called by its browser and its system", () => {
  expect(deviceName(CHROME)).toBe("Chrome on Linux");
  expect(deviceName(CHROME.replace("Chrome/", "HeadlessChrome/"))).toBe("Chrome on Linux");
  expect(deviceName(EDGE)).toBe("Edge on Windows");
  expect(deviceName(PHONE)).toBe("Safari on iPhone");
  expect(deviceName("curl/8")).toBe("? on ?");
});

test("on Apple's phones the page has to be on the home screen first", () => {
  expect(needsHomeScreen(PHONE, false)).toBe(true);
  expect(needsHomeScreen(PHONE, true)).toBe(false);
  expect(needsHomeScreen(CHROME, false)).toBe(false);
});
