import { clientIdOf } from "@warren/protocol/key-proof";
import { describe, expect, it } from "vitest";
import { createNonce } from "./identity.ts";
import { TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { createTestIdentity, keylessHello } from "./testing/test-identity.ts";
import { startTestServer } from "./testing/test-server.ts";

const room = testRoomTag("a");
const tries = process.env.WARREN_LONG ? 1_000 : 50;
/** Any number of sockets from this machine. */
const generous = { privateAddressFactor: 10_000 };
const refused = { code: 4403, reason: "identity" };

describe("the identity of a client", () => {
  it("is proven by a signature over the nonce of its own socket", async () => {
    await using server = await startTestServer();
    const [ann, bob] = [await createTestIdentity(), await createTestIdentity()];
    const a = await server.client(ann);
    await a.join(room);
    await (await server.client(bob)).join(room);
    expect((await a.next("member-joined")).member.clientId).toBe(bob.clientId);
  });

  it("is requested with a new nonce each time", async () => {
    await using server = await startTestServer({ limits: generous });
    const clients = await Promise.all(Array.from({ length: 20 }, () => TestClient.open(server.port)));
    expect(new Set(clients.map((client) => client.nonce)).size).toBe(clients.length);
    for (const client of clients) client.socket.terminate();
  });

  it("is refused if any part of its proof is wrong", async () => {
    await using server = await startTestServer({ limits: generous });
    const [ann, bob] = [await createTestIdentity(), await createTestIdentity()];
    const noKey = Buffer.alloc(91, 7);
    const host = `ws://localhost:${server.port}`;
    const forgeries = async (nonce: string) => {
      const [own, others] = [await ann.answer(nonce, host), await bob.answer(nonce, host)];
      return [
        { ...own, clientId: testClientId(1) },
        await ann.answer(nonce, host, testClientId(1)),
        await bob.answer(nonce, host, ann.clientId),
        { ...others, clientId: ann.clientId },
        { ...own, proof: others.proof },
        { ...own, proof: (await ann.answer(createNonce(), host)).proof },
        { ...own, proof: "A".repeat(86) },
        { ...own, proof: "" },
        { ...own, publicKey: "" },
        {
          ...keylessHello(clientIdOf(noKey), host),
          publicKey: noKey.toString("base64url"),
          proof: own.proof,
        },
        { ...(await ann.answer(nonce, "ws://other.example.org")), server: host },
      ];
    };
    const count = (await forgeries(createNonce())).length;
    for (let which = 0; which < count; which++) {
      const client = await TestClient.open(server.port);
      const forgery = (await forgeries(client.nonce))[which];
      if (forgery) client.send(forgery);
      expect(await client.closed).toEqual(refused);
    }
  });

  it(`cannot be claimed by anyone else, in ${tries} tries of each kind`, async () => {
    await using server = await startTestServer({ limits: generous });
    const [victim, thief] = [await createTestIdentity(), await createTestIdentity()];
    const owner = await server.client(victim);
    const { resumeToken } = await owner.join(room);
    const elsewhere = await server.client(victim);
    const { resumeToken: tokenElsewhere } = await elsewhere.join(testRoomTag("b"));

    let stolen = 0;
    for (let i = 0; i < tries; i++) {
      const withWrongKey = await TestClient.open(server.port);
      withWrongKey.send(
        await thief.answer(withWrongKey.nonce, `ws://localhost:${server.port}`, victim.clientId),
      );
      if ((await withWrongKey.closed).code !== 4403) stolen++;
      const token = [undefined, resumeToken, tokenElsewhere][i % 3];
      const keyless = await TestClient.open(server.port);
      await keyless.hello(victim.clientId);
      keyless.send({ type: "join", room, locked: false, ...(token !== undefined && { resumeToken: token }) });
      if ((await keyless.closed).code !== 4403) stolen++;
    }
    expect(stolen).toBe(0);
    expect(await owner.rest()).toEqual([]);
  });

  it("is invalid at another server, to which a hostile one forwards the proofs of its visitors", async () => {
    await using honest = await startTestServer({ serverNames: ["warren.example.org"] });
    const ann = await createTestIdentity();
    const visit = async (server: string) => {
      const relayed = await TestClient.open(honest.port);
      relayed.send(await ann.answer(relayed.nonce, server));
      return relayed;
    };
    expect(await (await visit("wss://hostile.example.org")).closed).toEqual({
      code: 4403,
      reason: "server-name",
    });
    expect(await (await visit(`ws://localhost:${honest.port}`)).closed).toMatchObject({ code: 4403 });
    await (await visit("wss://warren.example.org")).next("welcome");
  });

  it("is invalid if a hostile server names this one's page while its visitors signed the hostile name", async () => {
    await using honest = await startTestServer({ allowedOrigins: ["https://warren.example.org"] });
    const ann = await createTestIdentity();
    const visit = async (server: string) => {
      const relayed = await TestClient.open(honest.port, {
        origin: "https://warren.example.org",
        headers: { host: "hostile.example.org" },
      });
      relayed.send(await ann.answer(relayed.nonce, server));
      return relayed;
    };
    expect(await (await visit("wss://hostile.example.org")).closed).toEqual({
      code: 4403,
      reason: "server-name",
    });
    await (await visit("wss://warren.example.org")).next("welcome");
  });

  it("is invalid over https if somebody between received it over plain http", async () => {
    const names = ["warren.example.org"];
    const servers = [
      { serverNames: names },
      { serverNames: names, trustedProxyHops: 1 },
      { allowedOrigins: ["https://warren.example.org"] },
    ];
    const ann = await createTestIdentity();
    for (const options of servers) {
      await using honest = await startTestServer(options);
      const page = "https://warren.example.org";
      const visit = async (server: string, origin: string) => {
        const relayed = await TestClient.open(honest.port, {
          origin,
          headers: { host: "warren.example.org" },
        });
        relayed.send(await ann.answer(relayed.nonce, server));
        return relayed;
      };
      expect(await (await visit("ws://warren.example.org", page)).closed).toEqual({
        code: 4403,
        reason: "server-name",
      });
      await (await visit("wss://warren.example.org", page)).next("welcome");
    }
  });

  it("is valid over plain http where the server's pages are, and not needed without a key", async () => {
    const ann = await createTestIdentity();
    const lan = "http://nas.local:8080";
    const servers = [
      { allowedOrigins: [lan] },
      { serverNames: ["nas.local:8080"], allowedOrigins: [lan] },
      {},
    ];
    for (const options of servers) {
      await using honest = await startTestServer(options);
      const open = () => TestClient.open(honest.port, { origin: lan, headers: { host: "nas.local:8080" } });
      const [proven, keyless] = [await open(), await open()];
      proven.send(await ann.answer(proven.nonce, "ws://nas.local:8080"));
      await proven.next("welcome");
      keyless.send(keylessHello(testClientId(1), "ws://nas.local:8080"));
      await keyless.next("welcome");
    }
  });

  it("belongs to its key while the seat is kept, and regains the seat without a token", async () => {
    await using server = await startTestServer();
    const ann = await createTestIdentity();
    const a = await server.client(ann);
    const { resumeToken } = await a.join(room);
    const witness = await server.client(2);
    await witness.join(room);
    a.socket.terminate();
    await expect.poll(() => server.logText()).toContain("socket closed");

    for (const token of [undefined, resumeToken]) {
      const thief = await TestClient.open(server.port);
      await thief.hello(ann.clientId);
      thief.send({ type: "join", room, locked: false, ...(token !== undefined && { resumeToken: token }) });
      expect(await thief.closed).toEqual(refused);
    }
    expect(await (await server.client(ann)).join(room)).toMatchObject({ order: 0 });
    expect((await witness.rest()).map((frame) => frame.type)).toEqual(["member-joined"]);
  });

  it("takes a live seat over from an older socket of the same key", async () => {
    await using server = await startTestServer();
    const ann = await createTestIdentity();
    const old = await server.client(ann);
    await old.join(room);
    const fresh = await server.client(ann);
    expect(await fresh.join(room)).toMatchObject({ order: 0 });
    expect(await old.closed).toEqual({ code: 4409, reason: "replaced" });
  });

  it("is not proven by a token of a seat that was proven by a key, even after a restart", async () => {
    const resumeKey = "a key of at least thirty-two characters";
    const ann = await createTestIdentity();
    const first = await startTestServer({ resumeKey });
    const { resumeToken } = await (await first.client(ann)).join(room);
    await first[Symbol.asyncDispose]();
    await using second = await startTestServer({ resumeKey });
    const thief = await TestClient.open(second.port);
    await thief.hello(ann.clientId);
    thief.send({ type: "join", room, locked: false, resumeToken });
    expect(await thief.closed).toEqual(refused);
  });
});
