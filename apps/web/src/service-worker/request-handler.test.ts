import { describe, expect, test } from "vitest";
import { type IncomingRequest, RequestHandler } from "./request-handler.ts";

const origin = "https://warren.example";

interface World {
  readonly kept?: readonly string[];
  /** The network's reply: a status, a failure, or none. */
  readonly network: number | "refused" | "silent";
}

function handlerWith({ kept = [], network }: World, home = `${origin}/`) {
  const find = async (path: string) => (kept.includes(path) ? new Response(`kept ${path}`) : undefined);
  const handler = new RequestHandler({
    shell: {
      find,
      findPage: () => find("/index.html"),
      isFile: (path) => path.startsWith("/assets/") || kept.includes(path),
    },
    home,
    delay: () => Promise.resolve(), // as if the time had passed
  });
  const fetch = async (): Promise<Response> => {
    if (network === "silent") return new Promise(() => {});
    if (network === "refused") throw new TypeError("Failed to fetch");
    return new Response("network", { status: network });
  };
  const requestFor = (path: string, init: Partial<IncomingRequest["request"]> = {}): IncomingRequest => ({
    request: {
      method: "GET",
      mode: "cors",
      headers: new Headers(),
      ...init,
      url: new URL(path, origin).href,
    },
    clientId: "client",
    resultingClientId: "client",
    fetch,
  });
  return { handler, requestFor };
}

const shell = ["/index.html", "/theme.js", "/assets/first-abc.js"];
const textOf = async (answer: Promise<Response>) => (await answer).text();

describe("the service worker", () => {
  const { handler, requestFor } = handlerWith({ kept: shell, network: 200 });
  const navigate = { mode: "navigate" } as const;
  test.each([
    ["/", navigate, "page"],
    ["/?id=harbour&pwd=secret", navigate, "page"],
    ["/client/7c/chat", navigate, "page"],
    ["/share", { mode: "navigate", method: "POST" }, "share"],
    ["/share", { mode: "cors", method: "POST" }, "nothing"],
    ["/other", { mode: "navigate", method: "POST" }, "nothing"],
    ["/assets/first-abc.js", {}, "file"],
    ["/assets/of-a-newer-version.js", {}, "file"],
    ["/theme.js", {}, "file"],
    ["/theme.js?pwd=secret", {}, "nothing"],
    ["/assets/first-abc.js", { headers: new Headers({ range: "bytes=0-9" }) }, "nothing"],
    ["/sw.js", {}, "nothing"],
    ["/ws", {}, "nothing"],
    ["/healthz", navigate, "nothing"],
    ["/icon.svg", navigate, "nothing"],
    ["https://rtc.live.cloudflare.com/v1/turn/keys/k/credentials/generate", { method: "POST" }, "nothing"],
    ["https://other.example/", navigate, "nothing"],
  ] as const)("classifies %s %j as: %s", (path, init, expected) => {
    expect(handler.kindOf(requestFor(path, init))).toBe(expected);
  });
});

describe("a page", () => {
  test("comes from the network if it replies, even if cached", async () => {
    const { handler, requestFor } = handlerWith({ kept: shell, network: 200 });
    // An immediate reply beats the timeout.
    expect(await textOf(handler.page(requestFor("/")))).toBe("network");
  });

  test.each(["refused", "silent", 502] as const)(
    "comes from the cache if the network is: %s",
    async (network) => {
      const { handler, requestFor } = handlerWith({ kept: shell, network });
      expect(await textOf(handler.page(requestFor("/file")))).toBe("kept /index.html");
    },
  );

  test("is the network's reply if nothing is cached", async () => {
    expect(
      (await handlerWith({ network: 503 }).handler.page(handlerWith({ network: 503 }).requestFor("/")))
        .status,
    ).toBe(503);
    const { handler, requestFor } = handlerWith({ network: "refused" });
    await expect(handler.page(requestFor("/"))).rejects.toThrow("Failed to fetch");
  });
});

describe("a file", () => {
  test("with a hash in its name comes from the cache, otherwise from the network", async () => {
    const { handler, requestFor } = handlerWith({ kept: shell, network: 200 });
    expect(await textOf(handler.file(requestFor("/assets/first-abc.js")))).toBe("kept /assets/first-abc.js");
    expect(await textOf(handler.file(requestFor("/assets/newer.js")))).toBe("network");
  });

  test("with any other name comes from the same source as its page", async () => {
    const { handler, requestFor } = handlerWith({ kept: shell, network: 200 });
    expect(await textOf(handler.file(requestFor("/theme.js")))).toBe("network");
    const broken = handlerWith({ kept: shell, network: 502 });
    await broken.handler.page(broken.requestFor("/"));
    expect(await textOf(broken.handler.file(broken.requestFor("/theme.js")))).toBe("kept /theme.js");
  });

  test("comes from the cache if the network fails", async () => {
    const { handler, requestFor } = handlerWith({ kept: shell, network: "refused" });
    expect(await textOf(handler.file(requestFor("/theme.js")))).toBe("kept /theme.js");
    await expect(handler.file(requestFor("/icon.svg"))).rejects.toThrow("Failed to fetch");
  });
});

describe("below a path of its host", () => {
  const { handler, requestFor } = handlerWith({ kept: shell, network: "refused" }, `${origin}/warren/`);
  const navigate = { mode: "navigate" } as const;
  test.each([
    ["/warren/", navigate, "page"],
    ["/warren/r/harbour", navigate, "page"],
    ["/warren/ws", navigate, "nothing"],
    ["/warren/share", { mode: "navigate", method: "POST" }, "share"],
    ["/warren/assets/first-abc.js", {}, "file"],
    ["/", navigate, "nothing"],
    ["/warrens/", navigate, "nothing"],
    ["/share", { mode: "navigate", method: "POST" }, "nothing"],
    ["/assets/first-abc.js", {}, "nothing"],
  ] as const)("classifies %s %o as %s", (path, init, kind) => {
    expect(handler.kindOf(requestFor(path, init))).toBe(kind);
  });

  test("finds a cached file by its path within the app", async () => {
    expect(await textOf(handler.file(requestFor("/warren/theme.js")))).toBe("kept /theme.js");
  });
});
