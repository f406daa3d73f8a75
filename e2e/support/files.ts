import { createHash, randomFillSync, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { FileChooser, Locator, Page } from "@playwright/test";
import { messageLog } from "./conversation.ts";

const mib = 1024 * 1024;

/** Writes a file of random bytes, which no compression makes smaller. @returns its SHA-256 in hex. */
export function writeRandomFile(path: string, sizeMib: number): Promise<string> {
  const bytes = Buffer.alloc(mib);
  return writeFile(path, sizeMib, () => randomFillSync(bytes));
}

/** Writes a file of log lines, which compression makes less than half as large. @returns its SHA-256 in hex. */
export function writeLogFile(path: string, sizeMib: number): Promise<string> {
  let count = 0;
  const line = () =>
    `{"level":"info","request":"${randomUUID()}","count":${count++},"path":"/api/v2/items"}\n`;
  return writeFile(path, sizeMib, () =>
    Buffer.from(Array.from({ length: 15_000 }, line).join("")).subarray(0, mib),
  );
}

/** @param nextMib makes the next piece. @returns the SHA-256 of all, in hex. */
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

/** Among the addresses a person asked for: the library that packs and unpacks what shrinks. */
export const zstdAddress = /\/assets\/zstd-[\w-]+\.wasm$/;

/** The SHA-256 of a file on disk, in hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Picks files through the composer's attach menu, as a person does. */
export async function attach(page: Page, files: Parameters<FileChooser["setFiles"]>[0]): Promise<void> {
  // The browser's own picker takes no files from a test; an input does.
  await page.evaluate(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  await page.getByRole("button", { name: /^Files.* clipboard/ }).click();
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Files" }).click();
  await (await choosing).setFiles(files);
}

/** Chooses a file of one's own again for its card, as a person does whose browser no longer has it. */
export async function chooseAgain(page: Page, path: string): Promise<void> {
  // As in `attach`.
  await page.evaluate(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /^Choose file: / }).click();
  await (await choosing).setFiles(path);
}

/** Drops files and folders of the disk on the page, as a person does from a file manager. */
export async function drop(page: Page, paths: readonly string[]): Promise<void> {
  // Only a conversation takes what is dropped, and its code may still be on its way.
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
  await session.detach();
}

/** The card of a file in the conversation on the screen. */
export function fileCard(page: Page, fileName: string): Locator {
  return messageLog(page).getByRole("article").filter({ hasText: fileName });
}

/** Saves a file that has arrived, as a person does. @returns its SHA-256 in hex. */
export async function savedSha256(page: Page, fileName: string): Promise<string> {
  const downloading = page.waitForEvent("download");
  await fileCard(page, fileName)
    .getByRole("button", { name: `Save: ${fileName}` })
    .click();
  return sha256OfFile(await (await downloading).path());
}
