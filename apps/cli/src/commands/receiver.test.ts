import { setImmediate as nextTurn } from "node:timers/promises";
import type { FileMessage, Offer, Peer, StoredFile } from "@warren/core";
import { expect, it, vi } from "vitest";
import type { TargetFolder } from "../files/target-folder.ts";
import type { DiskFileStorage } from "../platform/disk-file-storage.ts";
import type { CommandEvent } from "../terminal/events.ts";
import type { HeardTexts } from "./heard-texts.ts";
import { type Decide, Receiver } from "./receiver.ts";
import type { Session } from "./session.ts";
import { TaskFiles } from "./task-files.ts";

/** More than anything here takes. */
const turnsMax = 200;
const storeOf = <T>(state: () => T) => ({ getState: state });

/** A later run of a command that Ann offered files to. */
class LaterRun {
  readonly #messages: FileMessage[] = [];
  readonly #library = new Map<string, StoredFile>();
  readonly events: CommandEvent[] = [];
  readonly accepted: string[] = [];
  decide: Decide = async () => true;
  isJoined = false;
  isAnnHere = false;

  /** A message of an earlier run, about a file that is whole here if its offer is complete. */
  offered(fid: string, offer: Offer): void {
    const file = { fid, fileName: fid, fileSize: 1 };
    this.#messages.push({
      type: "file",
      key: `message-${fid}`,
      client: "ann",
      file,
      offers: { ann: offer },
    } as never);
    const stored = { direction: "received", state: "complete", description: file, peers: ["ann"] };
    if (offer.state === "complete") this.#library.set(fid, stored as never);
  }

  /** Bob, a member, gives what Ann offered. */
  given(fid: string, offer: Offer): void {
    const file = { fid, fileName: fid, fileSize: 1 };
    this.#messages.push({
      type: "file",
      key: `given-${fid}`,
      client: "bob",
      original: `message-${fid}`,
      file,
      offers: { bob: offer },
    } as never);
  }

  turn(fid: string, offer: Offer): void {
    const index = this.#messages.findIndex(({ file }) => file.fid === fid);
    this.#messages[index] = { ...this.#messages[index], offers: { ann: offer } } as FileMessage;
  }

  receive(files: TaskFiles): Promise<void> {
    const target = { putFile: async ({ fileName }: { fileName: string }) => `/out/${fileName}` };
    const path = () => "/parts";
    const storage = { bytesOf: path, workFolderOf: path, placementsOf: path } as unknown as DiskFileStorage;
    return new Receiver({
      session: this.#session() as unknown as Session,
      storage,
      target: target as unknown as TargetFolder,
      decide: this.decide,
      texts: { report: () => {} } as unknown as HeardTexts,
    }).receiveOnce(files);
  }

  #session() {
    const ann = { clientId: "ann", ready: true } as Peer;
    const peers = () => (this.isAnnHere ? { ann } : {});
    const note = (event: CommandEvent) => void this.events.push(event);
    return {
      join: async () => {
        this.isJoined = true;
      },
      until: async <T>(find: () => T | undefined): Promise<T> => {
        for (let turns = 0; turns < turnsMax; turns++) {
          const found = find();
          if (found !== undefined) return found;
          await nextTurn();
        }
        throw new Error("it still waits");
      },
      poke: () => {},
      nameOf: () => "Ann",
      readyPeers: () => Object.values(peers()),
      report: { event: note, progress: () => {} },
      warren: {
        profile: { get: () => ({ clientId: "ben", roomId: "harbour" }) },
        room: {
          isReady: () => this.isAnnHere,
          store: storeOf(() => ({ status: "connected", peers: peers() })),
        },
        transfers: { store: storeOf(() => new Map()) },
        chat: {
          store: storeOf(() => ({ conversations: { ann: { messages: [...this.#messages] } } })),
          exchange: { load: async () => {} },
          resumeFile: async () => {},
          acceptFile: async (key: string) => {
            this.accepted.push(key);
            this.turn(key.replace("message-", ""), { state: "accepted" });
          },
        },
        files: {
          store: storeOf(() => this.#library),
          remove: async (fid: string) => void this.#library.delete(fid),
        },
      },
    };
  }
}

const item = { from: "Ann", path: "/out/whole", name: "whole", sizeBytes: 1, files: null };
const received = (run: LaterRun) =>
  run.events.flatMap((event) => (event.event === "received" ? [event.path] : []));

it("ends at once where nothing else comes: its message is gone, or it was refused or withdrawn", async () => {
  const run = new LaterRun();
  run.offered("withdrawn", { state: "withdrawn" });
  run.offered("refused", { state: "declined" });
  await run.receive(new TaskFiles({ whole: item, gone: null, withdrawn: null, refused: null }, () => {}));
  expect([run.isJoined, received(run)]).toEqual([false, ["/out/whole"]]);
});

it("puts away what is whole, and waits for the rest, until that is here or does not come any more", async () => {
  const run = new LaterRun();
  run.offered("whole", { state: "complete" });
  run.offered("rest", { state: "accepted" });
  let isOver = false;
  const receiving = run.receive(new TaskFiles({ whole: null, rest: null }, () => {})).finally(() => {
    isOver = true;
  });
  while (!run.isJoined) await nextTurn();
  for (let turns = 0; turns < turnsMax / 4; turns++) await nextTurn();
  expect([isOver, received(run)]).toEqual([false, ["/out/whole"]]);
  run.isAnnHere = true;
  run.turn("rest", { state: "withdrawn" });
  await receiving;
});

it.each([
  ["withdrew it", [], { exitCode: 2, message: "Nothing was received." }],
  ["finds that it has changed", ["needsSource"], { code: "source-changed" }],
] as const)("ends where its sender %s", async (_, before, error) => {
  const run = new LaterRun();
  run.offered("rest", { state: "accepted" });
  const receiving = run.receive(new TaskFiles({ rest: null }, () => {}));
  while (!run.isJoined) await nextTurn();
  run.isAnnHere = true;
  for (const state of [...before, "withdrawn"] as const) {
    await nextTurn();
    run.turn("rest", { state });
  }
  await expect(receiving).rejects.toMatchObject(error);
  expect(run.events).toContainEqual(
    expect.objectContaining({ event: "withdrawn", from: "Ann", name: "rest" }),
  );
});

it("says the same where its sender finds that out only when it is asked for it", async () => {
  const run = new LaterRun();
  run.offered("rest", { state: "accepted" });
  const receiving = run.receive(new TaskFiles({ rest: null }, () => {}));
  while (!run.isJoined) await nextTurn();
  run.isAnnHere = true;
  run.turn("rest", { state: "failed", error: { code: "source-missing", values: {} } });
  await expect(receiving).rejects.toMatchObject({ code: "source-changed" });
  expect(run.events.map(({ event }) => event)).toContain("withdrawn");
});

it("asks no longer what its sender has withdrawn, nor what comes after it, and goes on", async () => {
  const run = new LaterRun();
  const asked: string[] = [];
  run.decide = (_, { file }, over) =>
    new Promise((resolve) => {
      asked.push(file.fid);
      if (file.fid === "last") resolve(true);
      over.addEventListener("abort", () => resolve(true));
    });
  const receiving = run.receive(new TaskFiles(undefined, () => {}));
  while (!run.isJoined) await nextTurn();
  run.isAnnHere = true;
  for (const fid of ["first", "second", "last"]) run.offered(fid, { state: "offered" });
  while (asked.length === 0) await nextTurn();
  for (const fid of ["second", "first"]) run.turn(fid, { state: "withdrawn" });
  while (!run.accepted.includes("message-last")) await nextTurn();
  run.turn("last", { state: "withdrawn" });
  await expect(receiving).rejects.toMatchObject({ message: "Nothing was received." });
  expect([asked, run.accepted]).toEqual([["first", "last"], ["message-last"]]);
  const withdrawn = run.events.flatMap((event) => (event.event === "withdrawn" ? [event.name] : []));
  expect(withdrawn.sort()).toEqual(["first", "last", "second"]);
});

it("does not give up on an author that is away while another member gives the file", async () => {
  const run = new LaterRun();
  run.offered("rest", { state: "pausedHere" } as never);
  run.given("rest", { state: "running" } as never);
  let nowMs = 0;
  // Each look at it is a minute after the one before.
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 60_000));
  await expect(run.receive(new TaskFiles({ rest: null }, () => {}))).rejects.toThrow("it still waits");
  clock.mockRestore();
});
