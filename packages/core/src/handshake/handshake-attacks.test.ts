/**
 * A server that changes, reorders and redirects the messages of a run. `WARREN_LONG=1` runs the numbers of the test plan.
 */
import { WarrenError } from "@warren/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeBase64url, encodeBase64url } from "./crypto/encoding.ts";
import { unverifiableIdentity } from "./identity.ts";
import { createInitiator } from "./initiator.ts";
import { createResponder } from "./responder.ts";
import {
  establish,
  type Interceptor,
  type Member,
  newMember,
  noPassword,
  otherPassword,
  password,
  repetitions,
  run,
  timeoutMs,
  towards,
} from "./testing/handshake-fixtures.ts";

const binaryFields = [
  ["hs1", "C"],
  ["hs2", "rB"],
  ["hs2", "fpB"],
  ["hs2", "idPubB"],
  ["hs2", "Yb"],
  ["hs3", "rA"],
  ["hs3", "fpA"],
  ["hs3", "idPubA"],
  ["hs3", "Ya"],
  ["hs3", "Ta"],
  ["hs3", "sig"],
  ["hs4", "Tb"],
  ["hs4", "sig"],
] as const;

let alice: Member;
let bob: Member;
let carol: Member;

beforeAll(async () => {
  alice = await newMember();
  bob = await newMember();
  carol = await newMember();
});

/** The same member on a page without WebCrypto. */
async function keyless(member: Member): Promise<Member> {
  return { ...member, identity: await unverifiableIdentity() };
}

/** Replaces one field of one message. */
function replaceField(type: string, field: string, change: (value: string) => unknown): Interceptor {
  return (message) => {
    if (message.type !== type) return message;
    const value: unknown = Reflect.get(message, field);
    return { ...message, [field]: change(String(value)) };
  };
}

/** A run with a tampering server: A must not complete, and B only if nothing that it read was changed. */
async function expectRefused(type: string, intercept: Interceptor): Promise<WarrenError> {
  const { a, b, error } = await run(towards(alice, bob), towards(bob, alice), intercept);
  expect(a).toBeNull();
  if (type !== "hs4") expect(b).toBeNull();
  expect(error).toBeInstanceOf(WarrenError);
  return error ?? new WarrenError("unknown");
}

