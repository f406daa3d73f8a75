import { describe, expect, it } from "vitest";
import { lockedRoom, newIdentities, newIdentity } from "../testing/locked-room.ts";
import type { SealedSignalLinks } from "./sealed-signal-links.ts";

/** Makes the invited side accept every run, as a session does. */
function answer(links: SealedSignalLinks): void {
  links.on("invite", () => void links.accept());
}

describe("a member of a room with a password", () => {
  it("exposes data to test a password on to ten of forty simultaneous fake members", async () => {
    const { clock, meet } = await lockedRoom();
    let shown = 0;
    const started = (await newIdentities(40)).map((stranger) => {
      const { ours, others } = meet(stranger, null, ({ type }) => {
        if (type === "hs3") shown++;
        return true;
      });
      answer(others);
      return ours.start().opened;
    });
    const ends = Promise.allSettled(started);
    await clock.advance(30_000);
    await ends;
    expect(shown).toBe(10);
  });

  it("answers ten guesses of forty fake members that start at once", async () => {
    const { clock, meet } = await lockedRoom();
    const answered = (await newIdentities(40)).map(
      (stranger) =>
        new Promise<string>((resolve) => {
          const { ours, others } = meet(stranger, null);
          ours.on(
            "invite",
            () =>
              void ours.accept().opened.then(
                () => resolve("in"),
                ({ code }: { code: string }) => resolve(code),
              ),
          );
          void others.start().opened;
        }),
    );
    await clock.advance(30_000);
    const codes = await Promise.all(answered);
    expect(codes.filter((code) => code === "incorrect-password")).toHaveLength(10);
    expect(codes.filter((code) => code === "approval-needed")).toHaveLength(30);
  });

  it("connects to an approved client after an earlier run exposed nothing: closed, or started by both at once", async () => {
    const { clock, meet, guessTenTimes, letIn } = await lockedRoom();
    await guessTenTimes();
    const jun = await newIdentity();
    letIn(jun.clientId);
    let isSilent = true;
    const { ours, others } = meet(jun, "tidal", ({ type }) => type !== "hs2" || !isSilent);
    others.on("invite", () => {
      if (isSilent) others.accept();
      else others.decline();
    });
    const timedOut = expect(ours.start().opened).rejects.toMatchObject({ code: "connection-closed" });
    await clock.advance(10_000);
    isSilent = false;
    // Glare: we have started a run, and accept theirs instead.
    const given = expect(ours.start().opened).rejects.toMatchObject({ code: "connection-closed" });
    const met = new Promise((resolve, reject) => {
      ours.on("invite", () => void ours.accept().opened.then(resolve, reject));
    });
    await others.start().opened;
    await timedOut;
    await given;
    await met;
  });

  it("connects to an approved client after a run was closed just before it would have exposed anything", async () => {
    const { clock, asked, meet, guessTenTimes, letIn } = await lockedRoom();
    await guessTenTimes();
    const jun = await newIdentity();
    letIn(jun.clientId);
    let second: Promise<unknown> | null = null;
    const { ours, others } = meet(jun, "tidal", ({ type }) => {
      // It reached us a moment later, and is answered a moment after that.
      if (type === "hs2" && second === null)
        second = Promise.resolve()
          .then(() => Promise.resolve())
          .then(() => ours.start().opened);
      return true;
    });
    answer(others);
    await expect(ours.start().opened).rejects.toMatchObject({ code: "connection-closed" });
    await clock.advance(1_000);
    await second;
    expect(asked).toEqual([]);
  });

  it("accepts the answer of a replaced run: it was no guess", async () => {
    const { clock, meet, guessTenTimes, letIn } = await lockedRoom();
    await guessTenTimes();
    const jun = await newIdentity();
    letIn(jun.clientId);
    const keptBack: (() => void)[] = [];
    let isSlow = true;
    const { ours, others } = meet(jun, "tidal", ({ type }, deliver) => {
      if (type !== "hs4" || !isSlow) return true;
      keptBack.push(deliver);
      return false;
    });
    answer(others);
    await ours.start().opened;
    await clock.advance(1_000);
    expect(keptBack).toHaveLength(1);
    isSlow = false;
    const second = ours.start().opened;
    await clock.advance(1_000);
    for (const deliver of keptBack) deliver();
    await second;
  });

  it("asks a person again about an approved client that never answered a run", async () => {
    const { clock, asked, meet, guessTenTimes, letIn } = await lockedRoom();
    await guessTenTimes();
    const eve = await newIdentity();
    letIn(eve.clientId);
    let shown = 0;
    const { ours, others } = meet(eve, null, ({ type }) => {
      if (type === "hs3") shown++;
      return true;
    });
    answer(others);
    await ours.start().opened;
    const again = expect(ours.start().opened).rejects.toMatchObject({ code: "approval-needed" });
    await clock.advance(5_000);
    await again;
    expect(asked).toEqual([eve.clientId]);
    expect(shown).toBe(1);
  });
});
