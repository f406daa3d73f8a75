import fc from "fast-check";
import { expect, it } from "vitest";
import { TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { startTestServer } from "./testing/test-server.ts";
import { testBox, testStep } from "./testing/test-signals.ts";

const runs = process.env.WARREN_LONG === "1" ? 5_000 : 100;

const clientId = fc.constantFrom(...[1, 2, 3, 4].map(testClientId));
const lockedRoomTag = testRoomTag("l");
const room = fc.constantFrom(testRoomTag("a"), testRoomTag("b"), lockedRoomTag, "__proto__", "");
const oddText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ maxLength: 300 }), fc.constant("\ud800"));
const signal = fc.oneof(
  fc.constantFrom(testBox(), testStep("hs1"), testStep("hs2"), testStep("hs3"), testStep("hs4")),
  fc.record({
    type: fc.constantFrom("hs1", "hs3", "box"),
    run: fc.constantFrom("r".repeat(22), "r"),
    seq: fc.anything(),
    box: oddText,
  }),
  fc.jsonValue(),
);
const almostFrame = fc.oneof(
  fc.record({
    type: fc.constant("hello"),
    version: fc.constantFrom(1, 2),
    clientId,
    server: fc.constantFrom("localhost", "", "x".repeat(300)),
    publicKey: fc.constantFrom("", "A".repeat(122), "A"),
    proof: fc.constantFrom("", "A".repeat(86), "A"),
  }),
  fc.record(
    {
      type: fc.constant("join"),
      room,
      locked: fc.boolean(),
      resumeToken: fc.oneof(oddText, fc.constant("0.1.x")),
    },
    { requiredKeys: ["type", "room", "locked"] },
  ),
  fc.record({ type: fc.constant("leave") }),
  fc.record({ type: fc.constantFrom("admit", "reject"), clientId }),
  fc.record({ type: fc.constant("signal"), to: clientId, from: clientId, signal }),
  fc.record({ type: fc.constant("ping") }),
  fc.record({ type: fc.constantFrom("constructor", "toString", "__proto__", "welcome") }),
);
const text = fc.oneof(
  almostFrame.map((frame) => JSON.stringify(frame)),
  fc.json(),
  oddText,
  fc.constantFrom(
    "[".repeat(60_000),
    '{"a":'.repeat(12_000),
    "9".repeat(60_000),
    '{"__proto__":{"type":"leave"}}',
  ),
);
const payload = fc.oneof({ weight: 8, arbitrary: text }, { weight: 1, arbitrary: fc.uint8Array() });

it(
  "serves honest clients, whatever a hostile one sends",
  async () => {
    await using server = await startTestServer({
      limits: { privateAddressFactor: 10_000, framesPerSecond: 100_000, frameBurst: 100_000 },
    });
    const [a, b] = [await server.client(101), await server.client(102)];
    const honestRoom = testRoomTag("h");
    await a.join(honestRoom);
    await b.join(honestRoom);
    await a.next("member-joined");
    const owner = await server.client(103);
    owner.ask(lockedRoomTag);
    await owner.next("joined");

    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(payload, { minLength: 1, maxLength: 12 }),
        fc.constantFrom("close", "terminate"),
        async (greets, payloads, ending) => {
          const hostile = await TestClient.open(server.port);
          if (greets) await hostile.hello(testClientId(3));
          for (const each of payloads) hostile.socket.send(each);
          a.send({ type: "ping" });
          await a.next("pong");
          const received = await owner.rest();
          // Of a newcomer that knocked, and may have left.
          const ofNewcomers = ["knock", "signal", "member-left"];
          expect(received.filter((frame) => !ofNewcomers.includes(frame.type))).toEqual([]);
          if (ending === "close") hostile.socket.close();
          else hostile.socket.terminate();
          await hostile.closed;
        },
      ),
      { numRuns: runs },
    );

    a.send({ type: "signal", to: testClientId(102), signal: testBox() });
    expect(await b.next("signal")).toMatchObject({ from: testClientId(101) });
    expect(await a.rest()).toEqual([]);
    expect(server.logText()).not.toContain('"level":50');
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
  20_000 + 100 * runs,
);
