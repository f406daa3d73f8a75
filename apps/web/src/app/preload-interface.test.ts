// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { preloadInterface } from "./preload-interface.ts";

afterEach(() => {
  document.head.replaceChildren();
  vi.unstubAllGlobals();
});

interface Visit {
  readonly serviceWorker: { readonly controller: object | null } | undefined;
  readonly supports?: boolean;
}

function relOn({ serviceWorker, supports = true }: Visit): string {
  vi.stubGlobal("navigator", { serviceWorker });
  const link = document.createElement("link");
  link.id = "interface";
  Object.defineProperty(link, "relList", { value: { supports: () => supports } });
  document.head.replaceChildren(link);
  preloadInterface();
  return link.rel;
}

test("a first visit fetches the interface as a module", () => {
  expect(relOn({ serviceWorker: { controller: null } })).toBe("modulepreload");
  expect(relOn({ serviceWorker: undefined })).toBe("modulepreload");
});

test("later visits, and browsers that preload no modules, fetch it as a file", () => {
  expect(relOn({ serviceWorker: { controller: {} } })).toBe("preload");
  expect(relOn({ serviceWorker: { controller: null }, supports: false })).toBe("preload");
});
