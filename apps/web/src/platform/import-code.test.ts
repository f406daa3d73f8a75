// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { importCode } from "./import-code.ts";

/** The network's response for an address: none, or a status. */
const network = new Map<string, number>();
const asked: string[] = [];
let visit = 0;

beforeEach(() => {
  network.clear();
  asked.length = 0;
  visit += 1;
  vi.stubGlobal("fetch", async (address: string) => {
    const path = new URL(address).pathname;
    asked.push(path);
    const status = network.get(path);
    if (status === undefined) throw new TypeError("Failed to fetch");
    return new Response("", { status });
  });
});

/** Each test uses its own files, because a loaded file is not fetched again. */
const file = (name: string): string => `assets/${name}-${visit}.js`;

describe("importing code", () => {
  test("waits for all dependencies, so that no import fails and is remembered as failed", async () => {
    const [page, part] = [file("page"), file("part")];
    network.set(`/${page}`, 200);
    const importIt = vi.fn(async () => "the page");
    await expect(importCode(importIt, [page, part])).rejects.toThrow("Failed to fetch");
    expect(importIt).not.toHaveBeenCalled();

    network.set(`/${part}`, 200);
    expect(await importCode(importIt, [page, part])).toBe("the page");
    expect(asked).toEqual([`/${page}`, `/${part}`, `/${part}`]);
  });

  test("does not treat an error page as code", async () => {
    const page = file("page");
    network.set(`/${page}`, 404);
    await expect(importCode(async () => "the page", [page])).rejects.toThrow("HTTP error! status: 404");
  });

  test("finds the file of an import without dependencies", async () => {
    // As in a build: the name is in the function's source.
    const importIt = Object.assign(async () => "alone", {
      toString: () => "async()=>{let{A:e}=await import(`./alone-x1.js`);return{A:e}}",
    });
    await expect(importCode(importIt)).rejects.toThrow("Failed to fetch");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/\/alone-x1\.js$/);
  });

  test("imports immediately without a build", async () => {
    expect(await importCode(async () => "source")).toBe("source");
    expect(asked).toEqual([]);
  });
});
