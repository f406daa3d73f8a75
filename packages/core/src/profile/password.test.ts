import fc from "fast-check";
import { expect, it } from "vitest";
import { generatePassword } from "./password.ts";

it("makes passwords of the requested length, with every class of character", () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 40 }), (length) => {
      const password = generatePassword(length);
      expect(password).toHaveLength(length);
      for (const charactersOfClass of [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/]) {
        expect(password).toMatch(charactersOfClass);
      }
    }),
  );
});

it("makes 12 characters by default and refuses fewer than 4", () => {
  expect(generatePassword()).toHaveLength(12);
  expect(() => generatePassword(3)).toThrow("password length is too short.");
});
