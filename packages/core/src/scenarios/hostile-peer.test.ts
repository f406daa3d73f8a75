import { createHash } from "node:crypto";
import type { ClientId, FileDescription } from "@warren/protocol";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { peersOf } from "../room/room-state.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { addressed } from "../testing/addressed.ts";
import { settle } from "../testing/fake-clock.ts";
import { hostilePicture, type TestPerson, TestWorld } from "../testing/test-world.ts";

const isLong = process.env.WARREN_LONG === "1";

/** Delivers a peer's message past the rate limit. */
function says(to: TestPerson, from: ClientId, message: OutgoingMessage): Promise<void> {
  return to.warren.chat.receive(from, addressed(message, from, to.id, 1_700_000_000_000));
}

function fileOf(number: number): FileDescription {
  return {
    fid: `file-number-${number}`,
    fileName: `${number}.bin`,
    fileSize: 1_000,
    mimeType: "",
    lastModified: 0,
    chunkSize: 524_288,
  };
}

function offerOf(number: number): OutgoingMessage {
  return { type: "send-file", id: `offer-${number}`, ...fileOf(number) };
}

async function three(): Promise<{ world: TestWorld; mara: TestPerson; jun: TestPerson; noor: TestPerson }> {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  const noor = await world.person("Noor");
  await noor.warren.room.join();
  await world.untilMet(mara, noor);
  return { world, mara, jun, noor };
}

describe("messages from an uninvolved peer", () => {
  it("change nothing between two others", async () => {
    const { mara, jun, noor } = await three();
    noor.stall();
    await mara.warren.chat.sendText(noor.id, "between us");
    await mara.warren.chat.sendFile(noor.id, new File(["data"], "a.bin"));
    await settle();
    const [text, file] = mara.messages(noor.id);
    if (text === undefined || file?.type !== "file") throw new Error("nothing was said");
    const stateOf = () => [mara.messages(noor.id), mara.warren.transfers.store.getState()];
    const before = structuredClone(stateOf());

    const id = fc.constantFrom(text.id, file.id);
    const { fid } = file.file;
    const message = fc.oneof(
      fc.record({ type: fc.constant("check-message" as const), id }),
      fc.record({ type: fc.constant("error" as const), id, error: fc.string({ maxLength: 40 }) }),
      fc
        .constantFrom("resume-file", "pause-file", "cancel-file")
        .map((type) => ({ type, id: "some-other-id", fid })),
      id.map((own) => ({ type: "request-file" as const, id: own, fid })),
      id.map((own) => ({ type: "send-text" as const, id: own, data: "overwritten" })),
      id.map((own) => ({ type: "send-file" as const, id: own, ...file.file, fileName: "other" })),
    );
    await fc.assert(
      fc.asyncProperty(message, (hostile) => says(mara, jun.id, hostile)),
      { numRuns: isLong ? 10_000 : 1_000 },
    );
    expect(stateOf()).toEqual(before);
  });

  it("do not overwrite earlier ones of the same peer", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await says(mara, jun.id, { type: "send-text", id: "the-same-id", data: "first" });
    await says(mara, jun.id, { type: "send-text", id: "the-same-id", data: "second" });
    await says(mara, jun.id, { ...offerOf(1), id: "the-same-id" });
    expect(mara.texts(jun.id)).toEqual(["first"]);
    expect(mara.messages(jun.id)).toHaveLength(1);
  });
});

