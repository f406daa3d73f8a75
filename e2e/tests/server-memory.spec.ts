import { type ChildProcess, spawn } from "node:child_process";
import { createHash, pbkdf2Sync } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContext } from "@playwright/test";
import { deliverText } from "../support/conversation.ts";
import { type EvilRelay, startEvilRelay } from "../support/evil-relay.ts";
import { attach, fileCard } from "../support/files.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { drawPng } from "../support/pictures.ts";
import { expectOnline, expectWaiting, personRow, startRoom } from "../support/room.ts";

const serverEntry = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));

/** The server as a process with readable memory. */
interface WatchedServer {
  readonly url: string;
  readonly logs: () => string;
  /** All of its memory: the strings of its heap and, on Linux, each writable page. */
  memory(): Promise<Buffer>;
}

const test = base.extend<{ readonly watched: WatchedServer; readonly relay: EvilRelay }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  watched: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "warren-memory-"));
    const child = spawn(process.execPath, ["--heapsnapshot-signal=SIGUSR2", serverEntry], {
      cwd: folder,
      // As in `startServer`: other work on the machine must not count as overload.
      env: { ...process.env, LOG_LEVEL: "trace", MAX_LAG_MS: "60000", PORT: "0", HOST: "127.0.0.1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let logs = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        logs += text;
      });
    }
    await expect.poll(() => logs).toMatch(/"port":\d+/);
    await use({
      url: `http://127.0.0.1:${/"port":(\d+)/.exec(logs)?.[1]}`,
      logs: () => logs,
      memory: async () => Buffer.concat([await heapOf(child, folder), await pagesOf(child)]),
    });
    const ended = once(child, "exit");
    child.kill("SIGINT");
    await ended;
    await rm(folder, { recursive: true });
  },
  relay: async ({ watched }, use) => {
    const relay = await startEvilRelay(watched.url);
    await use(relay);
    await relay.stop();
  },
  baseURL: async ({ relay }, use) => use(relay.url),
});

async function heapOf(child: ChildProcess, folder: string): Promise<Buffer> {
  child.kill("SIGUSR2");
  let snapshot = Buffer.alloc(0);
  const read = async (): Promise<string> => {
    const [name] = (await readdir(folder)).filter((file) => file.endsWith(".heapsnapshot"));
    if (name === undefined) return "";
    snapshot = await readFile(join(folder, name));
    return snapshot.subarray(-2).toString();
  };
  // Its last value is the list of strings.
  await expect.poll(read, { timeout: 60_000 }).toMatch(/\]\s*\}/);
  return snapshot;
}

/** The writable memory of a process of ours; empty where the system does not expose it. */
async function pagesOf({ pid }: ChildProcess): Promise<Buffer> {
  if (!existsSync(`/proc/${pid}/mem`)) return Buffer.alloc(0);
  const maps = await readFile(`/proc/${pid}/maps`, "utf8");
  const memory = await open(`/proc/${pid}/mem`);
  const pages: Buffer[] = [];
  for (const [, from = "0", to = "0"] of maps.matchAll(/^([\da-f]+)-([\da-f]+) rw/gm)) {
    const start = Number.parseInt(from, 16);
    const page = Buffer.alloc(Number.parseInt(to, 16) - start);
    // Some mappings, such as those of devices, cannot be read.
    const { bytesRead } = await memory.read(page, 0, page.length, start).catch(() => ({ bytesRead: 0 }));
    pages.push(page.subarray(0, bytesRead));
  }
  await memory.close();
  return Buffer.concat(pages);
}

/** Records every description and candidate that the pages of a context create. */
async function watchDescriptions(context: BrowserContext): Promise<readonly string[]> {
  const received: string[] = [];
  const report = "reportDescription";
  await context.exposeFunction(report, (text: string) => void received.push(text));
  await context.addInitScript((name) => {
    const Original = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        const emit = (text = "") => Reflect.get(globalThis, name)(text);
        this.addEventListener("icecandidate", ({ candidate }) => emit(candidate?.candidate));
        this.addEventListener("signalingstatechange", () => emit(this.localDescription?.sdp));
      }
    };
  }, report);
  return received;
}

/**
 * The forms in which a marker may be in memory: one or two bytes per character, escaped in JSON, inside base64 or hex.
 */
