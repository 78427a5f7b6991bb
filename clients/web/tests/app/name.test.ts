import { describe, expect, it } from "vitest";
import { cleanName } from "../../src/app/name";

describe("a name", () => {
  it("stays as it is when the server takes it", () => {
    for (const name of ["Anna", "Jörg Müller", "李小龍", "<b>x</b>"]) expect(cleanName(name)).toBe(name);
  });

  it("is cut where the server's forty bytes end, never within a letter", () => {
    expect(cleanName("W".repeat(60))).toBe("W".repeat(40));
    expect(cleanName("Österreichisch-Ungarische Monarchie 1867")).toBe("Österreichisch-Ungarische Monarchie 186");
    expect(cleanName("é".normalize("NFD").repeat(30))).toBe("é".normalize("NFC").repeat(20));
    expect(cleanName("🇩🇪".repeat(9))).toBe("🇩🇪".repeat(5));
  });

  it("has nothing that cannot be seen", () => {
    expect(cleanName(" \u200bAn\u202ena\t B\u00a0 C ")).toBe("Anna B C");
    expect(cleanName("a \u200b b")).toBe("a b");
    expect(cleanName(" \u200b ")).toBe("");
    for (const name of ["\u3164", "\uffa0", "\u115f", "\u2800", "\u0301", " \u0301\u0302"])
      expect(cleanName(name)).toBe("");
    expect(cleanName("e\u0323\u0330\u0331\u0332\u0333")).toBe("\u1eb9\u0330\u0331\u0332");
    expect(cleanName("a\u200db 👩\u200d")).toBe("ab 👩");
  });

  it("keeps the joiners that scripts and emoji need", () => {
    for (const name of ["👨‍👩‍👧", "❤️", "علی‌رضا", "क्‍ष", "ශ්‍රී", "葛\u{e0100}城"]) expect(cleanName(name)).toBe(name);
  });
});
