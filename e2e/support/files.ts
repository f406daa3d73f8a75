import { createHash, randomFillSync, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { expect, type FileChooser, type Locator, type Page } from "@playwright/test";
import { unzipSync } from "fflate";
import { messageLog } from "./conversation.ts";
import { chooseFrom } from "./menu.ts";
import { transferWorker } from "./survivor.ts";

const mib = 1024 * 1024;

/** Writes a file of random, incompressible bytes. @returns its SHA-256 in hex. */
export function writeRandomFile(path: string, sizeMib: number): Promise<string> {
  const bytes = Buffer.alloc(mib);
  return writeFile(path, sizeMib, () => randomFillSync(bytes));
}

/** Writes a file of log lines, which compression more than halves. @returns its SHA-256 in hex. */
export function writeLogFile(path: string, sizeMib: number): Promise<string> {
  let count = 0;
  const line = () =>
    `{"level":"info","request":"${randomUUID()}","count":${count++},"path":"/api/v2/items"}\n`;
  return writeFile(path, sizeMib, () =>
    Buffer.from(Array.from({ length: 15_000 }, line).join("")).subarray(0, mib),
  );
}

/** @param nextMib creates the next MiB. @returns the SHA-256 of the whole file, in hex. */
async function writeFile(path: string, sizeMib: number, nextMib: () => Buffer): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, "w");
  for (let written = 0; written < sizeMib; written++) {
    const piece = nextMib();
    hash.update(piece);
    await file.write(piece);
  }
  await file.close();
  return hash.digest("hex");
}

/** The address of the compression library, among a person's requests. */
export const zstdAddress = /\/assets\/zstd-[\w-]+\.wasm$/;

/** The SHA-256 of a file on disk, in hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Picks files through the composer's attach menu, as a person does. */
export async function attach(page: Page, files: Parameters<FileChooser["setFiles"]>[0]): Promise<void> {
  // A test cannot set files in the browser's own picker, only in an input.
  await page.evaluate(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  const choosing = page.waitForEvent("filechooser");
  await chooseFrom(page.getByRole("button", { name: /^Send files.* clipboard/ }), "Files");
  await (await choosing).setFiles(files);
}

/**
 * Slows the disk of a page's files down to 4 MiB/s, so that receiving one takes as long on any machine: longer than until its
 * speed is known.
 */
export async function slowDisk(page: Page): Promise<void> {
  const worker = await transferWorker(page);
  await worker.evaluate(
    (bytesPerMs) => {
      // Only workers have it, and the types of pages lack it.
      const { prototype: disk } = Reflect.get(globalThis, "FileSystemSyncAccessHandle") as {
        readonly prototype: { write(data: ArrayBufferView, options?: object): number };
      };
      const { write } = disk;
      disk.write = function (data, options) {
        const endsAt = performance.now() + data.byteLength / bytesPerMs;
        while (performance.now() < endsAt);
        return write.call(this, data, options);
      };
    },
    (4 * mib) / 1000,
  );
}

/** Chooses a sent file again on its card, as a person does whose browser lost it. */
export async function chooseAgain(page: Page, path: string): Promise<void> {
  // As in `attach`.
  await page.evaluate(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /^Choose file: / }).click();
  await (await choosing).setFiles(path);
}

/** Drops files and folders on the page, as from a file manager. */
export async function drop(page: Page, paths: readonly string[]): Promise<void> {
  // Only a conversation accepts drops, and its code may still be loading.
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
  await session.detach();
}

/** The card of a file in the open conversation. */
export function fileCard(page: Page, fileName: string): Locator {
  return messageLog(page).getByRole("article").filter({ hasText: fileName });
}

/** Accepts an offered file without saving it, as a person does who keeps it in the browser. */
export async function keepHere(card: Locator): Promise<void> {
  const more = card.getByRole("button", { name: /^More: / });
  await chooseFrom(more, "Keep here");
  // An offer has a button Save as well: only what follows it means that the file is here.
  await more.waitFor({ state: "detached" });
}

/** Saves a received file as a person does. @returns its SHA-256 in hex. */
export async function savedSha256(page: Page, fileName: string): Promise<string> {
  const downloading = page.waitForEvent("download");
  await fileCard(page, fileName)
    .getByRole("button", { name: `Save: ${fileName}` })
    .click();
  return sha256OfFile(await (await downloading).path());
}

/** Saves a folder as a zip, through the menu of its card. @returns its files by path; an empty folder's ends in a slash */
export async function savedZip(page: Page, name: string): Promise<Record<string, Uint8Array>> {
  const downloading = page.waitForEvent("download");
  await chooseFrom(fileCard(page, name).getByRole("button", { name: `Save: ${name}` }), "Save as zip");
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`${name}.zip`);
  return unzipSync(new Uint8Array(await readFile(await download.path())));
}
