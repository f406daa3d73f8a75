import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Program, Stage, sha256Of } from "./testing/program.ts";

const isLong = process.env.WARREN_LONG === "1";
const sizeBytes = 24 * 1024 * 1024;
const momentMs = 20_000;

type Side = "sender" | "receiver";
/** When a side is killed: so long after it was last started, or once something is so. */
interface Killing {
  readonly side: Side;
  readonly at: number | ((story: Story) => boolean);
}

const stage = new Stage();
let url: string;
let stories = 0;
beforeAll(async () => {
  ({ url } = await stage.server());
});
afterAll(() => stage.close());

/** Before it has joined, meanwhile, or in the transfer. */
const killing: fc.Arbitrary<Killing> = fc.record({
  side: fc.constantFrom("sender" as const, "receiver" as const),
  at: fc.integer({ min: 0, max: 2_500 }),
});

it(
  "goes on by the same commands, however often and whenever either side is killed",
  async () => {
    const story = fc.asyncProperty(fc.array(killing, { minLength: 3, maxLength: 5 }), survives);
    await fc.assert(story, { numRuns: isLong ? 20 : 2, endOnFailure: true });
  },
  isLong ? 1_500_000 : 120_000,
);

const said = (side: Side, event: string): Killing => ({
  side,
  at: (story) => story[side].lines.some((line) => line.event === event),
});

it.each<{ readonly when: string; readonly killings: readonly Killing[] }>([
  {
    when: "in the handshake, as soon as they had met, and when it was offered",
    killings: [
      said("receiver", "joined"),
      said("sender", "link"),
      said("receiver", "met"),
      said("sender", "offered"),
      said("receiver", "offer"),
    ],
  },
  {
    when: "at the last chunk, and before the file had its name",
    killings: [
      { side: "sender", at: (story) => story.sizeOf("bytes") === sizeBytes },
      { side: "receiver", at: (story) => story.sizeOf("bytes") === sizeBytes },
      { side: "receiver", at: (story) => story.sizeOf("whole") !== null },
    ],
  },
])("goes on where either side was killed $when", async ({ killings }) => survives(killings), 120_000);

it("puts the file in its place where the receiver was killed as soon as the sender knew that it has everything", async () => {
  const story = new Story();
  await story.begin();
  await story.killAnswering();
  await story.finish();
}, 120_000);

async function survives(killings: readonly Killing[]): Promise<void> {
  const story = new Story();
  await story.begin();
  for (const { side, at } of killings) if (!(await story.kill(side, at))) break;
  await story.finish();
}

/** A file, and the two who pass it on. */
class Story {
  readonly #out: string;
  readonly #path: string;
  readonly #people = { sender: stage.person(), receiver: stage.person() };
  #link = "";
  sender: Program;
  receiver: Program;

  constructor() {
    const folder = join(stage.folder, `story-${stories++}`);
    this.#out = join(folder, "out");
    this.#path = join(folder, "noise.bin");
    mkdirSync(this.#out, { recursive: true });
    writeFileSync(this.#path, randomBytes(sizeBytes));
    this.sender = this.#start("sender");
    this.receiver = this.sender;
  }

  async begin(): Promise<void> {
    this.#link = await this.sender.link();
    this.receiver = this.#start("receiver");
  }

  /** The size of one of the files that the receiver has of it, null if it is not there. */
  sizeOf(name: "bytes" | "whole"): number | null {
    for (const parts of readdirSync(this.#out))
      for (const fid of parts.startsWith(".warren-parts-") ? readdirSync(join(this.#out, parts)) : []) {
        const stats = statSync(join(this.#out, parts, fid, name), { throwIfNoEntry: false });
        if (stats) return stats.size;
      }
    return null;
  }

  /** Kills a side and starts it again. @returns false once there is nothing left to do */
  async kill(side: Side, at: Killing["at"]): Promise<boolean> {
    const startedAt = performance.now();
    const isTime = (): boolean => {
      const ms = performance.now() - startedAt;
      return typeof at === "number" ? ms >= at : at(this) || ms > momentMs;
    };
    while (!isTime() && this.receiver.child.exitCode === null) await sleep(1);
    await this[side].kill();
    const isSent = () => this.sender.lines.some(({ event }) => event === "sent");
    // The same command would send it, or wait for it, once more.
    if (this[side].child.exitCode === 0 || (side === "sender" && isSent())) return false;
    this[side] = this.#start(side);
    if (side === "receiver") return true;
    // It may have known that it is done, and not have said so.
    const link = await this.sender.link().catch((error: unknown) => (isSent() ? this.#link : String(error)));
    expect(link).toBe(this.#link);
    return true;
  }

  /** Lets the receiver run by small steps from its last chunk until the sender has its answer, kills it and starts it again. */
  async killAnswering(): Promise<void> {
    const { receiver, sender } = this;
    const isAnswered = () => sender.lines.some(({ event }) => event === "sent");
    const isRunning = () => receiver.child.exitCode === null;
    while (this.sizeOf("whole") === null && !isAnswered() && isRunning()) await sleep(1);
    // Each step is a little longer: on a loaded machine a short one may be no step at all.
    for (let stepMs = 0; !isAnswered() && isRunning(); stepMs += 0.1) {
      receiver.child.kill("SIGSTOP");
      await sleep(10);
      if (!isAnswered()) receiver.child.kill("SIGCONT");
      await sleep(stepMs);
    }
    await receiver.kill();
    expect(await sender.exit()).toBe(0);
    // The same command would wait for another file.
    if (receiver.child.exitCode !== 0) this.receiver = this.#start("receiver");
  }

  async finish(): Promise<void> {
    expect(await this.receiver.exit()).toBe(0);
    const { path } = await this.receiver.event("received");
    expect(path).toBe(join(this.#out, "noise.bin"));
    expect(await sha256Of(String(path))).toBe(await sha256Of(this.#path));
    await this.sender.kill();
    expect(readdirSync(this.#out)).toEqual(["noise.bin"]);
  }

  #start(side: Side): Program {
    const args =
      side === "sender"
        ? ["send", this.#path, "--server", url]
        : ["receive", this.#link, "--yes", "--dir", this.#out];
    return stage.run([...args, "--stun", "none", "--json"], { data: this.#people[side] });
  }
}
