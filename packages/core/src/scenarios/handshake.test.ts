import type { SealedSignal } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { peersOf } from "../room/room-state.ts";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";
import { until } from "../testing/until.ts";

async function join(...people: TestPerson[]): Promise<void> {
  for (const person of people) await person.warren.room.join();
}

function peerAt(person: TestPerson, other: TestPerson) {
  return peersOf(person.warren.room.store.getState())[other.id];
}

/** Lets a minute pass. */
async function pass(world: TestWorld): Promise<void> {
  for (let second = 0; second < 60; second++) await world.clock.advance(1_000);
}

describe("a room with a password", () => {
  it("connects clients that know it, and both see the same safety code of a verified peer", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara", "tidal");
    const jun = await world.person("Jun", "tidal");
    await join(mara, jun);
    await until(jun.warren.room.store, (state) => peersOf(state)[mara.id]?.ready === true);
    await until(mara.warren.room.store, (state) => peersOf(state)[jun.id]?.ready === true);
    const safetyCode = peerAt(jun, mara)?.proof?.safetyCode ?? expect.fail();
    expect(peerAt(jun, mara)?.proof).toMatchObject({ verifiable: true });
    expect(peerAt(mara, jun)?.proof).toMatchObject({ verifiable: true, safetyCode });
  });

  it.each([
    ["another password", "tidal", "tidal2"],
    ["a password only the later one has", null, "tidal"],
  ])("rejects a client with %s, and reports why", async (_case, first, second) => {
    const world = new TestWorld();
    const mara = await world.person("Mara", first);
    const jun = await world.person("Jun", second);
    await join(mara, jun);
    const state = await until(jun.warren.room.store, ({ status }) => status === "disconnected");
    expect(state).toMatchObject({ error: { code: "incorrect-password" } });
    await pass(world);
    expect(mara.warren.room.store.getState().status).toBe("connected");
    expect(mara.warren.chat.store.getState().contacts).toEqual({});
    expect(world.network.made.every(({ connectionState }) => connectionState !== "connected")).toBe(true);
  });

  it("does not make members of an open room leave: without a password it cannot be wrong", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara", "tidal");
    const ines = await world.person("Ines");
    const jun = await world.person("Jun");
    await join(mara, jun);
    await until(jun.warren.room.store, () => peerAt(jun, mara)?.error?.code === "incorrect-password");
    await join(ines);
    await until(jun.warren.room.store, () => peerAt(jun, ines)?.ready === true);
    expect(jun.warren.room.store.getState().status).toBe("connected");
  });

  it("allows at most ten guesses in ten minutes, and then only clients that a person lets in", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara", "tidal");
    await join(mara);
    let answered = 0;
    world.signalling.filter = (signal, from) => {
      if (signal.type === "hs3" && from === mara.id) answered++;
      return true;
    };
    const asked: string[] = [];
    mara.warren.room.on("approval-needed", (clientId) => asked.push(clientId));
    /** A newcomer's error, as Mara sees it. */
    const errorOf = (person: TestPerson) => peerAt(mara, person)?.error?.code;
    for (let guess = 1; guess <= 10; guess++) {
      // No password is a wrong one too, and is not hashed, which is slow.
      const guesser = await world.person("Guesser");
      await join(guesser);
      await until(
        guesser.warren.room.store,
        () => peerAt(guesser, mara)?.error?.code === "incorrect-password",
      );
      expect(answered).toBe(guess);
      await guesser.close();
      await world.clock.advance(1_000);
    }
    const eleventh = await world.person("Guesser");
    await join(eleventh);
    await until(mara.warren.room.store, () => errorOf(eleventh) === "approval-needed");
    const eleventhId = eleventh.id;
    await eleventh.close();

    const jun = await world.person("Jun", "tidal");
    await join(jun);
    await until(mara.warren.room.store, () => errorOf(jun) === "approval-needed");
    expect(answered).toBe(10);
    expect(asked).toEqual([eleventhId, jun.id]);
    await mara.warren.room.letIn(jun.id);
    await until(mara.warren.room.store, () => peerAt(mara, jun)?.ready === true);
  });
});

describe("a hostile signalling service", () => {
  it("sees no description, candidate, name or password", async () => {
    const world = new TestWorld();
    const seen: SealedSignal[] = [];
    world.signalling.filter = (signal) => seen.push(signal) > 0;
    const marigold = await world.person("Marigold");
    const juniper = await world.person("Juniper");
    await marigold.warren.room.join();
    await juniper.warren.room.join();
    await world.untilMet(marigold, juniper);
    const transcript = JSON.stringify(seen);
    expect(seen.map(({ type }) => type)).toEqual(expect.arrayContaining(["hs1", "hs2", "hs3", "hs4", "box"]));
    // Keys and boxes are random letters, which contain a short marker by chance.
    for (const marker of ["ice-ufrag", "candidate:", "Marigold", "Juniper", "burrow"]) {
      expect(transcript).not.toContain(marker);
      expect(transcript).not.toContain(btoa(marker).replace(/=+$/, "").slice(0, -1));
    }
  });

  it.each(["hs1", "hs2", "hs3", "hs4"] as const)(
    "that changes one %s lets no connection open",
    async (type) => {
      const world = new TestWorld();
      const mara = await world.person("Mara");
      const jun = await world.person("Jun");
      world.signalling.tamper = (signal) => (signal.type === type ? altered(signal) : signal);
      await join(mara, jun);
      await world.clock.advance(9_000);
      expect(world.network.made.every(({ connectionState }) => connectionState !== "connected")).toBe(true);
      expect(peerAt(mara, jun)?.ready).not.toBe(true);
    },
  );

  it("cannot deliver a sealed offer in place of another", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara");
    const jun = await world.person("Jun");
    world.signalling.tamper = (signal) =>
      signal.type === "box" && signal.kind === "offer" ? { ...signal, box: flipFirst(signal.box) } : signal;
    await join(mara, jun);
    await world.clock.advance(9_000);
    await settle();
    expect(peerAt(mara, jun)?.ready).not.toBe(true);
    expect(peerAt(jun, mara)?.ready).not.toBe(true);
  });
});

function flipFirst(text: string): string {
  return (text.startsWith("A") ? "B" : "A") + text.slice(1);
}

function altered(signal: SealedSignal): SealedSignal {
  switch (signal.type) {
    case "hs1":
      return { ...signal, C: flipFirst(signal.C) };
    case "hs2":
      return { ...signal, fpB: flipFirst(signal.fpB) };
    case "hs3":
      return { ...signal, fpA: flipFirst(signal.fpA) };
    case "hs4":
      return { ...signal, Tb: flipFirst(signal.Tb) };
    case "box":
      return signal;
  }
}
