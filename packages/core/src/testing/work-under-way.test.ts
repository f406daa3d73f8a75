import { expect, it } from "vitest";
import { deflate, inflate } from "../transfer/compression/deflate.ts";
import { FakeClock } from "./fake-clock.ts";

const bytes = new Uint8Array(8 * 1024 * 1024).map((_, at) => at % 251);
const blob = new Blob([bytes]);

async function readWhole(): Promise<void> {
  const reader = blob.stream().getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(64 * 1024);
  for (;;) {
    const { value, done } = await reader.read(new Uint8Array(buffer));
    if (done) return;
    ({ buffer } = value);
  }
}

it.each([
  ["a digest", () => crypto.subtle.digest("SHA-256", bytes)],
  ["the bytes of a file", () => blob.arrayBuffer()],
  ["the text of a file", () => blob.text()],
  ["a stream of a file", readWhole],
  ["compression", async () => inflate(await deflate(bytes), bytes.length)],
])("no time passes while %s is under way", async (_what, work) => {
  const clock = new FakeClock();
  let timedOut = false;
  clock.after(1, () => {
    timedOut = true;
  });
  const working = work().then(() => timedOut);
  await clock.advance(10);
  expect([await working, timedOut]).toEqual([false, true]);
});