describe("T2: changed messages", () => {
  const flips = repetitions(130, 10_000);

  test(
    `no run completes with a bit flipped in any field (${flips} runs)`,
    async () => {
      for (let i = 0; i < flips; i++) {
        const [type, field] = binaryFields[i % binaryFields.length] ?? binaryFields[0];
        await expectRefused(
          type,
          replaceField(type, field, (value) => {
            const bytes = decodeBase64url(value) ?? new Uint8Array(0);
            // 61 is coprime to every length, so the long run flips every bit.
            const bit = (61 * Math.floor(i / binaryFields.length)) % (8 * bytes.length);
            const at = bit >> 3;
            bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
            return encodeBase64url(bytes);
          }),
        );
      }
    },
    timeoutMs(flips),
  );

  test.each(binaryFields)("%s.%s: malformed values are rejected as such", async (type, field) => {
    const spellings: ((value: string) => unknown)[] = [
      (value) => `${value}AAAA`,
      (value) => value.slice(4),
      (value) => `${value}=`,
      (value) => ` ${value}`,
      () => "A",
      () => undefined,
      () => 7,
      () => ["A"],
    ];
    for (const spelling of spellings) {
      const error = await expectRefused(type, replaceField(type, field, spelling));
      expect(error.values).toEqual({ reason: "decode" });
    }
  });

  test.each([
    ["hs1", "type", "hs2"],
    ["hs1", "v", 2],
    ["hs2", "type", "hs4"],
    ["hs3", "type", "hs1"],
    ["hs4", "type", "hs2"],
  ])("%s with another %s is rejected", async (type, field, value) => {
    const error = await expectRefused(
      type,
      replaceField(type, field, () => value),
    );
    expect(error.values).toEqual({ reason: "decode" });
  });

  test.each([
    ["hs2", "Yb"],
    ["hs3", "Ya"],
  ])("%s.%s: the neutral element and a non-element end the run", async (type, field) => {
    // The second is Y_i1 of draft-irtf-cfrg-cpace-21, B.3.11.
    const points = ["00".repeat(32), "2b3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c"];
    for (const point of points) {
      const bytes = Uint8Array.from(point.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
      const share = encodeBase64url(bytes);
      const error = await expectRefused(
        type,
        replaceField(type, field, () => share),
      );
      expect(error.values).toEqual({ reason: "identity-point" });
    }
  });

  test("omitting a public key ends the run", async () => {
    await expectRefused(
      "hs2",
      replaceField("hs2", "idPubB", () => ""),
    );
    await expectRefused(
      "hs3",
      replaceField("hs3", "idPubA", () => ""),
    );
  });

  test("message 3 must open the commitment", async () => {
    const other = encodeBase64url(new Uint8Array(16));
    const error = await expectRefused(
      "hs3",
      replaceField("hs3", "rA", () => other),
    );
    expect(error.values).toEqual({ reason: "commitment" });
  });
});

const guesses = repetitions(15, 10_000);

test(
  `T2: no run completes with a wrong or a missing password (${guesses} runs)`,
  async () => {
    const pairs = [
      [password, otherPassword],
      [password, noPassword],
      [noPassword, password],
    ] as const;
    for (let i = 0; i < guesses; i++) {
      const [prsA, prsB] = pairs[i % pairs.length] ?? pairs[0];
      const { a, b, error } = await run(towards(alice, bob, prsA), towards(bob, alice, prsB));
      expect([a, b, error?.code]).toEqual([null, null, "incorrect-password"]);
    }
  },
  timeoutMs(guesses),
);

describe("T4: misdirected and repeated messages", () => {
  const attempts = repetitions(8, 2_500);

  test(
    `a run redirected to a third member that knows the password fails (${3 * attempts} runs)`,
    async () => {
      for (let i = 0; i < attempts; i++) {
        const toCarol = await run(towards(alice, bob), towards(carol, alice));
        expect([toCarol.a, toCarol.b]).toEqual([null, null]);
        // Also if the server replaces Carol's key by Bob's.
        const key = encodeBase64url(bob.identity.publicKey);
        const asBob = replaceField("hs2", "idPubB", () => key);
        const posing = await run(towards(alice, bob), towards(carol, alice), asBob);
        expect([posing.a, posing.b]).toEqual([null, null]);
        // And without keys, so that only the channel identifier distinguishes Bob and Carol.
        const [a, b, c] = [await keyless(alice), await keyless(bob), await keyless(carol)];
        const bare = await run(towards(a, b), towards(c, a));
        expect([bare.a, bare.b, bare.error?.code]).toEqual([null, null, "incorrect-password"]);
      }
    },
    timeoutMs(3 * attempts),
  );

  test(
    `a client's messages sent back to itself fail, with and without keys (${2 * attempts} runs)`,
    async () => {
      for (let i = 0; i < attempts; i++) {
        // Alice initiates a run with Bob and responds to him in another; the server connects her two ends.
        const looped = await run(towards(alice, bob), towards(alice, bob));
        expect([looped.a, looped.b]).toEqual([null, null]);
        const a = await keyless(alice);
        const bare = await run(towards(a, bob), towards(a, bob));
        expect([bare.a, bare.b, bare.error?.code]).toEqual([null, null, "incorrect-password"]);
      }
    },
    timeoutMs(2 * attempts),
  );

  test(
    `messages and boxes of an earlier run fail in a later one (${attempts} runs)`,
    async () => {
      for (let i = 0; i < attempts; i++) {
        const a1 = createInitiator(towards(alice, bob));
        const b1 = createResponder(towards(bob, alice));
        const old1 = a1.start();
        const old2 = b1.onMessage1(old1);
        const { message: old3 } = await a1.onMessage2(old2);
        const { message: old4, established: oldB } = await b1.onMessage3(old3);
        const oldBox = await (await a1.onMessage4(old4)).sealer.seal("offer", new Uint8Array(8));
        await oldB.opener.open(oldBox);

        const towardsB = createResponder(towards(bob, alice));
        towardsB.onMessage1(old1);
        await expect(towardsB.onMessage3(old3)).rejects.toThrow(WarrenError);
        const towardsA = createInitiator(towards(alice, bob));
        towardsA.start();
        await towardsA.onMessage2(old2);
        await expect(towardsA.onMessage4(old4)).rejects.toThrow(WarrenError);
        const { b } = await establish(towards(alice, bob), towards(bob, alice));
        await expect(b.opener.open(oldBox)).rejects.toThrow(WarrenError);
      }
    },
    timeoutMs(3 * attempts),
  );
});
