import fc from "fast-check";
import { expect, it } from "vitest";
import { digestOfBlob } from "../testing/file-story.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const isLong = process.env.WARREN_LONG === "1";

/** One of two people who send to each other. */
class Side {
  readonly person: TestPerson;
  readonly otherId: string;
  /** The SHA-256 of each file sent. */
  readonly sent: string[] = [];

  constructor(person: TestPerson, otherId: string) {
    this.person = person;
    this.otherId = otherId;
    person.warren.settings.set("automaticDownload", true);
  }

  async send(size: number): Promise<void> {
    const n = this.sent.length;
    const file = new File([new Uint8Array(size).map((_, at) => (at + n) % 251)], `${n}.txt`, {
      lastModified: n,
    });
    this.sent.push(await digestOfBlob(file));
    await this.person.warren.chat.sendFile(this.otherId, file);
  }

  files() {
    return this.person
      .messages(this.otherId)
      .flatMap((message) => (message.type === "file" ? [message] : []));
  }

  /** Whether what was sent is in storage, from which it goes on after a reload. */
  isKept(): boolean {
    const stored = this.person.warren.files.store.getState();
    return this.files().every(
      ({ client, file }) => client === this.otherId || stored.get(file.fid)?.location === "storage",
    );
  }

  isComplete(count: number): boolean {
    const files = this.files();
    return (
      files.length === count &&
      files.every((file) => this.person.offerOf(file, this.otherId)?.state === "complete")
    );
  }

  /** The SHA-256 of each file received. */
  async received(): Promise<string[]> {
    const theirs = this.files().filter(({ client }) => client === this.otherId);
    const files = await Promise.all(theirs.map(({ file }) => this.person.warren.files.open(file.fid)));
    return Promise.all(
      files.map((file) => digestOfBlob(file ?? expect.fail("a file that cannot be opened"))),
    );
  }
}

const side = fc.nat(1);
/** What may happen: one more file is sent, time passes, or a page ends, with or without a word to the other. */
const plans = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant("send" as const), side, size: fc.nat(3_000) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(2_000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("close" as const, "vanish" as const), side }) },
  ),
  { minLength: 20, maxLength: isLong ? 400 : 60 },
);

async function run(plan: typeof plans extends fc.Arbitrary<infer Plan> ? Plan : never): Promise<void> {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  const sides = [new Side(mara, jun.id), new Side(jun, mara.id)] as const;
  for (const step of plan) {
    if (step.kind === "wait") {
      await world.clock.advance(step.ms);
      continue;
    }
    const { [step.side]: acting = sides[0] } = sides;
    if (step.kind === "send") {
      await acting.send(step.size);
      continue;
    }
    await world.until(() => acting.isKept());
    if (step.kind === "vanish") acting.person.vanish();
    else await acting.person.close();
    await acting.person.reopen();
  }
  const [maras, juns] = sides;
  const count = maras.sent.length + juns.sent.length;
  await world.until(() => sides.every((one) => one.isComplete(count)));
  expect((await juns.received()).sort()).toEqual(maras.sent.sort());
  expect((await maras.received()).sort()).toEqual(juns.sent.sort());
}

it(
  "small files all arrive, both ways, wherever pages end between them",
  async () => {
    await fc.assert(fc.asyncProperty(plans, run), { numRuns: isLong ? 40 : 5 });
  },
  isLong ? 1_800_000 : 60_000,
);
