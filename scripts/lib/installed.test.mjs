import { expect, test } from "vitest";
import { missingPackages } from "./installed.mjs";

const wanted = {
  packages: {
    "": { version: "1.0.0" },
    "packages/core": { version: "1.0.0" },
    "node_modules/@warren/core": { link: true },
    "node_modules/valibot": { version: "4.0.0" },
    "node_modules/binding-for-another-platform": { version: "1.0.0", optional: true },
  },
};

test("finds nothing missing when only packages of other platforms are absent", () => {
  const installed = {
    packages: { "node_modules/@warren/core": { link: true }, "node_modules/valibot": { version: "4.0.0" } },
  };
  expect(missingPackages(wanted, installed)).toEqual([]);
});

test("finds packages that are absent or have a different version", () => {
  expect(missingPackages(wanted, { packages: { "node_modules/valibot": { version: "3.9.0" } } })).toEqual([
    "node_modules/@warren/core",
    "node_modules/valibot",
  ]);
});
