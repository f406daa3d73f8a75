import { describe, expect, test, vi } from "vitest";
import { ShellCache } from "./shell-cache.ts";

const origin = "https://warren.example";

/** A fake Cache Storage with the methods used here. */
class FakeCaches {
  readonly stores = new Map<string, Map<string, Response>>();

  async open(name: string): Promise<Cache> {
    const store = this.stores.get(name) ?? new Map<string, Response>();
    this.stores.set(name, store);
    const put = async (key: string, value: Response) => void store.set(new URL(key).pathname, value);
    return { put } as unknown as Cache;
  }
  async keys(): Promise<string[]> {
    return [...this.stores.keys()];
  }
  async delete(name: string): Promise<boolean> {
    return this.stores.delete(name);
  }
  async match(address: string, { cacheName }: MultiCacheQueryOptions = {}): Promise<Response | undefined> {
    const path = new URL(address).pathname;
    for (const [name, store] of this.stores)
      if ((cacheName ?? name) === name && store.has(path)) return store.get(path)?.clone();
    return undefined;
  }
}

function shellOf(
  version: string,
  paths: readonly string[],
  caches = new FakeCaches(),
  answer = ok,
  home = `${origin}/`,
) {
  const fetch = vi.fn(answer);
  const files = paths.map((path) => [path, `sha256-${path}`] as const);
  return {
    shell: new ShellCache({ version, files }, { caches: caches as never, fetch, home }),
    caches,
    fetch,
  };
}

const ok = async ({ url }: Request): Promise<Response> => new Response(`content of ${url}`);
const paths = ["/index.html", "/theme.js", "/assets/first-abc.js", "/assets/dialog-def.js", "/icon.svg"];

describe("the shell", () => {
  test("fetches all files, each with its digest, bypassing the browser's cache for those without a hash", async () => {
    const { shell, caches, fetch } = shellOf("one", paths);
    await shell.fill();
    expect([...(caches.stores.get("warren-shell-one")?.keys() ?? [])].sort()).toEqual([...paths].sort());
    const requests = new Map(fetch.mock.calls.map(([request]) => [new URL(request.url).pathname, request]));
    expect(requests.get("/index.html")).toMatchObject({ integrity: "sha256-/index.html", cache: "no-cache" });
    expect(requests.get("/assets/first-abc.js")?.cache).toBe("default");
    expect(await (await shell.findPage())?.text()).toBe(`content of ${origin}/index.html`);
  });

  test.each([
    ["is missing", async () => new Response("", { status: 404 })],
    ["is not the build's", () => Promise.reject(new TypeError("Failed integrity check"))],
  ])("stores nothing if a file %s", async (_what, answer) => {
    const { shell, caches } = shellOf("one", paths, new FakeCaches(), async (request) =>
      request.url.endsWith("/icon.svg") ? answer() : ok(request),
    );
    await expect(shell.fill()).rejects.toThrow();
    expect(await caches.keys()).toEqual([]);
    expect(await shell.findPage()).toBeUndefined();
  });

  test("removes the redirect from a response, which browsers reject for a navigation", async () => {
    const redirected = async (request: Request) => {
      const response = await ok(request);
      response.headers.set("Content-Type", "text/html");
      return Object.defineProperty(response, "redirected", { value: true });
    };
    const { shell, caches } = shellOf("one", paths, new FakeCaches(), redirected);
    await shell.fill();
    const kept = caches.stores.get("warren-shell-one")?.get("/index.html");
    expect(kept?.redirected).toBe(false);
    expect(kept?.headers.get("Content-Type")).toBe("text/html");
    expect(await kept?.text()).toBe(`content of ${origin}/index.html`);
  });

  test("deletes only earlier versions", async () => {
    const caches = new FakeCaches();
    await shellOf("one", paths, caches).shell.fill();
    const { shell } = shellOf("two", paths, caches);
    await shell.fill();
    await caches.open("of something else");
    await shell.dropOthers();
    expect(await caches.keys()).toEqual(["warren-shell-two", "of something else"]);
  });

  test("serves hashed files of a waiting version, but not its page", async () => {
    const caches = new FakeCaches();
    const { shell } = shellOf("one", ["/index.html", "/assets/old.js"], caches);
    await shell.fill();
    await shellOf("two", ["/index.html", "/robots.txt", "/assets/new.js"], caches).shell.fill();
    expect(await shell.find("/assets/new.js")).toBeDefined();
    expect(await shell.find("/robots.txt")).toBeUndefined();
    expect([shell.isFile("/assets/new.js"), shell.isFile("/robots.txt")]).toEqual([true, false]);
  });

  test("keeps two apps at two paths of a host separate", async () => {
    const caches = new FakeCaches();
    const at = (home: string) => shellOf("one", ["/index.html"], caches, ok, home).shell;
    const [atRoot, below] = [at(`${origin}/`), at(`${origin}/warren/`)];
    await Promise.all([atRoot.fill(), below.fill()]);
    await Promise.all([atRoot.dropOthers(), below.dropOthers()]);
    expect(await (await atRoot.findPage())?.text()).toBe(`content of ${origin}/index.html`);
    expect(await (await below.findPage())?.text()).toBe(`content of ${origin}/warren/index.html`);
  });
});
