/**
 * Measures the files page in a real browser with many pictures: how fast it opens, how much of it is
 * rendered, how smoothly it scrolls while thumbnails are created, and how fast the visible ones appear. `tsx
 * bench/files-page.ts [files]`; the files are written into the browser's database beforehand.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { openBrowser } from "./transfer/person.ts";
import { startApp } from "./transfer/start-app.ts";

const fileCount = Math.min(Number(process.argv[2] ?? 10_000), 50_000);
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

const [app, person] = await Promise.all([startApp(), openBrowser()]);
try {
  const { page } = person;
  await page.goto(app.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(writePictures, fileCount);
  const views: Record<string, unknown> = {};
  for (const [name, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    await page.goto(`${app.url}file`);
    const openedMs = Math.round(await whenShown(page));
    const firstThumbnailsMs = Math.round(await whenThumbnails(page));
    const scroll = await page.evaluate(scrollDown);
    const restedAt = await page.evaluate(() => performance.now());
    views[name] = {
      /** From the navigation to the first visible row; reads every record from the database. */
      openedMs,
      /** From the navigation to a thumbnail in every visible row. */
      firstThumbnailsMs,
      ...scroll,
      /** From the end of scrolling to a thumbnail in every visible row. */
      thumbnailsAfterScrollMs: Math.round((await whenThumbnails(page)) - restedAt),
    };
  }
  const results = {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      measuredAt: new Date().toISOString(),
    },
    files: fileCount,
    ...views,
  };
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}files-page.json`, `${JSON.stringify(results, null, 2)}\n`);
  console.log(JSON.stringify(results, null, 2));
} finally {
  await Promise.allSettled([person.close(), app.stop()]);
}

/** Resolves with the time, by the page's clock, at which the list has rows. */
async function whenShown(page: Page): Promise<number> {
  const shown = await page.waitForFunction(
    () => document.querySelector("main [data-row]") !== null && performance.now(),
    undefined,
    { polling: "raf", timeout: 120_000 },
  );
  return Number(await shown.jsonValue());
}

/** Resolves with the time at which every visible row has its thumbnail. */
async function whenThumbnails(page: Page): Promise<number> {
  const shown = await page.waitForFunction(
    () => {
      const inSight = [...document.querySelectorAll("main [data-row]")].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      });
      return inSight.length > 0 && inSight.every((row) => row.querySelector("img")) && performance.now();
    },
    undefined,
    { polling: "raf", timeout: 120_000 },
  );
  return Number(await shown.jsonValue());
}

/**
 * In the page: scrolls like a user, in ten flicks of thirty frames with pauses, during which thumbnails are
 * created, and records the duration of each frame.
 */
async function scrollDown(): Promise<{
  frames: number;
  medianFrameMs: number;
  longestFrameMs: number;
  framesOver50ms: number;
  longTasks: number;
  mostRowsDrawn: number;
}> {
  const box = document.querySelector("main [data-row]")?.closest(".overflow-auto, .overflow-y-auto");
  if (!box) throw new Error("no list");
  let longTasks = 0;
  const observer = new PerformanceObserver((list) => {
    longTasks += list.getEntries().length;
  });
  observer.observe({ type: "longtask" });
  const frames: number[] = [];
  let mostRowsDrawn = 0;
  let last = performance.now();
  for (let flick = 0; flick < 10; flick++) {
    let step = 0;
    let restsUntil = Number.POSITIVE_INFINITY;
    while (last < restsUntil) {
      if (step++ < 30) box.scrollTop += box.clientHeight / 3;
      else restsUntil = Math.min(restsUntil, last + 400);
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      frames.push(now - last);
      last = now;
      mostRowsDrawn = Math.max(mostRowsDrawn, document.querySelectorAll("main [data-row]").length);
    }
  }
  observer.disconnect();
  const sorted = [...frames].sort((a, b) => a - b);
  return {
    frames: frames.length,
    medianFrameMs: Math.round(sorted[sorted.length >> 1] ?? 0),
    longestFrameMs: Math.round(sorted.at(-1) ?? 0),
    framesOver50ms: frames.filter((ms) => ms > 50).length,
    longTasks,
    mostRowsDrawn,
  };
}

/** In the page: stores pictures as the app does, repeating a few generated ones. */
async function writePictures(fileCount: number): Promise<void> {
  const pictures = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const canvas = new OffscreenCanvas(1_600, 1_000);
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      const sky = context.createLinearGradient(0, 0, 1_600, 1_000);
      sky.addColorStop(0, `hsl(${index * 22} 60% 40%)`);
      sky.addColorStop(1, `hsl(${index * 22 + 90} 70% 70%)`);
      context.fillStyle = sky;
      context.fillRect(0, 0, 1_600, 1_000);
      return canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 });
    }),
  );
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open("warren-files");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const startedAt = Date.now() - fileCount * 60_000;
  for (let from = 0; from < fileCount; from += 500) {
    const transaction = database.transaction(["records", "files", "digests"], "readwrite");
    for (let index = from; index < Math.min(from + 500, fileCount); index++) {
      const picture = pictures[index % pictures.length];
      if (!picture) continue;
      const fid = `picture-${String(index).padStart(6, "0")}`;
      const at = startedAt + index * 60_000;
      const description = {
        fid,
        fileName: `quay_still_${index}.jpg`,
        fileSize: picture.size,
        mimeType: "image/jpeg",
        lastModified: at,
        chunkSize: 524_288,
      };
      const record = {
        description,
        createdAt: at,
        direction: "received",
        peers: [],
        shared: false,
        state: "complete",
        root: "0".repeat(64),
      };
      transaction.objectStore("records").put(record, fid);
      transaction.objectStore("files").put(picture, fid);
      transaction.objectStore("digests").put(new Uint8Array(32), [fid, 0]);
    }
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error);
    });
  }
  database.close();
}
