import { roomIdSchema, v } from "@warren/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedTurnsOf } from "../ice/shared-turns.ts";
import { buildJoinLink, readJoinLink, serverHosts, serversBeyond } from "./join-link.ts";

const origin = "https://warren.example";
const home = `${origin}/`;
/** Generating a link or a server is slow. */
const drawn = { numRuns: process.env.WARREN_LONG === "1" ? 1_000 : 25 };
const drawnTimeoutMs = 60_000;
const ann = "6d4c1c55-8b5e-4a53-9a0c-0b6f3f0f6b11";
const none = { stuns: [], turns: [] };
const turn = (url: string, authMethod: "hmac" | "longterm" | "cloudflare" = "longterm") => ({
  authMethod,
  url,
  username: "u",
  password: "p",
});

describe("building a join link", () => {
  it("puts room and join in the query and every secret in the fragment", () => {
    const url = new URL(
      buildJoinLink(home, {
        roomId: "harbour",
        password: "Vq7&tidal",
        servers: { stuns: ["stun:s.example:3478"], turns: [turn("turn:t.example")] },
        by: ann,
      }),
    );
    expect(url.search).toBe("?id=harbour&join=true");
    const fragment = new URLSearchParams(url.hash.slice(1));
    expect(fragment.get("pwd")).toBe("Vq7&tidal");
    expect(JSON.parse(fragment.get("stun") ?? "")).toEqual(["stun:s.example:3478"]);
    expect(JSON.parse(fragment.get("turn") ?? "")).toEqual([turn("turn:t.example")]);
    expect(fragment.get("by")).toBe(ann);
  });

  it("is short without servers: the room in the path, then password and creator", () => {
    const link = { roomId: "harbour", password: null, servers: none, by: null };
    expect(buildJoinLink(home, link)).toBe(`${origin}/r/harbour`);
    expect(buildJoinLink(`${home}warren/`, link)).toBe(`${origin}/warren/r/harbour`);
    expect(readJoinLink(`${origin}/warren/r/harbour`)).toMatchObject({
      roomId: "harbour",
      cleanAddress: "/warren/",
    });
    expect(buildJoinLink(home, { ...link, password: "V.q 7&%=" })).toBe(`${origin}/r/harbour#V%2Eq%207&%25=`);
    expect(buildJoinLink(home, { ...link, by: ann })).toBe(`${origin}/r/harbour#.bUwcVYteSlOaDAtvPw9rEQ`);
  });

  it("uses parameters if a path would change the room", () => {
    for (const roomId of ["..", "a/b", "room.html", "a b"])
      expect(buildJoinLink(home, { roomId, password: null, servers: none, by: null })).toBe(
        `${origin}/?${new URLSearchParams({ id: roomId, join: "true" })}`,
      );
  });

  it("never contains a TURN server's master secret", () => {
    const servers = {
      stuns: [],
      turns: [turn("turn:a.example", "hmac"), turn("turn:b.example", "cloudflare")],
    };
    expect(buildJoinLink(home, { roomId: "harbour", password: null, servers, by: null })).not.toContain(
      "turn",
    );
  });

  it(
    "does not contain it with credentials issued for others either, whatever Cloudflare responds",
    async () => {
      const secret = fc.stringMatching(/^[\w+/=%&#"]{8,40}$/).map((text) => `s3cret-${text}`);
      const server = fc.record({
        authMethod: fc.constantFrom("hmac", "cloudflare"),
        url: fc.domain().map((name) => `turn:${name}`),
        username: fc.string({ minLength: 1, maxLength: 20 }),
        password: secret,
      });
      const answer = fc.oneof(
        fc.constant(null),
        fc.json(),
        fc
          .record({
            urls: fc.domain().map((name) => [`turn:${name}`]),
            username: fc.string(),
            credential: fc.string(),
          })
          .map((iceServers) => JSON.stringify({ iceServers })),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(server, { maxLength: 4 }), answer, async (servers, body) => {
          const fetch = async () =>
            body === null ? Promise.reject(new TypeError("down")) : new Response(body);
          const { turns, leftOut } = await sharedTurnsOf(servers, {
            serverTime: async () => 1_700_000_000_000,
            fetch,
          });
          const link = buildJoinLink(home, {
            roomId: "harbour",
            password: null,
            servers: { stuns: [], turns },
            by: null,
          });
          const read = decodeURIComponent(link.replaceAll("+", " ").replace(/%(?![\da-f]{2})/gi, "%25"));
          for (const text of [link, read, JSON.stringify(readJoinLink(link))]) {
            expect(text).not.toContain("s3cret-");
            for (const { password } of servers) expect(text).not.toContain(password);
          }
          expect(turns.every(({ authMethod }) => authMethod === "longterm")).toBe(true);
          const usable = servers.filter(({ username }) => username.trim() !== "");
          const hmacs = usable.filter(({ authMethod }) => authMethod === "hmac");
          expect(turns.length).toBeGreaterThanOrEqual(hmacs.length);
          expect(leftOut.length).toBeLessThanOrEqual(usable.length - hmacs.length);
        }),
        drawn,
      );
    },
    drawnTimeoutMs,
  );
});

describe("reading a join link", () => {
  it(
    "returns the input of any built link",
    () => {
      const roomId = fc
        .string({ unit: "binary", minLength: 1, maxLength: 40 })
        .map((text) => v.safeParse(roomIdSchema, text))
        .filter((parsed) => parsed.success)
        .map((parsed) => parsed.output);
      const host = fc.domain();
      const link = fc.record({
        roomId,
        password: fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 100 })),
        servers: fc.record({
          stuns: fc.uniqueArray(
            host.map((name) => `stun:${name}`),
            { maxLength: 3 },
          ),
          turns: fc.uniqueArray(
            host.map((name) => turn(`turns:${name}:443`)),
            { selector: ({ url }) => url, maxLength: 3 },
          ),
        }),
        by: fc.option(fc.uuid({ version: 4 })),
      });
      fc.assert(
        fc.property(link, (contents) => {
          const read = readJoinLink(buildJoinLink(home, contents));
          expect(read).toEqual({ ...contents, join: true, isLink: true, problems: [], cleanAddress: "/" });
        }),
        drawn,
      );
    },
    drawnTimeoutMs,
  );

  it(
    "never throws, and never leaves a secret in the address, whatever it contains",
    () => {
      fc.assert(
        fc.property(fc.webFragments(), fc.string(), fc.json(), (fragment, password, json) => {
          const query = new URLSearchParams({
            id: password,
            pwd: `s3cret${password}`,
            stun: json,
            turn: json,
            keep: "1",
          });
          const read = readJoinLink(`${origin}/file?${query}#${fragment}`);
          expect(read.cleanAddress).not.toContain("s3cret");
          expect(read.cleanAddress).toMatch(/^\/file\?keep=1/);
        }),
        drawn,
      );
    },
    drawnTimeoutMs,
  );

  it("reads the short form below any path, complete or truncated", () => {
    const whole = `${origin}/r/harbour#V%2Eq%207.bUwcVYteSlOaDAtvPw9rEQ`;
    const contents = { roomId: "harbour", password: "V.q 7", by: ann, join: true, problems: [] };
    expect(readJoinLink(whole)).toMatchObject({ ...contents, cleanAddress: "/" });
    expect(readJoinLink(whole.replace("/r/", "/at/home/r/"))).toMatchObject({
      ...contents,
      cleanAddress: "/at/home/",
    });
    expect(readJoinLink(whole.slice(0, -3))).toMatchObject({ ...contents, by: null });
    expect(readJoinLink(whole.replace(/\.bUw.*/, ""))).toMatchObject({ roomId: "harbour", by: null });
    expect(readJoinLink(`${origin}/r/harbour/`)).toMatchObject({ ...contents, password: null, by: null });
  });

  it("never throws for the short form, and leaves nothing of it in the address, whatever it contains", () => {
    const path = fc.webSegment().filter((segment) => !/^(\.|%2e){2}$/i.test(segment)); // it navigates to /
    fc.assert(
      fc.property(path, fc.webFragments(), (room, fragment) => {
        const read = readJoinLink(`${origin}/r/${room}?keep=1#s3cret${fragment}`);
        expect(read.cleanAddress).toBe("/?keep=1");
        expect(read.isLink).toBe(true);
      }),
    );
    expect(readJoinLink(`${origin}/r/%E0%A4#%E0%A4.x`)).toMatchObject({
      ...{ roomId: null, password: "%E0%A4", by: null },
      ...{ join: true, isLink: true, problems: ["room"], cleanAddress: "/" },
    });
  });

  it("accepts every key in the query too, and prefers the fragment's", () => {
    const read = readJoinLink(`${origin}/?id=a&pwd=b&join=1&stun=["stun:s.example"]#pwd=c`);
    expect(read).toMatchObject({
      roomId: "a",
      password: "c",
      join: true,
      servers: { stuns: ["stun:s.example"] },
    });
  });

  it.each([
    "",
    "everyone",
    ann.toUpperCase(),
    `${ann} `,
    `${ann},${ann}`,
    "6d4c1c55-8b5e-1a53-9a0c-0b6f3f0f6b11",
    "<img src=x onerror=alert(1)>",
    "__proto__",
  ])("finds no creator in %j", (by) => {
    const read = readJoinLink(`${origin}/?id=a#by=${encodeURIComponent(by)}`);
    expect(read).toMatchObject({ by: null, roomId: "a", problems: [], cleanAddress: "/" });
  });

  it("removes its own keys and leaves the rest of the address unchanged", () => {
    expect(readJoinLink(`${origin}/client/x/chat?id=a&tab=2&join=true#pwd=b&at=3`).cleanAddress).toBe(
      "/client/x/chat?tab=2#at=3",
    );
    expect(readJoinLink(`${origin}/setting#about/top`).cleanAddress).toBe("/setting#about/top");
  });

  it("joins on join, join=1 and join=true, not on join=false or without it", () => {
    const joins = ["join", "join=1", "join=true", "join=false", ""].map(
      (query) => readJoinLink(`${origin}/?${query}`).join,
    );
    expect(joins).toEqual([true, true, true, false, false]);
  });

  it.each([
    ["stun={", ["stun"]],
    ['stun={"a":1}', ["stun"]],
    ['stun=["https://evil.example"]', ["stun"]],
    ['turn=["turn:t.example"]', ["turn"]],
    ['turn=[{"url":"javascript:alert(1)","username":"u","password":"p"}]', ["turn"]],
    ['turn=[{"url":"turn:t.example","username":"u","password":"p","authMethod":"magic"}]', ["turn-method"]],
    ["id=%20", ["room"]],
    [`pwd=${"x".repeat(300)}`, ["password"]],
  ])("reports the problem of %s and reads the rest", (part, problems) => {
    const read = readJoinLink(`${origin}/?${part}&join=true`);
    expect(read.problems).toEqual(problems);
    expect(read.join).toBe(true);
  });

  it("skips blank STUN entries and TURN entries without a user name, and removes duplicates", () => {
    const stun = JSON.stringify(["", " ", "stun:s.example", "stun:s.example"]);
    const turns = JSON.stringify([
      turn("turn:t.example"),
      { url: "turn:x.example", username: " " },
      turn("turn:t.example"),
    ]);
    const read = readJoinLink(
      `${origin}/#stun=${encodeURIComponent(stun)}&turn=${encodeURIComponent(turns)}`,
    );
    expect(read.servers).toEqual({ stuns: ["stun:s.example"], turns: [turn("turn:t.example")] });
    expect(read.problems).toEqual([]);
  });
});

describe("the servers of a link", () => {
  it("are those that this browser does not have", () => {
    const own = { stuns: ["stun:s.example"], turns: [turn("turn:t.example")] };
    const link = {
      stuns: ["stun:s.example", "stun:new.example"],
      turns: [turn("turn:t.example"), turn("turns:new.example")],
    };
    expect(serversBeyond(own, link)).toEqual({
      stuns: ["stun:new.example"],
      turns: [turn("turns:new.example")],
    });
  });

  it("are named by their hosts, without duplicates", () => {
    const servers = {
      stuns: ["stun:a.example:3478", "stun:[2001:db8::1]:3478"],
      turns: [turn("turns:a.example:443?transport=tcp")],
    };
    expect(serverHosts(servers)).toEqual(["a.example", "[2001:db8::1]"]);
  });
});
