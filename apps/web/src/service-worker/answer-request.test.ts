import { describe, expect, test } from "vitest";
import { Answers, type AskedFor } from "./answer-request.ts";

const origin = "https://warren.example";

interface World {
  readonly kept?: readonly string[];
  /** The network's reply: a status, a failure, or none. */
  readonly network: number | "refused" | "silent";
}

function answersOf({ kept = [], network }: World, home = `${origin}/`) {
  const find = async (path: string) => (kept.includes(path) ? new Response(`kept ${path}`) : undefined);
  const answers = new Answers({
    shell: {
      find,
      findPage: () => find("/index.html"),
      isFile: (path) => path.startsWith("/assets/") || kept.includes(path),
    },
    home,
    wait: () => Promise.resolve(), // as if the time had passed
  });
  const fetch = async (): Promise<Response> => {
    if (network === "silent") return new Promise(() => {});
    if (network === "refused") throw new TypeError("Failed to fetch");
    return new Response("network", { status: network });
  };
  const asking = (path: string, init: Partial<AskedFor["request"]> = {}): AskedFor => ({
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
  return { answers, asking };
}

const shell = ["/index.html", "/theme.js", "/assets/first-abc.js"];
const textOf = async (answer: Promise<Response>) => (await answer).text();

describe("the service worker", () => {
  const { answers, asking } = answersOf({ kept: shell, network: 200 });
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
    expect(answers.asked(asking(path, init))).toBe(expected);
  });
});

describe("a page", () => {
  test("comes from the network if it replies, even if cached", async () => {
    const { answers, asking } = answersOf({ kept: shell, network: 200 });
    // An immediate reply beats the timeout.
    expect(await textOf(answers.page(asking("/")))).toBe("network");
  });

  test.each(["refused", "silent", 502] as const)(
    "comes from the cache if the network is: %s",
    async (network) => {
      const { answers, asking } = answersOf({ kept: shell, network });
      expect(await textOf(answers.page(asking("/file")))).toBe("kept /index.html");
    },
  );

  test("is the network's reply if nothing is cached", async () => {
    expect(
      (await answersOf({ network: 503 }).answers.page(answersOf({ network: 503 }).asking("/"))).status,
    ).toBe(503);
    const { answers, asking } = answersOf({ network: "refused" });
    await expect(answers.page(asking("/"))).rejects.toThrow("Failed to fetch");
  });
});

describe("a file", () => {
  test("with a hash in its name comes from the cache, otherwise from the network", async () => {
    const { answers, asking } = answersOf({ kept: shell, network: 200 });
    expect(await textOf(answers.file(asking("/assets/first-abc.js")))).toBe("kept /assets/first-abc.js");
    expect(await textOf(answers.file(asking("/assets/newer.js")))).toBe("network");
  });

  test("with any other name comes from the same source as its page", async () => {
    const { answers, asking } = answersOf({ kept: shell, network: 200 });
    expect(await textOf(answers.file(asking("/theme.js")))).toBe("network");
    const broken = answersOf({ kept: shell, network: 502 });
    await broken.answers.page(broken.asking("/"));
    expect(await textOf(broken.answers.file(broken.asking("/theme.js")))).toBe("kept /theme.js");
  });

  test("comes from the cache if the network fails", async () => {
    const { answers, asking } = answersOf({ kept: shell, network: "refused" });
    expect(await textOf(answers.file(asking("/theme.js")))).toBe("kept /theme.js");
    await expect(answers.file(asking("/icon.svg"))).rejects.toThrow("Failed to fetch");
  });
});

describe("below a path of its host", () => {
  const { answers, asking } = answersOf({ kept: shell, network: "refused" }, `${origin}/warren/`);
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
  ] as const)("classifies %s %o as %s", (path, init, asked) => {
    expect(answers.asked(asking(path, init))).toBe(asked);
  });

  test("finds a cached file by its path within the app", async () => {
    expect(await textOf(answers.file(asking("/warren/theme.js")))).toBe("kept /theme.js");
  });
});
