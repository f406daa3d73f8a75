import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserIdentity } from "../storage/browser-identity.ts";
import { localKeyValueStorage } from "../storage/web-storage.ts";
import { identityDatabase, SocketAhead, storeVisit } from "./socket-ahead.ts";

const url = "ws://warren.example/ws";

class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  readyState = 0;
  readonly close = vi.fn();
  readonly sent: unknown[] = [];
  readonly url: string;

  constructor(address: string) {
    super();
    this.url = new URL(address).href;
    opened.push(this);
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  receive(data: string): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

let opened: FakeSocket[] = [];

beforeEach(() => {
  opened = [];
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("delivers early frames once", async () => {
  const ahead = new SocketAhead();
  ahead.open(url, "signalling");
  opened[0]?.receive("challenge");
  const received: unknown[] = [];
  ahead.take(url, "signalling").addEventListener("message", ({ data }) => received.push(data));
  opened[0]?.receive("later");
  await Promise.resolve();
  opened[0]?.receive("latest");
  expect(opened).toHaveLength(1);
  expect(received.filter((data) => data === "challenge")).toHaveLength(1);
  expect(received.at(-1)).toBe("latest");
});

it.each([
  ["has ended", url, 3],
  ["leads elsewhere", "ws://other.example/ws", 1],
  ["speaks another protocol", url, 1, "later"],
])("opens another if the early one %s", (_why, wanted, readyState, protocol = "signalling") => {
  const ahead = new SocketAhead();
  ahead.open(url, "signalling");
  const [first] = opened;
  if (first === undefined) expect.fail();
  first.readyState = readyState;
  expect(ahead.take(wanted, protocol)).toBe(opened[1]);
  expect(first.close).toHaveBeenCalledOnce();
});

it("closes the early one if another, invalid address is needed", () => {
  const ahead = new SocketAhead();
  ahead.open(url, "signalling");
  ahead.open("ws://[", "signalling");
  expect(opened[0]?.close).toHaveBeenCalledOnce();
  ahead.open(url, "signalling");
  expect(() => ahead.take("ws://[", "signalling")).toThrow("Invalid URL");
  expect(opened.at(-1)?.close).toHaveBeenCalledOnce();
});

it("is used once, and closed if the page joins nothing", () => {
  const ahead = new SocketAhead();
  ahead.open(url, "signalling");
  ahead.take(url, "signalling");
  ahead.take(url, "signalling");
  expect(opened).toHaveLength(2);
  ahead.open(url, "signalling");
  ahead.discard();
  expect(opened[2]?.close).toHaveBeenCalledOnce();
  expect(opened[0]?.close).not.toHaveBeenCalled();
});

describe("the interface waits", () => {
  /** Whether it may begin by now. */
  const follow = (ahead: SocketAhead) => {
    const begun = vi.fn();
    void ahead.untilAsked().then(begun);
    return async () => {
      await vi.advanceTimersByTimeAsync(0);
      return begun.mock.calls.length > 0;
    };
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("for nothing without a socket", async () => {
    expect(await follow(new SocketAhead())()).toBe(true);
  });

  it("until the first frame was sent, which goes out once like all others", async () => {
    const ahead = new SocketAhead();
    ahead.open(url, "signalling");
    const mayBegin = follow(ahead);
    const socket = ahead.take(url, "signalling");
    expect(await mayBegin()).toBe(false);
    socket.send("hello");
    expect(await mayBegin()).toBe(true);
    socket.send("join");
    expect(opened[0]?.sent).toEqual(["hello", "join"]);
  });

  it("no longer for a socket that is not used, or not in time", async () => {
    const unused = new SocketAhead();
    unused.open(url, "signalling");
    const mayBegin = follow(unused);
    unused.discard();
    expect(await mayBegin()).toBe(true);

    const ended = new SocketAhead();
    ended.open(url, "signalling");
    const mayBeginToo = follow(ended);
    if (opened[1] !== undefined) opened[1].readyState = 3;
    ended.take(url, "signalling");
    expect(await mayBeginToo()).toBe(true);

    const refused = new SocketAhead();
    refused.open(url, "signalling");
    const mayBeginThen = follow(refused);
    expect(await mayBeginThen()).toBe(false);
    opened.at(-1)?.dispatchEvent(new Event("close"));
    expect(await mayBeginThen()).toBe(true);

    const silent = new SocketAhead();
    silent.open(url, "signalling");
    const mayBeginLater = follow(silent);
    await vi.advanceTimersByTimeAsync(249);
    expect(await mayBeginLater()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await mayBeginLater()).toBe(true);
  });
});

describe("for an address that was joined before", () => {
  const address = "https://warren.example/?id=burrow&join=true";
  const visit = { address, url, protocol: "signalling" };

  beforeEach(() => {
    const items = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
      removeItem: (key: string) => items.delete(key),
    });
    localStorage.setItem("app_options", `{"locale":"en-US"}`);
    storeVisit(visit);
  });

  it("opens the same socket before the plan is decided, once", () => {
    const ahead = new SocketAhead();
    ahead.openAsLastTime(address);
    expect(opened.map((socket) => socket.url)).toEqual([url]);
    ahead.open(url, "signalling");
    expect(opened).toHaveLength(1);
    expect(ahead.take(url, "signalling")).toBe(opened[0]);
  });

  it.each<readonly [string, () => void]>([
    ["another address was", () => storeVisit({ ...visit, address: "https://warren.example/?id=other" })],
    ["nothing was", () => storeVisit(null)],
    [
      "an option has changed",
      () => localStorage.setItem("app_options", `{"websocketUrl":"wss://other.example"}`),
    ],
    ["the note is broken", () => localStorage.setItem("socket_ahead", "{")],
    ["the note is of another form", () => localStorage.setItem("socket_ahead", `"${address}"`)],
    [
      "the note is incomplete",
      () =>
        localStorage.setItem(
          "socket_ahead",
          JSON.stringify({ address: "/?burrow", options: localStorage.getItem("app_options"), url }),
        ),
    ],
  ])("opens nothing if %s", (_why, change) => {
    change();
    new SocketAhead().openAsLastTime(address);
    expect(opened).toEqual([]);
  });

  it.each([`${address}#pwd=secret`, `${address}&pwd=secret`])("stores no password of %s", (link) => {
    storeVisit({ ...visit, address: link });
    expect(localStorage.getItem("socket_ahead")).not.toContain("secret");
    new SocketAhead().openAsLastTime(link);
    expect(opened).toHaveLength(1);
  });

  it("opens nothing if the browser stores nothing", () => {
    vi.stubGlobal("localStorage", undefined);
    storeVisit(visit);
    new SocketAhead().openAsLastTime(address);
    expect(opened).toEqual([]);
  });
});

it("opens the identity database on every visit, as its reader does", async () => {
  vi.stubGlobal("isSecureContext", true);
  const opening = vi.spyOn(indexedDB, "open");
  new SocketAhead().openAsLastTime("https://warren.example/");
  const request = opening.mock.results[0]?.value;
  await new Promise((resolve) => request.addEventListener("success", resolve));
  const { identity } = await browserIdentity(
    identityDatabase.name,
    localKeyValueStorage(() => {}),
  );
  expect(identity.verifiable).toBe(true);
});

it("creates no database on a page that cannot store a key", () => {
  vi.stubGlobal("isSecureContext", false);
  const opening = vi.spyOn(indexedDB, "open");
  new SocketAhead().openAsLastTime("https://warren.example/");
  expect(opening).not.toHaveBeenCalled();
});

it("closes a socket that is unused for 4 s, before the server does", () => {
  vi.useFakeTimers();
  const ahead = new SocketAhead();
  ahead.open(url, "signalling");
  vi.advanceTimersByTime(3_999);
  expect(opened[0]?.close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(opened[0]?.close).toHaveBeenCalledOnce();
  ahead.open(url, "signalling");
  ahead.take(url, "signalling");
  vi.advanceTimersByTime(10_000);
  expect(opened[1]?.close).not.toHaveBeenCalled();
  vi.useRealTimers();
});
