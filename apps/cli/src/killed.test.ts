import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Program, Stage, sha256Of } from "./testing/program.ts";

const isLong = process.env.WARREN_LONG === "1";
const sizeBytes = 24 * 1024 * 1024;

const stage = new Stage();
let url: string;
let stories = 0;
beforeAll(async () => {
  ({ url } = await stage.server());
});
afterAll(() => stage.close());

/** Which side is killed, and how long after it was last started: before it has joined, meanwhile, or in the transfer. */
const killing = fc.record({
  side: fc.constantFrom("sender" as const, "receiver" as const),
  afterMs: fc.integer({ min: 0, max: 2_500 }),
});

it(
  "goes on by the same commands, however often and whenever either side is killed",
  async () => {
    const story = fc.asyncProperty(fc.array(killing, { minLength: 3, maxLength: 5 }), survives);
    const seed = Number(process.env.WARREN_SEED ?? 1);
    await fc.assert(story, { seed, numRuns: isLong ? 20 : 2, endOnFailure: true });
  },
  isLong ? 1_500_000 : 120_000,
);

async function survives(killings: readonly { side: "sender" | "receiver"; afterMs: number }[]) {
  const folder = join(stage.folder, `story-${stories++}`);
  const out = join(folder, "out");
  mkdirSync(out, { recursive: true });
  const path = join(folder, "noise.bin");
  writeFileSync(path, randomBytes(sizeBytes));
  const people = { sender: stage.person(), receiver: stage.person() };
  const run = (data: string, ...args: string[]) => stage.run([...args, "--stun", "none", "--json"], { data });
  const send = () => run(people.sender, "send", path, "--server", url);
  let sender = send();
  const link = await sender.link();
  const receive = () => run(people.receiver, "receive", link, "--yes", "--dir", out);
  let receiver = receive();
  for (const { side, afterMs } of killings) {
    await Promise.race([sleep(afterMs), whenEnded(receiver)]);
    if (receiver.child.exitCode !== null) break;
    if (side === "receiver") {
      await receiver.kill();
      receiver = receive();
    } else {
      await sender.kill();
      sender = send();
      expect(await sender.link()).toBe(link);
    }
  }
  expect(await receiver.exit(), receiver.stderr).toBe(0);
  expect(await sha256Of(join(out, "noise.bin"))).toBe(await sha256Of(path));
  expect(readdirSync(out)).toEqual(["noise.bin"]);
  // A sender that was killed before it learned that everything is there waits for somebody to tell it.
  if (sender.lines.some(({ event }) => event === "progress" || event === "sent"))
    expect(await sender.exit(), sender.stderr).toBe(0);
  else await sender.kill();
}

async function whenEnded({ child }: Program): Promise<void> {
  while (child.exitCode === null) await sleep(20);
}
