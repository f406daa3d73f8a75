import { limits, utf8Length } from "@warren/protocol";
import { describe, expect, it, vi } from "vitest";
import type { PickedTree } from "../files/trees/compose-tree.ts";
import { openTree, readManifest } from "../files/trees/open-tree.ts";
import type { FileMessage } from "../messages/message.ts";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const modified = 1_600_000_000_000;

function textFile(text: string, type = "text/plain"): File {
  return new File([text], "picked", { type, lastModified: modified });
}

/** A folder whose files contain their own paths. */
function pickedFolder(paths: readonly string[], emptyFolders: readonly string[] = []): PickedTree {
  const files = paths.map((path) => ({ path, file: textFile(`at ${path}`) }));
  return { kind: "folder", name: "Location scouting", files, emptyFolders };
}

async function offer(from: TestPerson, to: TestPerson, picked: PickedTree): Promise<FileMessage> {
  await from.warren.chat.sendTree(to.id, picked);
  const [message] = await to.untilMessages(from.id, (messages) => messages.length > 0);
  if (message?.type !== "file") throw new Error("no offer");
  return message;
}

function stateAt(person: TestPerson, other: TestPerson) {
  const message = person.messages(other.id).findLast(({ type }) => type === "file");
  return message?.type === "file" ? person.offerOf(message, other.id) : undefined;
}

const untilState = (person: TestPerson, other: TestPerson, state: string) =>
  person.untilMessages(other.id, () => stateAt(person, other)?.state === state);

/** The tree that a person received, as text by path; null for folders. */
async function treeAt(person: TestPerson, { file }: FileMessage): Promise<Record<string, string | null>> {
  const stream = (await person.warren.files.open(file.fid)) ?? expect.fail("nothing here");
  const tree = await openTree(stream, file, readManifest);
  const texts = tree.entries.map(async (entry) => [
    entry.path,
    entry.kind === "file" ? await tree.fileOf(entry).text() : null,
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

describe("a folder", () => {
  it("whose name is too long for a disk is shown with its original name, also where it is forwarded", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(noor, jun);
    const name = `${"\u{1F430}".repeat(63)}abc`;
    const message = await offer(mara, jun, { ...pickedFolder(["a.txt"]), name });
    expect(utf8Length(name)).toBe(255);
    expect(message.file).toMatchObject({ fileName: "\u{1F430}".repeat(60), originalName: name });
    await jun.warren.chat.acceptFile(message.key);
    await untilState(jun, mara, "complete");
    await jun.warren.chat.forwardFile(noor.id, message.file.fid);
    const [forwarded] = await noor.untilMessages(jun.id, (messages) => messages.length > 0);
    expect(forwarded).toMatchObject({ file: { originalName: name } });
  });

  it("whose folders and files have names of 255 bytes arrives with all nine files, each with its original path", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const long = "\u{1F430}".repeat(63);
    const paths = Array.from({ length: 9 }, (_, n) => `${long}abc/${long}ab${n}`);
    const message = await offer(mara, jun, pickedFolder(paths));
    await jun.warren.chat.acceptFile(message.key);
    await untilState(jun, mara, "complete");
    const stream = (await jun.warren.files.open(message.file.fid)) ?? expect.fail("nothing here");
    const { entries, fileOf } = await openTree(stream, message.file, readManifest);
    const files = entries.flatMap((entry) => (entry.kind === "file" ? [entry] : []));
    expect(new Set(files.map(({ path }) => path)).size).toBe(9);
    for (const [index, path] of paths.entries()) {
      const file =
        files.find(({ originalPath }) => originalPath === path) ?? expect.fail(`lost file ${index}`);
      expect(await fileOf(file).text()).toBe(`at ${path}`);
    }
  });

  it("whose name is safe has no other", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const { file } = await offer(mara, jun, pickedFolder(["a.txt"]));
    expect(file).not.toHaveProperty("originalName");
  });

  it("is one offer, and every file arrives at its path, including odd names and empty folders", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const paths = ["a/deep/er/x.txt", "日本/é \u{1F430}.txt", "no extension", ".env", "a/empty.txt"];
    const picked = pickedFolder(
      [...paths, "Case.txt", "case.txt", "a/con.txt", "b\\c\u202E.txt"],
      ["void", "a/void"],
    );
    const message = await offer(mara, jun, picked);
    expect(jun.messages(mara.id)).toHaveLength(1);
    expect(message.file).toMatchObject({
      fileName: "Location scouting",
      tree: { kind: "folder", files: 9, folders: 6 },
    });
    await jun.warren.chat.acceptFile(message.key);
    await untilState(jun, mara, "complete");
    await untilState(mara, jun, "complete");
    const safe = {
      ...Object.fromEntries(paths.map((path) => [path, `at ${path}`])),
      void: null,
      "a/void": null,
    };
    const renamed = {
      "Case.txt": "at Case.txt",
      "case (2).txt": "at case.txt",
      "a/_con.txt": "at a/con.txt",
      "b_c.txt": "at b\\c\u202E.txt",
    };
    expect(await treeAt(jun, message)).toEqual({ ...safe, ...renamed });
    expect(stateAt(mara, jun)).toEqual({ state: "complete" });
  });

  it("keeps each file's name, type and time", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const files = [{ path: "pictures/quay.png", file: textFile("png", "image/png") }];
    const message = await offer(mara, jun, { ...pickedFolder([]), files });
    await jun.warren.chat.acceptFile(message.key);
    await untilState(jun, mara, "complete");
    const stream = (await jun.warren.files.open(message.file.fid)) ?? expect.fail();
    const tree = await openTree(stream, message.file, readManifest);
    const [entry] = tree.entries;
    expect(entry?.kind === "file" ? tree.fileOf(entry) : null).toMatchObject({
      name: "quay.png",
      type: "image/png",
      lastModified: modified,
    });
  });

  it("shows its content before it is accepted, if the list is small", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const { manifest = expect.fail("no list"), file } = await offer(mara, jun, pickedFolder(["b", "a/x"]));
    const entries = await readManifest(manifest, file);
    expect(entries.map(({ path }) => path)).toEqual(["a/x", "b"]);
  });

  it("of ten thousand files arrives, with its list as part of its bytes", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const paths = Array.from({ length: 10_000 }, (_, index) => `folder ${index % 50}/photo ${index}.txt`);
    const message = await offer(mara, jun, pickedFolder(paths));
    expect(message.manifest).toBeUndefined();
    expect(message.file.tree).toMatchObject({ files: 10_000, folders: 50 });
    await jun.warren.chat.acceptFile(message.key);
    await untilState(jun, mara, "complete");
    const arrived = await treeAt(jun, message);
    expect(Object.keys(arrived)).toHaveLength(10_000);
    expect(arrived["folder 49/photo 9999.txt"]).toBe("at folder 49/photo 9999.txt");
  });

  it("resumes where it stopped when the receiver is reloaded", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const chunk = 512 * 1024;
    const files = ["a", "b", "c"].map((path) => ({ path, file: new File([path.repeat(4 * chunk)], path) }));
    const message = await offer(mara, jun, { ...pickedFolder([]), files });
    await jun.warren.chat.acceptFile(message.key);
    while (jun.files.writeCount < 4) await settle();
    await jun.reload();
    await world.untilMet(mara, jun);
    await untilState(jun, mara, "complete");
    const arrived = await treeAt(jun, message);
    expect(Object.entries(arrived).map(([path, text]) => [path, text?.length])).toEqual(
      ["a", "b", "c"].map((path) => [path, 4 * chunk]),
    );
  });

  it("counts only its files towards the size limit", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const files = [{ path: "a", file: new File(["a".repeat(1024 * 1024)], "a") }];
    for (const { warren } of [mara, jun]) warren.settings.set("maxFileSize", 1024 * 1024);
    const message = await offer(mara, jun, { ...pickedFolder([]), files });
    await jun.warren.chat.acceptFile(message.key);
    await untilState(jun, mara, "complete");
    const larger = [...files, { path: "b", file: textFile("b") }];
    const sent = mara.warren.chat.sendTree(jun.id, { ...pickedFolder([]), files: larger });
    await expect(sent).rejects.toMatchObject({ code: "file-too-large" });
  });

  it("with more entries than allowed is not sent", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const emptyFolders = Array.from({ length: limits.treeEntries + 1 }, (_, index) => `${index}`);
    const sent = mara.warren.chat.sendTree(jun.id, pickedFolder([], emptyFolders));
    await expect(sent).rejects.toMatchObject({ code: "tree-too-large" });
    expect(mara.messages(jun.id)).toEqual([]);
  });
});