describe("unlimited offers", () => {
  it("stop at 200 pending offers of one peer, and resume once one is answered", async () => {
    const { mara, jun, noor } = await three();
    for (let i = 0; i < (isLong ? 10_000 : 1_000); i++) await says(mara, jun.id, offerOf(i));
    expect(mara.messages(jun.id)).toHaveLength(200);
    await says(mara, noor.id, offerOf(20_000));
    expect(mara.messages(noor.id)).toHaveLength(1);
    const [first] = mara.messages(jun.id);
    if (first === undefined) throw new Error("no offer");
    await mara.warren.chat.declineFile(first.key);
    await says(mara, jun.id, offerOf(30_000));
    await says(mara, jun.id, offerOf(30_001));
    expect(mara.messages(jun.id)).toHaveLength(201);
  });

  it("stop at 200 even if all arrive before the first is stored", async () => {
    const { mara, jun } = await three();
    await Promise.all(Array.from({ length: 400 }, (_, i) => says(mara, jun.id, offerOf(i))));
    expect(mara.messages(jun.id)).toHaveLength(200);
  });

  it("are reported to their sender", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    for (let i = 0; i < 201; i++) await jun.warren.chat.sendFile(mara.id, new File([`${i}`], `${i}.bin`));
    await world.until(() => jun.messages(mara.id).at(-1)?.deliveries[mara.id]?.status === "error");
    const message = jun.messages(mara.id).at(-1);
    expect(message?.deliveries[mara.id]).toMatchObject({ error: { code: "rate-limited" } });
  });
});

describe("unlimited manifests", () => {
  const files = Array.from({ length: 1_600 }, (_, i) => [`folder/file number ${i}.bin`, 1, 0, "text/plain"]);
  const manifest = JSON.stringify(files);
  const manifestDigest = createHash("sha256").update(manifest).digest("hex");
  const summary = { files: files.length, folders: 1, manifestSize: manifest.length, manifestDigest };
  const folder = (number: number): OutgoingMessage => {
    const file = { ...fileOf(number), fileSize: manifest.length + files.length };
    return { type: "send-file", ...file, tree: { kind: "folder", ...summary }, manifest };
  };
  const listed = (person: TestPerson, other: TestPerson) =>
    person.messages(other.id).filter((message) => message.type === "file" && message.manifest !== undefined);

  it("are dropped beyond 512 KiB a minute of one peer, and the offers stand", async () => {
    const { world, mara, jun, noor } = await three();
    for (let i = 0; i < 20; i++) await says(mara, jun.id, folder(i));
    expect(mara.messages(jun.id)).toHaveLength(20);
    expect(listed(mara, jun)).toHaveLength(6);
    await says(mara, noor.id, folder(100));
    expect(listed(mara, noor)).toHaveLength(1);
    await world.clock.advance(60_000);
    for (let i = 20; i < 40; i++) await says(mara, jun.id, folder(i));
    expect(listed(mara, jun)).toHaveLength(12);
  });

  it("are read from a peer whose code was compared", async () => {
    const { mara, jun } = await three();
    mara.warren.chat.markVerified(jun.id);
    for (let i = 0; i < 20; i++) await says(mara, jun.id, folder(i));
    expect(listed(mara, jun)).toHaveLength(20);
  });
});

describe("unlimited clipboard texts", () => {
  it("are never written for a peer without permission", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    for (let i = 0; i < 100; i++) await jun.warren.chat.sendClipboard(mara.id, `text ${i}`);
    await settle();
    expect(mara.clipboard).toHaveLength(100);
    expect(mara.writtenClipboard).toEqual([]);
  });

  it("take no more space than the latest 50", async () => {
    const { mara, jun } = await three();
    const used = () => mara.warren.chat.store.getState().storageUsage[jun.id]?.bytes ?? 0;
    for (let i = 0; i < 200; i++)
      await says(mara, jun.id, { type: "send-clipboard", data: `${i} ${"x".repeat(200_000)}` });
    await settle();
    expect(mara.messages(jun.id)).toHaveLength(50);
    expect(used()).toBeLessThan(50 * 201_000 + 64 * 1024);
  });

  it("are written once a second for a peer with permission", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.permit(jun.id, { clipboardAllowed: true });
    const burst = async (name: string) => {
      for (let i = 0; i < 50; i++) await jun.warren.chat.sendClipboard(mara.id, `${name} ${i}`);
      await settle();
    };
    await burst("first");
    expect(mara.writtenClipboard).toEqual(["first 0"]);
    await world.clock.advance(1_000);
    await burst("second");
    expect(mara.writtenClipboard).toEqual(["first 0", "second 0"]);
    expect(mara.clipboard).toHaveLength(100);
  });
});

