import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import type { SealedSignal, SealedSignalOf } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { greet } from "./testing/test-admission.ts";
import type { TestClient } from "./testing/test-client.ts";
import { createTestIdentity } from "./testing/test-identity.ts";
import { startTestServer } from "./testing/test-server.ts";
import { testStep } from "./testing/test-signals.ts";

const secrets = {
  roomId: "marker-room-of-the-meeting",
  password: "marker-password-correct-horse",
  names: ["marker-name-Ann", "marker-name-Bob"],
  sdp: "v=0\r\no=marker-of-a-description 4611731400430051336\r\na=ice-pwd:marker-ice-password\r\n",
  candidate: "candidate:1 1 udp 2113937151 198.51.100.77 50000 typ host ufrag marker-fragment",
};
const markers = [
  ...["roomId", "password", "candidate"].map((key) => String(Reflect.get(secrets, key))),
  ...secrets.names,
  "marker-of-a-description",
  "marker-ice-password",
  "marker-fragment",
  "198.51.100.77",
  createHash("sha256").update(secrets.password).digest("hex"),
  createHash("sha256").update(secrets.password).digest("base64url"),
];

/** The marker itself, and its spellings inside base64 and hex at any offset. */
function spellings(marker: string): string[] {
  const inBase64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from("x".repeat(shift) + marker).toString("base64url");
    // The first and last characters depend on the bytes beside the marker.
    return text.slice(shift === 0 ? 0 : shift + 1, -2);
  });
  const hex = Buffer.from(marker).toString("hex");
  return [
    marker,
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll("-", "+").replaceAll("_", "/")),
    hex,
  ];
}

function markersIn(text: string): string[] {
  return markers.filter((marker) => spellings(marker).some((spelling) => text.includes(spelling)));
}

/** Seals a signal as clients do, with a key that the server has not seen. */
function seal(kind: SealedSignalOf<"box">["kind"], seq: number, data: object): SealedSignal {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(seq), 4);
  const cipher = createCipheriv("aes-256-gcm", randomBytes(32), nonce);
  const box = Buffer.concat([cipher.update(JSON.stringify(data)), cipher.final(), cipher.getAuthTag()]);
  return { type: "box", run: "r".repeat(22), seq, kind, box: box.toString("base64url") };
}

describe("what the server sees of a session", () => {
  it("finds a secret that is not sealed, in any spelling", () => {
    for (const marker of markers) {
      expect(markersIn(`"${marker}"`)).toContain(marker);
      for (const before of ["", "a", "ab"]) {
        const text = Buffer.from(`${before}${marker}, and more`);
        expect(markersIn(text.toString("base64url"))).toContain(marker);
        expect(markersIn(text.toString("base64"))).toContain(marker);
        expect(markersIn(text.toString("hex"))).toContain(marker);
      }
    }
  });

  it("contains no password, name, room id, description or candidate, in any frame or log", async () => {
    const server = await startTestServer();
    const room = createHash("sha256").update(`room/1${secrets.roomId}`).digest("base64url");
    const [ann, bob] = [await createTestIdentity(), await createTestIdentity()];
    const [a, b] = [await server.client(ann), await server.client(bob)];
    const wrong = await server.client(9);
    a.ask(room);
    await a.next("joined");

    wrong.ask(room);
    await wrong.next("pending");
    await a.next("knock");
    a.send({ type: "reject", clientId: "00000000-0000-4000-8000-000000000009" });
    await wrong.closed;
    await a.next("member-left");

    b.ask(room);
    await b.next("pending");
    await a.next("knock");
    await greet([a, ann.clientId], [b, bob.clientId], "hs3");
    const offer = { type: "offer", sdp: secrets.sdp, names: secrets.names };
    const sendSignal = async (from: TestClient, to: TestClient, toId: string, signal: SealedSignal) => {
      from.send({ type: "signal", to: toId, signal });
      expect((await to.next("signal")).signal).toEqual(signal);
    };
    await sendSignal(a, b, bob.clientId, seal("offer", 1, offer));
    await sendSignal(b, a, ann.clientId, testStep("hs4"));
    a.send({ type: "admit", clientId: bob.clientId });
    await b.next("joined");
    await a.next("member-joined");
    await sendSignal(b, a, ann.clientId, seal("answer", 1, { ...offer, type: "answer" }));
    await sendSignal(b, a, ann.clientId, seal("candidate", 2, { candidate: secrets.candidate }));
    const proof = createHmac("sha256", randomBytes(32)).update(secrets.password).digest("base64url");
    a.socket.send(JSON.stringify({ type: "join", locked: proof }));
    await a.closed;
    b.send({ type: "leave" });
    await b.close();
    server.clock.advance(60_000);
    await server.stop(0);

    const seen = [a, b, wrong].flatMap(({ transcript }) => transcript);
    expect(seen.length).toBeGreaterThan(30);
    expect(seen.join("\n")).toContain(room);
    expect(markersIn(seen.join("\n"))).toEqual([]);
    expect(server.logText()).toMatch(/"frames-signal":\d+/);
    expect(markersIn(server.logText())).toEqual([]);
    for (const text of [room, ann.clientId, bob.clientId, a.nonce, a.resumeToken, b.resumeToken]) {
      expect(server.logText()).not.toContain(text);
    }
  });
});
