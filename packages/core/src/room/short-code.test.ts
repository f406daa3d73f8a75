import { type SealedSignal, WarrenError } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createResponder } from "../handshake/responder.ts";
import type { SignallingBackend, SignallingClient, SignalSender } from "../ports/signalling.ts";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { MemorySignalling } from "../testing/memory-signalling.ts";
import { openSeat } from "../testing/open-seat.ts";
import { until } from "../testing/until.ts";
import { mailboxTagOf } from "./room-tag.ts";
import { ShortCodes, type ShownCode } from "./short-code.ts";
import type { CodeWords } from "./short-code-words.ts";

const link = "https://warren.example/r/harbour#tidal-gate-9";

let clock: FakeClock;
let signalling: MemorySignalling;
let shower: ShortCodes;
let typer: ShortCodes;
const clientIds = new Set<string>();

beforeEach(() => {
  clock = new FakeClock();
  signalling = new MemorySignalling();
  clientIds.clear();
  shower = new ShortCodes({ clock, connect });
  typer = new ShortCodes({ clock, connect });
});

function connect(): SignallingBackend {
  return {
    createClient: (seat) => {
      clientIds.add(seat.clientId);
      return signalling.createClient(seat);
    },
  };
}

async function wordsOf(code: ShownCode): Promise<CodeWords> {
  const state = await until(code.store, ({ status }) => status === "shown");
  if (state.status !== "shown") throw new Error(state.status);
  return state.words;
}

async function shown(): Promise<{ readonly code: ShownCode; readonly words: CodeWords }> {
  const code = shower.show(link);
  return { code, words: await wordsOf(code) };
}

const statusOf = (code: ShownCode) => code.store.getState().status;
/** Other words for the same mailbox. */
const otherWords = ([mailbox, second, third]: CodeWords): CodeWords => [mailbox, third, `${second}x`];
/** Whether a mailbox is empty. */
async function isEmpty([mailbox]: CodeWords): Promise<boolean> {
  let found = 0;
  const client = await visit(mailbox);
  client.listenForJoin(() => found++);
  client.destroy();
  return found === 0;
}
function visit(
  mailbox: string,
  clientId = "00000000-0000-4000-8000-00000000000f",
): Promise<SignallingClient> {
  const seat = { ...openSeat, roomTag: mailboxTagOf(mailbox), clientId };
  return signalling.createClient(seat);
}

/** A device in a mailbox that answers each run until its guess is tested. */
async function answer(mailbox: string, clientId: string): Promise<void> {
  const visitor = await visit(mailbox, clientId);
  visitor.listenForJoin((member) => {
    const sender = visitor.createSender(member.clientId);
    sender.listenForSignal((signal) => {
      if (signal.type !== "hs1") return;
      const responder = createResponder({
        identity: { clientId, publicKey: new Uint8Array(0), verifiable: false, sign: async (data) => data },
        peerId: member.clientId,
        roomTag: mailboxTagOf(mailbox),
        prs: new Uint8Array(32),
        fingerprint: new Uint8Array(32),
      });
      sender.sendSignal({ ...responder.onMessage1(signal), run: signal.run });
    });
  });
}

