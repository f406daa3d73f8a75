import type { FileDescription } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { FetchQueue } from "./fetch-queue.ts";

const mara = "mara";
const file = (fid: string): FileDescription => ({
  fid,
  fileName: fid,
  fileSize: 1,
  mimeType: "",
  lastModified: 0,
  chunkSize: 65_536,
});

function setUp({ underWay = true } = {}) {
  const started: string[] = [];
  const state = { isReady: true, waiting: [] as readonly string[] };
  const queue = new FetchQueue({
    start: async (_peer, { fid }) => {
      started.push(fid);
      return underWay;
    },
    isReady: () => state.isReady,
  });
  queue.on("waiting", (_peer, fids) => {
    state.waiting = fids;
  });
  return { queue, started, state };
}

describe("the fetch queue", () => {
  it("runs three at a time, in order, each once", async () => {
    const { queue, started, state } = setUp();
    queue.add(mara, ["a", "b", "c", "d", "e"].map(file));
    queue.add(mara, [file("b"), file("e")]);
    expect(started).toEqual(["a", "b", "c"]);
    expect(state.waiting).toEqual(["d", "e"]);
    queue.ended(mara, "b");
    expect(started).toEqual(["a", "b", "c", "d"]);
    queue.ended(mara, "b");
    expect(started).toHaveLength(4);
  });

  it("continues past files that cannot be started", async () => {
    const { queue, started } = setUp({ underWay: false });
    queue.add(mara, ["a", "b", "c", "d", "e"].map(file));
    await settle();
    expect(started).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("waits while the owner is away, and can be cancelled meanwhile", () => {
    const { queue, started, state } = setUp();
    state.isReady = false;
    queue.add(mara, ["a", "b"].map(file));
    expect(started).toEqual([]);
    expect(queue.remove(mara, "a")).toBe(true);
    expect(queue.remove(mara, "a")).toBe(false);
    state.isReady = true;
    queue.advance(mara);
    expect(started).toEqual(["b"]);
    expect(state.waiting).toEqual([]);
  });
});
