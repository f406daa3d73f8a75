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

it("goes on where the sender was killed as soon as it had offered", async () => {
  const folder = join(stage.folder, "offered");
  const out = join(folder, "out");
  mkdirSync(out, { recursive: true });
  const path = join(folder, "noise.bin");
  writeFileSync(path, randomBytes(sizeBytes));
  const people = { sender: stage.person(), receiver: stage.person() };
  const run = (data: string, ...args: string[]) => stage.run([...args, "--stun", "none", "--json"], { data });
  const send = () => run(people.sender, "send", path, "--server", url);
  const first = send();
  const receiver = run(people.receiver, "receive", await first.link(), "--yes", "--dir", out);
  while (!first.lines.some(({ event }) => event === "offered")) await sleep(1);
  await first.kill();
  const second = send();
  const said = () => [second.stdout, second.stderr, receiver.stdout, receiver.stderr].join("\n");
  expect(await receiver.exit().catch(said), said()).toBe(0);
  expect(await sha256Of(join(out, "noise.bin"))).toBe(await sha256Of(path));
  await second.kill();
  expect(readdirSync(out).filter((name) => !name.startsWith(".warren-parts-"))).toEqual(["noise.bin"]);
}, 60_000);

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
  const isDone = () =>
    sender.lines.some(({ event }) => event === "sent") ||
    receiver.lines.some(({ event }) => event === "received");
  let isLate = false;
  for (const { side, afterMs } of killings) {
    await Promise.race([sleep(afterMs), whenEnded(receiver)]);
    if (isDone()) break;
    await (side === "sender" ? sender : receiver).kill();
    // The same commands would send it once more.
    isLate = isDone();
    if (isLate) break;
    if (side === "receiver") receiver = receive();
    else {
      sender = send();
      expect(await sender.link()).toBe(link);
    }
  }
  const said = () => [sender.stdout, sender.stderr, receiver.stdout, receiver.stderr].join("\n");
  // Where one was killed that had just got or sent everything, the other may wait for it.
  if (!isLate) expect(await receiver.exit().catch(said), said()).toBe(0);
  expect(await sha256Of(join(out, "noise.bin"))).toBe(await sha256Of(path));
  await Promise.all([sender.kill(), receiver.kill()]);
  expect(readdirSync(out).filter((name) => !name.startsWith(".warren-parts-"))).toEqual(["noise.bin"]);
}

async function whenEnded({ child }: Program): Promise<void> {
  while (child.exitCode === null) await sleep(20);
}
