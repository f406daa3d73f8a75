import { describe, expect, test } from "vitest";
import { Answers, type AskedFor } from "./answer-request.ts";

const origin = "https://warren.example";

interface World {
  readonly kept?: readonly string[];
  /** What the network gives: a status, a failure, or nothing at all. */
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
    wait: () => Promise.resolve(), // as if it was over
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
  ] as const)("takes %s %j for: %s", (path, init, expected) => {
    expect(answers.asked(asking(path, init))).toBe(expected);
  });
});

describe("a page", () => {
  test("comes from the network where that answers, whatever is kept", async () => {
    const { answers, asking } = answersOf({ kept: shell, network: 200 });
    // Waiting takes time, an answer that is there does not.
    expect(await textOf(answers.page(asking("/")))).toBe("network");
  });

  test.each(["refused", "silent", 502] as const)(
    "comes as it was kept where the network is: %s",
    async (network) => {
      const { answers, asking } = answersOf({ kept: shell, network });
      expect(await textOf(answers.page(asking("/file")))).toBe("kept /index.html");
    },
  );

  test("is what the network says where nothing is kept", async () => {
    expect(
      (await answersOf({ network: 503 }).answers.page(answersOf({ network: 503 }).asking("/"))).status,
    ).toBe(503);
    const { answers, asking } = answersOf({ network: "refused" });
    await expect(answers.page(asking("/"))).rejects.toThrow("Failed to fetch");
  });
});

describe("a file", () => {
  test("whose name holds a hash comes as it was kept, and from the network where it was not", async () => {
    const { answers, asking } = answersOf({ kept: shell, network: 200 });
    expect(await textOf(answers.file(asking("/assets/first-abc.js")))).toBe("kept /assets/first-abc.js");
    expect(await textOf(answers.file(asking("/assets/newer.js")))).toBe("network");
  });

  test("of any other name comes from where its page came from", async () => {
    const { answers, asking } = answersOf({ kept: shell, network: 200 });
    expect(await textOf(answers.file(asking("/theme.js")))).toBe("network");
    const broken = answersOf({ kept: shell, network: 502 });
    await broken.answers.page(broken.asking("/"));
    expect(await textOf(broken.answers.file(broken.asking("/theme.js")))).toBe("kept /theme.js");
  });

  test("comes as it was kept when the network is gone", async () => {
    const { answers, asking } = answersOf({ kept: shell, network: "refused" });
    expect(await textOf(answers.file(asking("/theme.js")))).toBe("kept /theme.js");
    await expect(answers.file(asking("/icon.svg"))).rejects.toThrow("Failed to fetch");
  });
});

describe("under a path of its host", () => {
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
  ] as const)("%s is asked for %o as %s", (path, init, asked) => {
    expect(answers.asked(asking(path, init))).toBe(asked);
  });

  test("a file comes as it is kept under its path within the app", async () => {
    expect(await textOf(answers.file(asking("/warren/theme.js")))).toBe("kept /theme.js");
  });
});
