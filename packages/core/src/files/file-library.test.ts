import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { fileOf, noise, openReceived } from "../testing/file-peers.ts";
import { MemoryFileStorage } from "../testing/memory-file-storage.ts";
import { digestOf, rootOf } from "./digests/digests.ts";
import { FileLibrary } from "./file-library.ts";
import type { ReceivedFile } from "./received-file.ts";

const peer = "00000000-0000-4000-8000-00000000000b";
const chunkSize = 16 * 1024;
const description = {
  fid: "file-from-a-peer",
  fileName: "notes.txt",
  fileSize: chunkSize + 10,
  mimeType: "text/plain",
  lastModified: 1_600_000_000_000,
  chunkSize,
};
const chunks = [noise(chunkSize, 1), noise(10, 2)] as const;

async function damagedOf(file: ReceivedFile): Promise<number[]> {
  const damaged: number[] = [];
  for await (const chunk of file.findDamaged()) damaged.push(chunk);
  return damaged;
}

describe("the file library", () => {
  let storage: MemoryFileStorage;
  let library: FileLibrary;
  const reload = async () => {
    library = new FileLibrary({ storage, clock: new FakeClock() });
    await library.load();
  };
  beforeEach(async () => {
    storage = new MemoryFileStorage();
    await reload();
  });

  const receive = async (count: number) => {
    const file = await openReceived(library, description, peer);
    const digests = await Promise.all(chunks.map(digestOf));
    for (const [chunk, bytes] of chunks.entries()) {
      const digest = digests[chunk];
      if (chunk < count && digest) await file.write(chunk, bytes, digest);
    }
    if (count === chunks.length) await file.finish(await rootOf(description, digests), () => {});
    await file.close();
  };

  it("has the manifest of a received tree read where its page says, and is not complete if that refuses it", async () => {
    const manifest = '[["empty"]]';
    const bytes = new TextEncoder().encode(manifest);
    const summary = { kind: "folder", files: 0, folders: 1, manifestDigest: "0".repeat(64) } as const;
    const tree = { ...summary, manifestSize: bytes.byteLength };
    const described = { ...description, fid: "folder-1", fileSize: bytes.byteLength, tree };
    const readManifest = vi
      .fn()
      .mockRejectedValueOnce(new WarrenError("tree-too-large"))
      .mockResolvedValue([]);
    library = new FileLibrary({ storage, clock: new FakeClock(), readManifest });
    await library.load();
    const digest = await digestOf(bytes);
    const finish = async () => {
      const file = await openReceived(library, described, peer);
      await file.write(0, bytes, digest);
      await file.finish(await rootOf(described, [digest]), () => {}).finally(() => file.close());
    };
    await expect(finish()).rejects.toMatchObject({ code: "tree-too-large" });
    expect(library.isComplete(described.fid)).toBe(false);
    await finish();
    expect(library.isComplete(described.fid)).toBe(true);
    expect(readManifest).toHaveBeenCalledWith(manifest, described);
  });

  it("remembers under which name a file was saved, until it is saved under its own", async () => {
    const { fid } = description;
    await receive(chunks.length);
    for (const savedAs of ["notes.download", null]) {
      await library.markSaved(fid, savedAs);
      expect(library.store.getState().get(fid)).toMatchObject({ saved: true, savedAs });
      await reload();
      expect(library.store.getState().get(fid)).toMatchObject({ saved: true, savedAs });
    }
  });

  it("describes a picked file with a safe name and holds its bytes", async () => {
    const picked = library.addSource(fileOf(noise(100), "a/b\u202e.txt", "Text/Plain"), chunkSize);
    expect(picked).toMatchObject({ fileName: "a_b.txt", fileSize: 100, mimeType: "text/plain", chunkSize });
    expect(library.isComplete(picked.fid)).toBe(true);
    expect(await library.sourceOf(picked.fid)?.read(90, 100)).toHaveLength(10);
    expect(library.store.getState().get(picked.fid)).toMatchObject({
      state: "complete",
      location: "page",
      direction: "sent",
    });
  });

  it("uses larger chunks for a file that would have too many", () => {
    const file = fileOf(noise(1));
    let size = 65_536 * chunkSize + 1;
    Object.defineProperty(file, "size", { get: () => size });
    expect(library.addSource(file, chunkSize).chunkSize).toBe(2 * chunkSize);
    size = 2 ** 50;
    expect(() => library.addSource(file, chunkSize)).toThrow(
      expect.objectContaining({ code: "file-too-large" }),
    );
  });

  it("reports source-changed when a picked file has changed since it was offered", async () => {
    const file = fileOf(noise(100));
    const source = library.sourceOf(library.addSource(file, chunkSize).fid);
    expect(source?.changed()).toBe(false);
    Object.defineProperty(file, "lastModified", { value: 1 });
    expect(source?.changed()).toBe(true);
    await expect(source?.read(0, 10)).rejects.toMatchObject({ code: "source-changed" });
  });

  it("reports source-changed when the browser refuses to read a picked file", async () => {
    const file = fileOf(noise(100));
    const source = library.sourceOf(library.addSource(file, chunkSize).fid);
    file.slice = () => {
      const blob = new Blob();
      blob.arrayBuffer = () => Promise.reject(new DOMException("changed on disk", "NotReadableError"));
      return blob;
    };
    await expect(source?.read(0, 10)).rejects.toMatchObject({ code: "source-changed" });
  });

  it("shares a complete file with the room, also after a reload, and no incomplete one", async () => {
    await receive(1);
    await expect(library.setShared(description.fid, true)).rejects.toMatchObject({
      code: "cache-data-incomplete",
    });
    await library.remove(description.fid);
    await receive(2);
    const isShared = () => library.store.getState().get(description.fid)?.shared;
    expect(isShared()).toBe(false);
    await library.setShared(description.fid, true);
    await reload();
    expect(isShared()).toBe(true);
    await library.setShared(description.fid, false);
    await reload();
    expect(isShared()).toBe(false);
  });

  it("resumes after a reload with the stored chunks, to be compared with their digests", async () => {
    await receive(1);
    await reload();
    expect(library.store.getState().get(description.fid)).toMatchObject({
      state: "incomplete",
      storedBytes: chunkSize,
      peers: [peer],
    });
    const file = await openReceived(library, description, peer);
    expect(file.stored.missing()).toEqual([1]);
    expect([...file.unchecked]).toEqual([0]);
    expect(await damagedOf(file)).toEqual([]);
  });

  it("detects a corrupted stored chunk", async () => {
    await receive(1);
    storage.corrupt(description.fid, 0);
    await reload();
    const file = await openReceived(library, description, peer);
    expect(await damagedOf(file)).toEqual([0]);
    expect(file.stored.missing()).toEqual([[0, 1]]);
  });

  it("reads what is stored by itself when a file is opened before", async () => {
    await receive(chunks.length);
    library = new FileLibrary({ storage, clock: new FakeClock() });
    expect((await library.open(description.fid))?.name).toBe("notes.txt");
    expect(library.isLoaded).toBe(true);
  });

  it("opens a complete file with name, type and time, and sends it on after a reload", async () => {
    await receive(2);
    await reload();
    const file = await library.open(description.fid);
    expect([file?.name, file?.type, file?.lastModified]).toEqual([
      "notes.txt",
      "text/plain",
      1_600_000_000_000,
    ]);
    expect(file?.size).toBe(description.fileSize);
    expect(library.isComplete(description.fid)).toBe(true);
    const source = library.sourceOf(description.fid);
    expect(await source?.read(chunkSize, chunkSize + 10)).toEqual(chunks[1]);
    expect(source?.root).toMatch(/^[0-9a-f]{64}$/);
  });

  it("gives neither bytes nor source of an incomplete file", async () => {
    await receive(1);
    expect(library.isComplete(description.fid)).toBe(false);
    expect(library.sourceOf(description.fid)).toBeNull();
    expect(await library.open(description.fid)).toBeNull();
  });

  it("allows one receiver per file at a time, and refuses another file under a known id", async () => {
    const file = await openReceived(library, description, peer);
    await expect(library.claim(description, peer)).rejects.toMatchObject({ code: "cache-exists" });
    await file.close();
    await expect(library.claim({ ...description, fileSize: 1 }, peer)).rejects.toMatchObject({
      code: "cache-exists",
    });
    await (await openReceived(library, description, peer)).close();
  });

  it("has a whole file also after a claim that expected another digest", async () => {
    await receive(2);
    for (const end of ["release", "abandon"] as const) {
      const claim = await library.claim(description, peer, "0".repeat(64));
      claim.startMerging();
      const root = library.sourceOf(description.fid)?.root ?? expect.fail();
      await expect(claim.complete(root)).rejects.toMatchObject({ code: "root-verification-failed" });
      claim[end](description.fileSize, true);
      expect(library.store.getState().get(description.fid)?.state).toBe("complete");
    }
  });

  it("does not start a file that storage cannot hold", async () => {
    storage.limitBytes = 100;
    await expect(library.claim(description, peer)).rejects.toMatchObject({
      code: "not-enough-space",
      values: { neededBytes: description.fileSize, freeBytes: 100 },
    });
    expect(await storage.listRecords()).toEqual([]);
    storage.limitBytes = 1_000_000;
    await (await openReceived(library, description, peer)).close();
  });

  it("drops a record that does not parse, with its bytes", async () => {
    await receive(1);
    await storage.writeRecord(description.fid, { state: "complete", root: "trust me" });
    await reload();
    expect(library.store.getState()).toEqual(new Map());
    expect(await storage.listRecords()).toEqual([]);
    expect((await storage.readDigests(description.fid)).size).toBe(0);
  });

  it("drops a record stored under another file's id", async () => {
    await receive(2);
    const [stored] = await storage.listRecords();
    await storage.writeRecord("another-file-id", stored?.record);
    await reload();
    expect([...library.store.getState().keys()]).toEqual([description.fid]);
  });

  it("forgets a file everywhere", async () => {
    await receive(2);
    await library.remove(description.fid);
    expect(library.store.getState()).toEqual(new Map());
    expect(library.isComplete(description.fid)).toBe(false);
    await reload();
    expect(library.store.getState()).toEqual(new Map());
  });

  it("shows a file until it is deleted from storage, so that no reload brings it back", async () => {
    await receive(2);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const remove = storage.remove.bind(storage);
    storage.remove = async (fid) => {
      await held;
      await remove(fid);
    };
    const removing = library.remove(description.fid);
    await Promise.resolve();
    expect([...library.store.getState().keys()]).toEqual([description.fid]);
    expect(library.isComplete(description.fid)).toBe(false);
    release();
    await removing;
    expect(library.store.getState()).toEqual(new Map());
  });

  it("remembers across a reload which clients a file was shared with", async () => {
    await receive(2);
    const other = "00000000-0000-4000-8000-00000000000c";
    await library.addPeer(description.fid, other);
    await reload();
    expect(library.store.getState().get(description.fid)?.peers).toEqual([peer, other]);
  });
});
