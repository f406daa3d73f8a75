import { type FileDescription, WarrenError } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChannelQuota } from "../ice/channel-quota.ts";
import { settle } from "../testing/fake-clock.ts";
import { digestText, FilePeers, fileOf, noise } from "../testing/file-peers.ts";
import { openLimitMs, reasonGraceMs } from "./transfer.ts";

/** How many small files may be under way with one client at once. */
const smallAtOnce = 8;

describe.each(["page", "worker"] as const)("a transfer that has not started in a %s", (thread) => {
  let peers: FilePeers;
  beforeEach(() => {
    peers = new FilePeers(thread);
  });
  afterEach(() => peers.close());

  const lastState = (peer: FilePeers["a"], key: `${string}/${string}`) => peer.states.get(key)?.at(-1);

  it("waits for its sender when no channel opens in time, and releases its file", async () => {
    const bytes = noise(300_000);
    const description = peers.offer(bytes);
    expect(await peers.b.transfers.expect(peers.a.id, description)).toBe(true);
    await peers.clock.advance(openLimitMs - 1);
    expect(lastState(peers.b, peers.receivedKey(description))).toEqual({ state: "opening" });
    await peers.clock.advance(1);
    expect(lastState(peers.b, peers.receivedKey(description))).toEqual({ state: "accepted" });
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
    await peers.clock.advance(openLimitMs);
    expect(lastState(peers.b, peers.receivedKey(description))?.state).toBe("complete");
  });

  it("waits for a client that leaves while the file is being prepared, and resumes when it is back", async () => {
    const bytes = noise(300_000);
    const description = peers.offer(bytes);
    const prepared = peers.b.transfers.expect(peers.a.id, description);
    peers.b.transfers.peerLost(peers.a.id);
    expect(await prepared).toBe(false);
    expect(lastState(peers.b, peers.receivedKey(description))).toEqual({ state: "accepted" });
    peers.a.transfers.send(peers.b.id, description);
    await peers.allClosed();
    await peers.clock.advance(reasonGraceMs);
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  });

  it("is published once for all that are queued in one turn", async () => {
    const { a, b } = peers;
    const descriptions = Array.from({ length: 40 }, (_, n) =>
      a.library.addSource(fileOf(noise(10 + n)), 65_536),
    );
    let updates = 0;
    const queued = () =>
      [...b.transfers.store.getState().values()].filter(({ now }) => now.state === "queued").length;
    b.transfers.store.subscribe(() => updates++);
    for (const description of descriptions) void b.transfers.expect(a.id, description);
    await Promise.resolve();
    expect(updates).toBe(1);
    expect(queued()).toBe(descriptions.length - smallAtOnce);
  });

  it("shows how far an earlier one came in its direction, and nothing of one in the other", async () => {
    const { a, b } = peers;
    const fill = async () => {
      for (let n = 0; n < smallAtOnce; n++)
        void a.transfers.expect(b.id, b.library.addSource(fileOf(noise(20 + n)), 65_536));
      await settle();
    };
    const description = peers.offer(noise(300_000));
    await peers.begin(description);
    await peers.bothComplete(description);
    await a.library.remove(description.fid);
    await fill();
    void a.transfers.expect(b.id, description);
    await settle();
    const key = `${b.id}/${description.fid}` as const;
    expect(a.transfers.store.getState().get(key)).toMatchObject({
      ...{ mode: "receive", now: { state: "queued" }, transferredBytes: 0, startedAt: null },
    });
  });

  it("is gone when it is cancelled while being prepared", async () => {
    const description = peers.offer(noise(300_000));
    const prepared = peers.b.transfers.expect(peers.a.id, description);
    peers.b.transfers.drop(peers.receivedKey(description), { state: "givenUp" });
    expect(await prepared).toBe(false);
    await peers.until(async () => (await peers.b.storage.listRecords()).length === 0);
    await peers.begin(description);
    await peers.bothComplete(description);
  });

  it("leaves nothing open when everything closes while it is being prepared", async () => {
    const description = peers.offer(noise(300_000));
    const prepared = peers.b.transfers.expect(peers.a.id, description);
    await peers.close();
    expect(await prepared).toBe(false);
    expect(peers.clock.timerCount).toBe(0);
    expect(await peers.b.library.claim(description, peers.a.id)).toBeDefined();
  });

  it("is queued when files from one client need more memory than its quota", async () => {
    peers.b.storage.limitBytes = Number.POSITIVE_INFINITY;
    const large = Array.from({ length: 6 }, (_, n): FileDescription => {
      return {
        ...peers.offer(noise(1), `${n}.bin`),
        fileSize: 900 * 1024 * 1024,
        chunkSize: 4 * 1024 * 1024,
      };
    });
    const ready: string[] = [];
    const expected = large.map(async (file) => {
      if (await peers.b.transfers.expect(peers.a.id, file)) ready.push(file.fileName);
    });
    await peers.until(() => ready.length === 4);
    await settle();
    expect(ready).toEqual(["0.bin", "1.bin", "2.bin", "3.bin"]);
    const [first, , , , fifth, sixth] = large;
    if (!first || !fifth || !sixth) return expect.unreachable();
    for (const file of [fifth, sixth])
      expect(lastState(peers.b, peers.receivedKey(file))).toEqual({ state: "queued" });
    peers.b.transfers.stop(peers.receivedKey(fifth), { state: "pausedHere" });
    peers.b.transfers.stop(peers.receivedKey(first), { state: "pausedHere" });
    await Promise.all(expected);
    expect(ready).toEqual(["0.bin", "1.bin", "2.bin", "3.bin", "5.bin"]);
    expect(lastState(peers.b, peers.receivedKey(fifth))).toEqual({ state: "pausedHere" });
  });

  it("is no longer published as queued once its file cannot be opened", async () => {
    const files = Array.from({ length: smallAtOnce + 1 }, () => peers.offer(noise(100)));
    const prepared = files.map((file) => peers.b.transfers.expect(peers.a.id, file));
    const [first = expect.fail()] = files;
    const last = files.at(-1) ?? expect.fail();
    const published = () => peers.b.transfers.store.getState().get(peers.receivedKey(last))?.now;
    await Promise.all(prepared.slice(0, smallAtOnce));
    expect(published()).toEqual({ state: "queued" });
    peers.b.storage.limitBytes = 0;
    peers.b.transfers.stop(peers.receivedKey(first), { state: "pausedHere" });
    await expect(prepared.at(-1)).rejects.toMatchObject({ code: "not-enough-space" });
    expect(published()).toBeUndefined();
  });

  it("is queued for sending, and reports when it cannot be sent any more", async () => {
    const files = Array.from({ length: smallAtOnce }, () => peers.offer(noise(100)));
    const picked = fileOf(noise(100));
    const changed = peers.a.library.addSource(picked, 64 * 1024);
    const cancelled = peers.offer(noise(100));
    const last = peers.offer(noise(100));
    // The first ones are not expected: their channels are closed.
    for (const file of [...files, changed, cancelled, last]) peers.a.transfers.send(peers.b.id, file);
    await settle();
    expect(peers.link.pairs).toHaveLength(smallAtOnce);
    for (const file of [changed, cancelled, last])
      expect(lastState(peers.a, peers.sentKey(file))).toEqual({ state: "queued" });
    Object.defineProperty(picked, "lastModified", { value: 1 });
    peers.a.transfers.drop(peers.sentKey(cancelled), { state: "withdrawn" });
    await peers.b.transfers.expect(peers.a.id, last);
    await peers.allClosed();
    await peers.clock.advance(reasonGraceMs);
    expect(lastState(peers.a, peers.sentKey(changed))).toMatchObject({ error: { code: "source-changed" } });
    expect(lastState(peers.a, peers.sentKey(cancelled))).toEqual({ state: "withdrawn" });
    await peers.bothComplete(last);
  });

  it("waits for a client that leaves while it is queued for sending", async () => {
    const files = Array.from({ length: smallAtOnce + 2 }, () => peers.offer(noise(100)));
    for (const file of files) peers.a.transfers.send(peers.b.id, file);
    await settle();
    peers.link.connected = false;
    let published = 0;
    peers.a.transfers.store.subscribe(() => published++);
    peers.a.transfers.peerLost(peers.b.id);
    expect(published).toBe(1);
    for (const file of files) expect(lastState(peers.a, peers.sentKey(file))).toEqual({ state: "accepted" });
    expect(peers.link.pairs).toHaveLength(smallAtOnce);
  });

  it("does not wait for space because of an error after it was cancelled", async () => {
    const description = peers.offer(noise(300_000));
    let fail = (_error: WarrenError): void => {};
    const opening = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const openSink = vi.spyOn(peers.b.storage, "openSink").mockReturnValue(opening);
    const prepared = peers.b.transfers.expect(peers.a.id, description);
    await peers.until(() => openSink.mock.calls.length === 1);
    peers.b.transfers.drop(peers.receivedKey(description), { state: "givenUp" });
    fail(new WarrenError("storage-full"));
    expect(await prepared).toBe(false);
  });

  it("starts as soon as the connection accepts a channel, and with as many as it accepts", async () => {
    peers.options.channelsNumber = 8;
    const { a } = peers.link;
    const open = a.open.bind(a);
    const own = new ChannelQuota({
      createDataChannel: (label: string, { ordered = true }) => open(peers.b.id, label, { ordered }),
    } as unknown as RTCPeerConnection);
    a.open = (_peer, label, options) => own.open(label, options);
    const files = Array.from({ length: 12 }, () => peers.offer(noise(1_000)));
    const started = Promise.all(files.map((file) => peers.begin(file)));
    const isComplete = (file: FileDescription) =>
      lastState(peers.a, peers.sentKey(file))?.state === "complete";
    for (let second = 0; second < 60 && !files.every(isComplete); second++) await peers.clock.advance(1_000);
    await started;
    for (const file of files) await peers.bothComplete(file);
  });
});
