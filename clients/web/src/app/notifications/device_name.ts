/** The name of a device until its owner knows better: its browser and its system. */
import { say } from "./words";

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Returns a name for the device of a browser that calls itself something. */
export function deviceName(userAgent: string): string {
  const of = (names: typeof browsers): string => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "?";
  return say("device.name", { browser: of(browsers), system: of(systems) }).slice(0, 40);
}

/** Whether this is a phone or tablet of Apple's, where only pages on the home screen get push messages. */
export function needsHomeScreen(userAgent: string, isStandalone: boolean): boolean {
  return /\biPhone\b|\biPad\b/.test(userAgent) && !isStandalone;
}