describe("an invalid picture", () => {
  it.each([
    ["SVG", "data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"],
    ["an address", "https://tracker.example/a.png"],
    ["GIF, which may move", "data:image/gif;base64,R0lGODlhAQABAAAAACw="],
    ["SVG under the type of PNG", hostilePicture],
    ["a document behind the type", "data:image/png;base64,AAAA,<svg onload=alert(1)>"],
    ["more than 64 KiB", `data:image/png;base64,${"A".repeat(64 * 1024)}`],
  ])("is replaced by initials: %s", async (_what, avatar) => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.warren.room.send(mara.id, { type: "profile", name: "Jun", avatar });
    await world.clock.advance(1_000);
    expect(peersOf(mara.warren.room.store.getState())[jun.id]?.profile?.avatar).toBeNull();
    expect(mara.warren.chat.store.getState().contacts[jun.id]?.avatar).toBeNull();
  });
});

describe("the original name of an offered file", () => {
  it.each([
    ["that of another file", "holiday.jpg", "setup.exe", undefined],
    ["its own name", "setup.exe", "setup.exe", undefined],
    ["nothing", "", "file", undefined],
    ["what had to be changed", "a: b.txt", "a_ b.txt", "a: b.txt"],
    ["what had to be removed", "a\\u0007b.txt", "ab.txt", "a\\u0007b.txt"],
    ["removed characters of another file", "holiday\\u202egpj.exe", "setup.exe", undefined],
  ])("is shown only where it is the name of that file: %s", async (_what, originalName, fileName, shown) => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await says(mara, jun.id, { type: "send-file", id: "offer-1", ...fileOf(1), fileName, originalName });
    const [message] = await mara.untilMessages(jun.id, (messages) => messages.length > 0);
    if (message?.type !== "file") expect.fail("no offer");
    expect([message.file.fileName, message.file.originalName]).toEqual([fileName, shown]);
  });
});

describe("files shared with another peer", () => {
  it("are neither listed nor sent, as if they did not exist", async () => {
    const { mara, jun, noor } = await three();
    await mara.warren.chat.sendFile(noor.id, new File(["data"], "a.bin"));
    const [message] = mara.messages(noor.id);
    if (message?.type !== "file") throw new Error("nothing was sent");
    const answers = vi.spyOn(mara.warren.room, "send");
    const lists = vi.spyOn(mara.warren.room, "sendInTurn");
    await says(mara, jun.id, { type: "request-storage", id: "request-1" });
    expect(lists).toHaveBeenLastCalledWith(jun.id, {
      type: "storage",
      id: "request-1",
      data: [],
      total: 0,
    });
    for (const fid of [message.file.fid, "no-such-file"]) {
      await says(mara, jun.id, { type: "request-file", id: "request-2", fid });
      expect(answers).toHaveBeenLastCalledWith(
        jun.id,
        expect.objectContaining({ type: "error", code: "cache-not-found", values: { id: fid } }),
      );
    }
    expect(mara.warren.transfers.store.getState()).toEqual(new Map());
  });
});

describe("bad frames on the channels of a file", () => {
  it("get their sender refused, as on the message channel", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.warren.settings.set("automaticDownload", true);
    jun.files.holdAt = 0;
    const channels: RTCDataChannel[] = [];
    jun.warren.room.on("transfer-channel", (_from, channel) => channels.push(channel));
    await mara.warren.chat.sendFile(jun.id, new File([new Uint8Array(9_000_000)], "large.bin"));
    await world.until(() => channels.length > 0);
    for (let n = 0; n < 20; n++) channels[0]?.dispatchEvent(new MessageEvent("message", { data: "{" }));
    await world.until(() => jun.warren.room.peer(mara.id)?.error?.code === "protocol-violation");
  });
});