function spellings(marker: string | Buffer): Buffer[] {
  const bytes = Buffer.from(marker);
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64url");
    // The neighbours of the marker determine its first and last characters.
    return text.slice(shift === 0 ? 0 : shift + 1, -2);
  });
  const plain = typeof marker === "string" ? [marker, JSON.stringify(marker).slice(1, -1)] : [];
  const texts = [...new Set([...plain, bytes.toString("hex"), ...base64])];
  return [bytes, ...texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, "utf16le")])];
}

function markersIn(markers: Readonly<Record<string, string | Buffer>>, place: Buffer): string[] {
  return Object.keys(markers).filter((name) =>
    spellings(markers[name] ?? name).some((spelling) => place.includes(spelling)),
  );
}

function first(texts: readonly string[], pattern: RegExp): string {
  const [found] = texts.flatMap((text) => pattern.exec(text)?.at(-1) ?? []);
  if (found === undefined) throw new Error(`nothing like ${pattern}`);
  return found;
}

test("the server's memory, log and frames contain nothing that two people exchange", async ({
  newPerson,
  watched,
  relay,
}) => {
  test.setTimeout(480_000);
  const room = "cellar-of-quinces";
  const password = "marmalade orrery 41";
  const text = "the heron left at dusk";
  const fileName = "zephyr-ledger.bin";
  const avatar = drawPng(32, 32, (x, y) => [x * 8, y * 8, 177]);

  // The server is paused while its memory is dumped.
  const expectedErrors = /WebSocket connection to .* failed/;
  const ada = await newPerson({ name: "Adalberta Quill", expectedErrors });
  const bo = await newPerson({ name: "Bohumil Tarn", expectedErrors });
  const received = await watchDescriptions(ada.context);
  await startRoom(ada, { room, password });
  await expectWaiting(ada.page);
  await ada.page.evaluate(
    (picture) => {
      const profile: unknown = JSON.parse(localStorage.getItem("profile") ?? "null");
      localStorage.setItem("profile", JSON.stringify(Object.assign({}, profile, { avatar: picture })));
    },
    `data:image/png;base64,${avatar.toString("base64")}`,
  );
  await ada.page.reload();
  await expectWaiting(ada.page);
  await startRoom(bo, { room, password });
  await expectOnline(ada.page, bo.name);
  await expectOnline(bo.page, ada.name);
  await expect(personRow(bo.page, ada.name).locator("img")).toBeVisible();
  await deliverText(ada.page, bo.page, text);
  await attach(ada.page, { name: fileName, mimeType: "application/octet-stream", buffer: avatar });
  await expect(fileCard(bo.page, fileName)).toBeVisible();

  const roomTag = createHash("sha256").update(`room/1${room}`).digest();
  const salt = createHash("sha256").update("app/prs/1").update(roomTag).digest();
  const markers = {
    password,
    "what the password becomes": pbkdf2Sync(password, salt, 600_000, 32, "sha256"),
    room,
    "one name": ada.name,
    "the other name": bo.name,
    "a message": text,
    "a file's name": fileName,
    "a picture": avatar.subarray(44, 76),
    "a profile": `"name":"${ada.name}"`,
    "the head of a description": first(received, /^(v=0\r\no=- \d+)/),
    "a candidate": first(received, /^(candidate:\S+ 1 \w+ \d+)/),
    "the secret of a route": first(received, /^a=ice-pwd:(\S+)/m),
  };
  const memory = await watched.memory();
  const frames = Buffer.from(relay.transcript.join("\n"));

  // Confirm that the search finds existing data.
  expect(markersIn({ roomTag: roomTag.toString("base64url") }, memory)).toEqual(["roomTag"]);
  expect(markersIn({ roomTag: roomTag.toString("base64url") }, frames)).toEqual(["roomTag"]);
  expect(watched.logs()).toMatch(/"level":\d+/);
  expect(Object.keys(markers)).toHaveLength(12);
  for (const place of [memory, frames, Buffer.from(watched.logs())]) {
    expect(markersIn(markers, place)).toEqual([]);
  }
  const ids = [...relay.transcript.join("\n").matchAll(/"clientId":"([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(2);
  for (const trace of [...ids, roomTag.toString("base64url"), "127.0.0.1"]) {
    expect(watched.logs()).not.toContain(trace);
  }
});
