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
    expect(cleanName("👨‍👩‍👧")).toBe("👨👩👧");
    expect(cleanName(" \u200b ")).toBe("");
  });
});
