import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FilePeers, noise } from "../testing/file-peers.ts";

describe("the limits of transfers", () => {
  let peers: FilePeers;
  beforeEach(() => {
    peers = new FilePeers();
  });
  afterEach(() => peers.close());

  it("do not expect a file there is no space for", async () => {
    const description = peers.offer(noise(200_000));
    peers.b.storage.limitBytes = 100_000;
    await expect(peers.b.transfers.expect(peers.a.id, description)).rejects.toMatchObject({
      code: "not-enough-space",
    });
  });

  it("reject a file that is not here, or a client without a connection", async () => {
    const description = peers.offer(noise(10));
    peers.link.connected = false;
    peers.a.transfers.send(peers.b.id, description);
    await peers.until(() => peers.a.states.has(peers.sentKey(description)));
    expect(peers.a.states.get(peers.sentKey(description))).toMatchObject([
      { state: "failed", error: { code: "no-session" } },
    ]);
    const unknown = { ...description, fid: "never-heard-of-it" };
    expect(() => peers.a.transfers.send(peers.b.id, unknown)).toThrow(
      expect.objectContaining({ code: "source-missing" }),
    );
  });

  it("close channels for unexpected files", async () => {
    const description = peers.offer(noise(100_000));
    peers.a.transfers.send(peers.b.id, description);
    await peers.until(() => peers.link.pairs.every(({ local }) => isClosed(local)));
    expect(await peers.b.storage.listRecords()).toEqual([]);
    await peers.b.transfers.expect(peers.a.id, description);
    const stray = peers.link.a.open(peers.b.id, "no label of ours", { ordered: false });
    await peers.until(() => isClosed(stray));
  });

  it("allow at most eight channels for a file, and seven on lanes", async () => {
    const description = peers.offer(noise(100_000));
    await peers.b.transfers.expect(peers.a.id, description);
    const opened = Array.from({ length: 20 }, (_, n) =>
      peers.link.a.open(peers.b.id, `${description.fid}-${n}`, { ordered: false }),
    );
    await peers.until(() => opened.filter(isClosed).length === 5);
  });

  it("leave no timer and no open channel behind on close", async () => {
    await peers.beginAndStore(noise(3_000_000), 2);
    await peers.close();
    await peers.allClosed();
    await peers.clock.advance(20_000);
    expect(peers.clock.timerCount).toBe(0);
  });
});

function isClosed({ readyState }: RTCDataChannel): boolean {
  return readyState === "closed";
}
