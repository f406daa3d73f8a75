import type { FileDescription } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { createStore } from "../shared/store.ts";
import { settle } from "../testing/fake-clock.ts";
import type { TransferEvents } from "../transfer/transfer-service.ts";
import { type TransferSnapshot, type TransferSnapshots, transferKeyOf } from "../transfer/transfer-state.ts";
import { ShareFetches } from "./share-fetches.ts";
import type { SharedListings } from "./shared-listing.ts";

const mara = "mara";
const file = (fid: string): FileDescription => ({
  ...{ fid, fileName: fid, fileSize: 1, mimeType: "", lastModified: 0, chunkSize: 65_536 },
});

function setUp({ underWay = true } = {}) {
  const listings = createStore<SharedListings>(new Map());
  const transfers = createStore<TransferSnapshots>(new Map());
  const started: string[] = [];
  const added = new Map<string, string>();
  const peer = { isReady: true };
  let onState: (...args: TransferEvents["state"]) => void = () => {};
  const fetches = new ShareFetches({
    listings,
    messages: {
      loadAbout: async () => {},
      nextSortedAt: () => added.size,
      add: async (message) => {
        if (message.type === "file") added.set(message.key, message.file.fid);
        return true;
      },
    },
    offers: { last: () => null },
    fileOffers: {
      decide: async (_event, key) => {
        const fid = added.get(key) ?? expect.fail();
        started.push(fid);
        if (!underWay) return;
        const running = { now: { state: "running" } } as TransferSnapshot;
        transfers.setState(new Map(transfers.getState()).set(transferKeyOf(mara, fid), running), true);
      },
    },
    library: { isComplete: () => false },
    transfers: {
      store: transfers,
      on: (_type, listener) => {
        onState = listener as typeof onState;
        return () => {};
      },
    },
    clock: { now: () => 0 },
    options: () => ({ maxFileSize: 10 }),
    isReady: () => peer.isReady,
  });
  const waiting = () =>
    listings
      .getState()
      .get(mara)
      ?.waiting.map(({ fid }) => fid);
  const end = (fid: string) => {
    const ref = { key: transferKeyOf(mara, fid), peerId: mara, fid, mode: "receive" } as const;
    onState(ref, { state: "complete" });
  };
  return { fetches, listings, started, waiting, end, peer };
}

describe("fetching shared files", () => {
  it("runs three at a time, in order, each once", async () => {
    const { fetches, started, waiting, end } = setUp();
    fetches.fetch(mara, ["a", "b", "c", "d", "e"].map(file));
    fetches.fetch(mara, [file("b"), file("e"), file("e")]);
    await settle();
    expect(started).toEqual(["a", "b", "c"]);
    expect(waiting()).toEqual(["d", "e"]);
    end("b");
    end("b");
    await settle();
    expect(started).toEqual(["a", "b", "c", "d"]);
    expect(waiting()).toEqual(["e"]);
  });

  it("continues past files that cannot be started, and says why", async () => {
    const { fetches, listings, started } = setUp({ underWay: false });
    fetches.fetch(mara, [{ ...file("large"), fileSize: 11 }, ...["a", "b", "c", "d"].map(file)]);
    await settle();
    expect(started).toEqual(["a", "b", "c", "d"]);
    expect(listings.getState().get(mara)?.refused.get("large")).toMatchObject({ code: "file-too-large" });
  });

  it("waits while the owner is away, and can be cancelled meanwhile", async () => {
    const { fetches, started, waiting, peer } = setUp();
    peer.isReady = false;
    fetches.fetch(mara, ["a", "b"].map(file));
    fetches.stop(mara, "a");
    expect(waiting()).toEqual(["b"]);
    peer.isReady = true;
    fetches.advance(mara);
    await settle();
    expect(started).toEqual(["b"]);
    expect(waiting()).toEqual([]);
  });
});
