import { describe, expect, test } from "vitest";
import { enUs } from "../locales/en-us.ts";
import { createTranslator } from "./translator.ts";

describe("a translator", () => {
  const { files_one: _one, ...common } = enUs.common;
  const { translate } = createTranslator("en-us", { ...enUs, common });

  test("takes the general form of a plural where a language has no other", () => {
    expect(translate("common.files", { count: 1 })).toBe("1 files");
  });

  test("leaves nothing of a place that gets no value", () => {
    expect(translate("arrival.title", {})).toBe("Join ");
  });

  test("takes values as they are, even those that look like places and patterns", () => {
    expect(translate("people.fromName", { name: "{{text}} $& $1", text: "x" })).toBe("{{text}} $& $1: x");
  });

  test("knows no text of another key, a section or an inherited name", () => {
    for (const key of ["arrival.titel", "arrival", "constructor", ""]) {
      expect(translate(key, {})).toBeUndefined();
    }
  });
});