describe("a code", () => {
  it("gives its link once, to the device on which its words are typed", async () => {
    const { code, words } = await shown();
    await expect(typer.redeem(words)).resolves.toBe(link);
    expect(statusOf(code)).toBe("used");
    expect(await isEmpty(words)).toBe(true);
    await expect(shower.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
    expect(clock.timerCount).toBe(0);
    // Each visit of a mailbox has its own identity.
    expect(clientIds.size).toBe(3);
  });

  it("is used up by wrong words, on both devices", async () => {
    const { code, words } = await shown();
    await expect(typer.redeem(otherWords(words))).rejects.toMatchObject({ code: "code-wrong" });
    await settle();
    expect(statusOf(code)).toBe("wrong");
    expect(await isEmpty(words)).toBe(true);
    await expect(typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
    expect(clock.timerCount).toBe(0);
  });

  it("is not tried again by a device that failed with it, whoever is in the mailbox", async () => {
    const { words } = await shown();
    const wrong = otherWords(words);
    await expect(typer.redeem(wrong)).rejects.toMatchObject({ code: "code-wrong" });
    const impostor = await visit(words[0]);
    await expect(typer.redeem(wrong)).rejects.toMatchObject({ code: "code-not-found" });
    expect(clientIds.size).toBe(2);
    impostor.destroy();
  });

  it("is tried once by a device on which it is entered twice simultaneously", async () => {
    const { words } = await shown();
    const both = await Promise.allSettled([typer.redeem(words), typer.redeem(words)]);
    expect(both).toMatchObject([
      { status: "fulfilled", value: link },
      { status: "rejected", reason: { code: "code-not-found" } },
    ]);
    expect(clientIds.size).toBe(2);
  });

  it("can be typed again if nothing was tested", async () => {
    const words: CodeWords = ["falcon", "mirror", "walrus"];
    await expect(typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
    await expect(typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
    expect(clientIds.size).toBe(2);
  });

  it("expires after ten minutes", async () => {
    const { code, words } = await shown();
    await clock.advance(599_000);
    expect(statusOf(code)).toBe("shown");
    expect(code.remainingMs()).toBe(1_000);
    await clock.advance(1_000);
    expect(statusOf(code)).toBe("expired");
    expect(await isEmpty(words)).toBe(true);
    await expect(typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
  });

  it("is withdrawn when it is no longer shown", async () => {
    const { code, words } = await shown();
    code.close();
    expect(await isEmpty(words)).toBe(true);
    expect(clock.timerCount).toBe(0);
    const early = shower.show(link);
    early.close();
    await settle();
    expect(statusOf(early)).toBe("opening");
  });

  it("uses another mailbox if one is taken", async () => {
    const taken: string[] = [];
    const crowded = new ShortCodes({
      clock,
      connect: () => ({
        createClient: async (seat) => {
          if (taken.length < 2) {
            taken.push(seat.roomTag);
            await signalling.createClient({ ...seat, clientId: "00000000-0000-4000-8000-00000000000e" });
          }
          return signalling.createClient(seat);
        },
      }),
    });
    const words = await wordsOf(crowded.show(link));
    expect(taken).toHaveLength(2);
    expect(taken).not.toContain(mailboxTagOf(words[0]));
  });

  it("uses another mailbox if one is locked or full, and is not found in those", async () => {
    const closed = ["password-required", "room-full"] as const;
    let visits = 0;
    const createClient: SignallingBackend["createClient"] = async (seat) => {
      const code = closed[visits++];
      if (code !== undefined) throw new WarrenError(code);
      return signalling.createClient(seat);
    };
    const crowded = new ShortCodes({ clock, connect: () => ({ createClient }) });
    await wordsOf(crowded.show(link));
    expect(visits).toBe(3);
    for (visits = 0; visits < closed.length; )
      await expect(crowded.redeem(["falcon", "mirror", "walrus"])).rejects.toMatchObject({
        code: "code-not-found",
      });
  });

  it("hashes its words only in its own mailbox, and leaves a mailbox in which that fails", async () => {
    const hash = vi.spyOn(crypto.subtle, "deriveBits");
    await expect(typer.redeem(["falcon", "mirror", "walrus"])).rejects.toMatchObject({
      code: "code-not-found",
    });
    expect(hash).not.toHaveBeenCalled();

    hash.mockRejectedValue(new Error("no memory"));
    let entered: SignallingClient | null = null;
    const failing = new ShortCodes({
      clock,
      connect: () => ({
        createClient: async (seat) => {
          entered = await signalling.createClient(seat);
          vi.spyOn(entered, "destroy");
          return entered;
        },
      }),
    });
    const code = failing.show(link);
    await until(code.store, ({ status }) => status === "failed");
    await vi.waitFor(() => expect(entered?.destroy).toHaveBeenCalled());
    hash.mockRestore();
  });

  it("reports that the server is unreachable", async () => {
    signalling.stop();
    const code = shower.show(link);
    await settle();
    expect(code.store.getState()).toMatchObject({
      status: "failed",
      error: { code: "signalling-unreachable" },
    });
    await expect(typer.redeem(["falcon", "mirror", "walrus"])).rejects.toMatchObject({
      code: "signalling-unreachable",
    });
  });

  it("can be cancelled during the search", async () => {
    await visit("falcon");
    const calledOff = new AbortController();
    const looking = typer.redeem(["falcon", "mirror", "walrus"], calledOff.signal);
    await settle();
    calledOff.abort();
    await expect(looking).rejects.toMatchObject({ code: "connection-closed" });
    expect(clock.timerCount).toBe(0);
  });

  it("is not found if the device in the mailbox does not answer", async () => {
    await visit("falcon");
    const looking = typer.redeem(["falcon", "mirror", "walrus"]);
    const outcome = expect(looking).rejects.toMatchObject({ code: "code-not-found" });
    await clock.advance(11_000);
    await outcome;
  });
});

describe("a server that guesses", () => {
  /** All signals, as the server saw them. */
  let seen: { readonly from: string; readonly signal: SealedSignal }[];
  beforeEach(() => {
    seen = [];
    signalling.filter = (signal, from) => seen.push({ from, signal }) > 0;
  });
  afterEach(() => {
    signalling.filter = () => true;
  });

  it("sees neither the secret words nor the link, and only one test of them", async () => {
    const { words } = await shown();
    await typer.redeem(words);
    // The names of fields are words, too.
    const transcript = JSON.stringify(seen.map(({ signal }) => Object.values(signal)));
    expect(seen.map(({ signal }) => signal.type)).toEqual(["hs1", "hs2", "hs3", "hs4", "box"]);
    for (const secret of [words[1], words[2], link, "harbour", "tidal-gate"]) {
      expect(transcript).not.toContain(secret);
      expect(transcript).not.toContain(btoa(secret).replace(/=+$/, "").slice(0, -1));
    }
  });

  it("gets one message to test a guess on from the device that shows the code, however many devices it invents", async () => {
    const { code, words } = await shown();
    for (const last of ["a", "b", "c"]) await answer(words[0], `00000000-0000-4000-8000-00000000000${last}`);
    await settle();
    expect(seen.filter(({ signal }) => signal.type === "hs2")).toHaveLength(3);
    expect(seen.filter(({ signal }) => signal.type === "hs3")).toHaveLength(1);
    await clock.advance(11_000);
    expect(statusOf(code)).toBe("wrong");
    expect(seen.filter(({ signal }) => signal.type === "hs3")).toHaveLength(1);
  });

  it("uses up the code if it withholds the proof of the other device", async () => {
    signalling.filter = ({ type }) => type !== "hs4";
    const { code, words } = await shown();
    const looking = expect(typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
    await clock.advance(11_000);
    expect(statusOf(code)).toBe("wrong");
    await looking;
    // The test has taken place, so the words are not tried with the next device in the mailbox.
    await visit(words[0]);
    const visitors = clientIds.size;
    await expect(typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
    expect(clientIds.size).toBe(visitors);
  });

  it("does not end a run with a forged box", async () => {
    const { words } = await shown();
    const later = (deliver: () => void) => setTimeout(deliver, 0);
    const relayed = new ShortCodes({
      clock,
      connect: () => ({
        createClient: async (seat) => {
          const client = await signalling.createClient(seat);
          const createSender = client.createSender.bind(client);
          client.createSender = (targetId) => {
            const sender = createSender(targetId);
            const listenForSignal: SignalSender["listenForSignal"] = (callback) =>
              sender.listenForSignal((signal) => {
                if (signal.type === "box") callback({ ...signal, box: "A".repeat(60) });
                later(() => callback(signal));
              });
            return { ...sender, listenForSignal };
          };
          const listenForLeave = client.listenForLeave.bind(client);
          client.listenForLeave = (callback) => listenForLeave((left) => later(() => callback(left)));
          return client;
        },
      }),
    });
    await expect(relayed.redeem(words)).resolves.toBe(link);
  });

  it("cannot disturb the device with invalid messages", async () => {
    const { code, words } = await shown();
    const visitor = await visit(words[0]);
    visitor.listenForJoin(({ clientId }) => {
      const sender = visitor.createSender(clientId);
      sender.listenForSignal((signal) => {
        if (signal.type !== "hs1") return;
        const run = signal.run;
        sender.sendSignal({ type: "hs4", run, Tb: "A".repeat(43), sig: "A".repeat(107) });
        sender.sendSignal({ type: "hs2", run, rB: "", fpB: "", idPubB: "", Yb: "" });
      });
    });
    await settle();
    expect(statusOf(code)).toBe("shown");
    await expect(typer.redeem(words)).resolves.toBe(link);
  });
});
