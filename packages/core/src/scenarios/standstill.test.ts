import { beforeEach, describe, expect, it, vi } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { chunk, chunkCount, digestOfBlob, FileStory, fileOf, randomBytes } from "../testing/file-story.ts";

let story: FileStory;

beforeEach(async () => {
  story = await FileStory.begin();
});

describe("a pause during the search for the file", () => {
  it("holds, and resuming sends the file", async () => {
    const bytes = randomBytes();
    await story.offer(fileOf(bytes));
    const { files, chat } = story.mara.warren;
    let found = (_isAtHand: boolean): void => {};
    vi.spyOn(files, "openSource").mockReturnValueOnce(new Promise((resolve) => (found = resolve)));
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.until(() => vi.mocked(files.openSource).mock.calls.length > 0, 100);
    await chat.pauseFile(story.message(story.mara).key);
    found(true);
    await story.world.clock.advance(5_000);
    expect(story.offerOf(story.mara)).toEqual({ state: "pausedHere" });
    expect(story.offerOf(story.jun)?.state).toBe("pausedThere");
    await chat.resumeFile(story.message(story.mara).key);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });
});

describe("a file on a full disk", () => {
  it("is not started if the browser knows that it does not fit", async () => {
    story.jun.files.limitBytes = chunk;
    await story.offer(fileOf(randomBytes()));
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    expect(story.offerOf(story.jun)).toMatchObject({ state: "failed", error: { code: "not-enough-space" } });
    expect(story.jun.files.writeCount).toBe(0);
  });

  it("waits on both sides, keeps its progress, and resumes automatically once there is space", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    story.fillDisk();
    await story.bothWait("needsSpace");
    expect(story.jun.files.writeCount).toBe(4);
    await story.world.clock.advance(40_000);
    expect(story.offerOf(story.jun)).toEqual({ state: "needsSpace" });
    story.jun.files.limitBytes = 100 * chunk;
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    expect(story.jun.files.writeCount).toBe(chunkCount);
  });

  it("resumes at once when the person removes a file", async () => {
    const bytes = randomBytes();
    const other = story.jun.warren.files.addSource(fileOf(bytes), chunk).fid;
    await story.sendSome(fileOf(bytes));
    story.fillDisk();
    await story.bothWait("needsSpace");
    story.jun.files.limitBytes = 100 * chunk;
    await story.jun.warren.files.remove(other);
    await settle();
    await story.until(() => story.offerOf(story.jun)?.state === "complete", 0);
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("still waits for space if its sender was away meanwhile", async () => {
    const bytes = randomBytes();
    await story.offer(fileOf(bytes));
    // The browser overestimates the free space.
    const freeBytes = vi.spyOn(story.jun.files, "freeBytes").mockResolvedValue(100 * chunk);
    story.jun.files.limitBytes = 0;
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.bothWait("needsSpace");
    freeBytes.mockRestore();
    await story.mara.close();
    await story.world.clock.advance(60_000);
    await story.mara.open();
    await story.mara.warren.room.join();
    await story.world.untilMet(story.mara, story.jun);
    await story.bothWait("needsSpace");
    story.jun.files.limitBytes = 100 * chunk;
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("still waits, and resumes, after a reload", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    story.fillDisk();
    await story.bothWait("needsSpace");
    await story.jun.reload();
    await story.world.untilMet(story.mara, story.jun);
    story.jun.files.limitBytes = 100 * chunk;
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });
});

describe("a browser that stops answering", () => {
  it.each(["readDigests", "openSink", "write", "finish", "close"] as const)(
    "once, at the receiver (%s), breaks a transfer off, which goes on by itself",
    async (hanging) => {
      const bytes = randomBytes();
      let hangs = 1;
      story.jun.files.before = async (operation) => {
        if (operation === hanging && hangs-- > 0) await new Promise(() => {});
      };
      await story.offer(fileOf(bytes));
      void story.jun.warren.chat.acceptFile(story.message(story.jun).key);
      await story.complete();
      expect(hangs).toBeLessThan(1);
      expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    },
  );

  it("once, at the sender, breaks a transfer off, which goes on by itself", async () => {
    const bytes = randomBytes();
    await story.offer(fileOf(bytes));
    const source = story.mara.warren.files.sourceOf(story.message(story.mara).file.fid);
    if (!source) throw new Error("no source");
    vi.spyOn(source, "read").mockReturnValueOnce(new Promise(() => {}));
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("for good, is named on both sides, and Resume works once it answers again", async () => {
    const bytes = randomBytes();
    let hangs = true;
    story.jun.files.before = async (operation) => {
      if (hangs && operation === "write") await new Promise(() => {});
    };
    await story.offer(fileOf(bytes));
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    const stalled = { state: "failed", error: { code: "transfer-stalled", values: { step: "store" } } };
    await story.until(() => story.offerOf(story.jun)?.state === "failed");
    await settle();
    expect([story.offerOf(story.jun), story.offerOf(story.mara)]).toMatchObject([stalled, stalled]);
    hangs = false;
    // It waits a moment for the writes that hang.
    void story.jun.warren.chat.resumeFile(story.message(story.jun).key);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });
});

describe("a confirmation that is lost", () => {
  it("is given again, although the receiver has closed its channels", async () => {
    const { path } = story.world.network;
    let lost = 0;
    path.channelOptions = {
      tamper: (message) => {
        // The first is the sender's, which the receiver repeats.
        const isConfirmation = typeof message === "string" && message.includes('"complete"');
        return isConfirmation && ++lost === 2 ? null : message;
      },
    };
    await story.offer(fileOf(randomBytes()));
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.until(() => story.offerOf(story.jun)?.state === "complete");
    expect(lost).toBe(2);
    await story.complete();
  });
});

describe("a pause", () => {
  it("of the sender ends when the sender resumes", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    await story.mara.warren.chat.pauseFile(story.message(story.mara).key);
    await story.until(() => story.offerOf(story.jun)?.state === "pausedThere");
    story.jun.files.lose();
    expect(await story.mara.warren.chat.resumeFile(story.message(story.mara).key)).toBe(true);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("of the receiver is not ended by the sender", async () => {
    await story.sendSome(fileOf(randomBytes()));
    await story.jun.warren.chat.pauseFile(story.message(story.jun).key);
    story.jun.files.release();
    await story.until(() => story.offerOf(story.mara)?.state === "pausedThere");
    await story.mara.warren.chat.resumeFile(story.message(story.mara).key);
    await story.world.clock.advance(30_000);
    expect(story.offerOf(story.jun)).toEqual({ state: "pausedHere" });
  });

  it.each(["mara", "jun"] as const)(
    "of both ends when both resume, also after a reload, whoever is first: %s",
    async (first) => {
      const bytes = randomBytes();
      await story.sendSome(fileOf(bytes));
      const { mara, jun } = story;
      for (const { warren } of [mara, jun]) warren.chat.pauseFile(story.message(jun).key);
      jun.files.lose();
      await settle();
      for (const person of [mara, jun]) {
        await person.reload();
        await story.world.untilMet(mara, jun);
        expect([story.offerOf(mara), story.offerOf(jun)]).toEqual(Array(2).fill({ state: "pausedHere" }));
      }
      const [one, other] = first === "mara" ? [mara, jun] : [jun, mara];
      await one.warren.chat.resumeFile(story.message(one).key);
      await story.until(() => story.offerOf(one)?.state === "pausedThere");
      expect(story.offerOf(other)).toEqual({ state: "pausedHere" });
      await other.warren.chat.resumeFile(story.message(other).key);
      await story.complete();
      expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    },
  );

  it("of the sender is not ended by a reload of the receiver", async () => {
    await story.sendSome(fileOf(randomBytes()));
    await story.mara.warren.chat.pauseFile(story.message(story.mara).key);
    await story.until(() => story.offerOf(story.jun)?.state === "pausedThere");
    story.jun.files.lose();
    await story.jun.reload();
    await story.world.untilMet(story.mara, story.jun);
    await story.until(() => story.offerOf(story.jun)?.state === "pausedThere");
    await story.world.clock.advance(30_000);
    expect(story.offerOf(story.mara)).toEqual({ state: "pausedHere" });
    expect(story.offerOf(story.jun)).toEqual({ state: "pausedThere" });
  });

  it.each(["source", "storage"] as const)(
    "that a sender claims (%s) does not resume an offer that nobody accepted",
    async (reason) => {
      await story.offer(fileOf(randomBytes()));
      const { file, id } = story.message(story.jun);
      const failed = { type: "error", id, error: "changed", code: "source-changed" } as const;
      for (const message of [{ type: "pause-file", fid: file.fid, reason } as const, failed]) {
        story.mara.warren.room.send(story.jun.id, message);
        story.mara.warren.room.send(story.jun.id, { type: "resume-file", fid: file.fid });
      }
      await story.world.clock.advance(30_000);
      expect(story.offerOf(story.jun)).toEqual({ state: "offered" });
      expect(story.jun.files.writeCount).toBe(0);
    },
  );
});