describe("a folder of a hostile sender", () => {
  it("is rejected before it is shown if its list does not match the description", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const message = await offer(mara, jun, pickedFolder(["a"]));
    const { manifest = "", file } = message;
    mara.warren.room.send(jun.id, {
      ...file,
      type: "send-file",
      id: "another-1",
      fid: "another-file",
      manifest: manifest.replace('"a"', '"b"'),
    });
    await settle();
    expect(jun.messages(mara.id)).toHaveLength(1);
  });

  it("is never complete, and discarded, if its bytes do not contain the described list", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    jun.warren.settings.set("automaticDownload", true);
    const stream = new File(['[["a",1,0,""]]x'], "Trap");
    const tree = {
      kind: "folder",
      files: 1,
      folders: 0,
      manifestSize: 14,
      manifestDigest: "0".repeat(64),
    } as const;
    const file = mara.warren.files.addSource(stream, 512 * 1024, { tree });
    // An honest client would not know this offer; this one sends a request instead.
    const send = mara.warren.room.send.bind(mara.warren.room);
    vi.spyOn(mara.warren.room, "send").mockImplementation((to, message) =>
      send(to, message.type === "error" ? { type: "request-storage" } : message),
    );
    await mara.warren.chat.sendText(jun.id, "so that we know each other");
    mara.warren.room.send(jun.id, { ...file, type: "send-file", id: "trap-0001" });
    await jun.untilMessages(mara.id, (messages) => messages.some(({ type }) => type === "file"));
    while (jun.warren.files.store.getState().get(file.fid) === undefined) await settle();
    mara.exchange.transfers.send(jun.id, file);
    await untilState(jun, mara, "failed");
    expect(stateAt(jun, mara)).toMatchObject({ error: { code: "tree-invalid" } });
    await settle();
    expect(jun.warren.files.store.getState().get(file.fid)).toBeUndefined();
  });
});
