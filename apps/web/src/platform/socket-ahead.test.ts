import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SocketAhead } from "./socket-ahead.ts";

const url = "ws://warren.example/ws";

class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  readyState = 0;
  readonly close = vi.fn();
  readonly url: string;

  constructor(address: string) {
    super();
    this.url = new URL(address).href;
    opened.push(this);
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
});

it("hands over what came before anybody listened, once", async () => {
  const ahead = new SocketAhead();
  ahead.open(url);
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
])("opens another where the one ahead %s", (_why, wanted, readyState) => {
  const ahead = new SocketAhead();
  ahead.open(url);
  const [first] = opened;
  if (first === undefined) expect.fail();
  first.readyState = readyState;
  expect(ahead.take(wanted, "signalling")).toBe(opened[1]);
  expect(first.close).toHaveBeenCalledOnce();
});

it("is taken once, and closed where the page joins nothing", () => {
  const ahead = new SocketAhead();
  ahead.open(url);
  ahead.take(url, "signalling");
  ahead.take(url, "signalling");
  expect(opened).toHaveLength(2);
  ahead.open(url);
  ahead.discard();
  expect(opened[2]?.close).toHaveBeenCalledOnce();
  expect(opened[0]?.close).not.toHaveBeenCalled();
});
