import type { FileMessage } from "../messages/message.ts";
import type { Bytes } from "../ports/file-storage.ts";
import type { TransferState } from "../transfer/offer-state.ts";
import { settle } from "./fake-clock.ts";
import { type TestPerson, TestWorld } from "./test-world.ts";

export type { Bytes };

/** The chunk size of the default options, and how many of them a story's file has. */
export const chunk = 512 * 1024;
export const chunkCount = 12;
export const time = { lastModified: 1_600_000_000_000 };

/** Mara sends a file to Jun, and is interrupted. */
export class FileStory {
  readonly world: TestWorld;
  readonly mara: TestPerson;
  readonly jun: TestPerson;
  /** The ids of both, valid even while their page is closed. */
  readonly #ids: { readonly mara: string; readonly jun: string };

  private constructor(world: TestWorld, mara: TestPerson, jun: TestPerson) {
    this.world = world;
    this.mara = mara;
    this.jun = jun;
    this.#ids = { mara: mara.id, jun: jun.id };
  }

  static async begin(): Promise<FileStory> {
    const world = new TestWorld();
    return new FileStory(world, ...(await world.twoPeers()));
  }

  async offer(file: File): Promise<void> {
    await this.mara.warren.chat.sendFile(this.#ids.jun, file);
    await this.until(() => this.jun.messages(this.#ids.mara).length > 0);
  }

  /** Mara sends a file, and Jun's disk hangs after it has stored some chunks. */
  async sendSome(file: File, stored = 4): Promise<void> {
    await this.offer(file);
    this.jun.files.holdAt = stored;
    await this.jun.warren.chat.acceptFile(this.message(this.jun).key);
    await this.until(() => this.jun.files.writeCount >= stored, 0);
    // Time for recording the progress and for copying the file.
    await this.world.clock.advance(6_000);
    await this.until(() => !this.mara.warren.settings.get().keepSentFiles || this.isCopied());
  }

  isCopied(): boolean {
    return (
      this.mara.warren.files.store.getState().get(this.message(this.mara).file.fid)?.location === "storage"
    );
  }

  /** Mara's page is closed during the transfer and opened again. */
  async reloadSender(): Promise<void> {
    await this.mara.close();
    await this.until(() => this.offerOf(this.jun)?.state === "accepted");
    this.jun.files.lose();
    await this.mara.open();
    await this.mara.warren.room.join();
  }

  /** Jun's disk responds again, and is full. */
  fillDisk(): void {
    this.jun.files.limitBytes = 4 * chunk;
    this.jun.files.release();
  }

  async complete(): Promise<void> {
    await this.until(() => this.#both((offer) => offer?.state === "complete"));
  }

  async bothWait(state: "needsSource" | "needsSpace"): Promise<void> {
    await this.until(() => this.#both((offer) => offer?.state === state));
  }

  /** Advances time until the check passes. */
  async until(check: () => boolean, stepMs = 250): Promise<void> {
    for (let step = 0; step < 400; step++) {
      if (check()) return;
      await this.world.clock.advance(stepMs);
      await settle();
    }
    throw new Error(`waited in vain; Jun's side: ${JSON.stringify(this.offerOf(this.jun))}`);
  }

  /** The file's message as seen by one of the two. */
  message(person: TestPerson): FileMessage {
    const message = person.messages(this.#otherOf(person)).findLast(({ type }) => type === "file");
    if (message?.type !== "file") throw new Error("no file");
    return message;
  }

  offerOf(person: TestPerson): TransferState | undefined {
    return person.offerOf(this.message(person), this.#otherOf(person));
  }

  /** SHA-256 of the complete file at Jun; null if there is none. */
  async arrived(): Promise<string | null> {
    const file = await this.jun.warren.files.open(this.message(this.jun).file.fid);
    return file && digestOfBlob(file);
  }

  #both(check: (offer: TransferState | undefined) => boolean): boolean {
    return check(this.offerOf(this.jun)) && check(this.offerOf(this.mara));
  }

  #otherOf(person: TestPerson): string {
    return person === this.mara ? this.#ids.jun : this.#ids.mara;
  }
}

export function randomBytes(chunks = chunkCount): Bytes {
  const bytes = new Uint8Array((chunks - 1) * chunk + 17);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

export function flipped(bytes: Bytes, at: number): Bytes {
  const other = bytes.slice();
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
}

export function fileOf(bytes: Bytes): File {
  return new File([bytes], "long.mov", time);
}

/** SHA-256 as hex. */
export async function digestOfBlob(blob: Blob): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer())).toString("hex");
}
