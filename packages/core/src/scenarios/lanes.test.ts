import { beforeEach, describe, expect, it } from "vitest";
import type { FileMessage } from "../messages/message.ts";
import { digestText, noise } from "../testing/file-peers.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const kib = 1024;
const bytes = noise(5_000_000);

/** Two distant people: 128 KiB a second on each connection, whatever the capacity of the link. */
async function farApart(): Promise<{ world: TestWorld; mara: TestPerson; jun: TestPerson }> {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  jun.warren.settings.set("automaticDownload", true);
  const later = (turn: () => void) => void world.clock.after(250, turn);
  world.network.path.channelOptions = { turnBytes: 32 * kib, later };
  return { world, mara, jun };
}

describe("a file over a long path", () => {
  let world: TestWorld;
  let mara: TestPerson;
  let jun: TestPerson;
  beforeEach(async () => {
    ({ world, mara, jun } = await farApart());
  });

  const sent = () => mara.messages(jun.id)[0] as FileMessage;
  const lanes = () => world.network.made.slice(2);
  const open = () => lanes().filter(({ connectionState }) => connectionState === "connected");
  const arrived = () => sent().offers[jun.id]?.state === "complete";
  const send = () => mara.warren.chat.sendFile(jun.id, new File([bytes], "far.bin"));
  const received = async () => {
    const file = await jun.warren.files.open(sent().file.fid);
    return file && digestText(new Uint8Array(await file.arrayBuffer()));
  };

  it("opens lanes, uses all of them, arrives byte for byte, and leaves no lane open", async () => {
    let relayed = 0;
    world.signalling.filter = () => {
      relayed++;
      return true;
    };
    const startedAt = world.clock.now();
    await send();
    await world.until(arrived);
    expect(await received()).toBe(digestText(bytes));
    // One connection would take 38 s.
    expect(world.clock.now() - startedAt).toBeLessThan(25_000);
    expect(lanes()).toHaveLength(14);
    const carried = lanes().map(({ channels }) =>
      channels.reduce((sum, { sentBytes }) => sum + sentBytes, 0),
    );
    expect(carried.filter((sentBytes) => sentBytes >= 64 * kib)).toHaveLength(7);
    expect(relayed).toBe(0);
    await world.clock.advance(60_000);
    await world.until(() => open().length === 0);
  });

  it("arrives byte for byte when lanes fail during the transfer, as soon as that is noticed", async () => {
    await send();
    await world.until(() => open().length === 14);
    const dying = open().filter((_lane, index) => index < 6 && index % 2 === 0);
    for (const connection of dying) connection.vanish();
    const diedAt = world.clock.now();
    await world.until(arrived);
    expect(await received()).toBe(digestText(bytes));
    expect(world.clock.now() - diedAt).toBeLessThan(20_000);
  });

  it("uses only the relays if a person wants that, and shows the certificate of the session", async () => {
    const turn = { authMethod: "longterm", url: "turn:relay.test", username: "u", password: "p" } as const;
    for (const { warren } of [mara, jun]) {
      warren.settings.set("servers", { stuns: [], turns: [turn] });
      warren.settings.set("relayOnly", true);
    }
    await send();
    await world.until(() => open().length >= 2);
    const [ofSession] = world.network.made;
    for (const { configuration } of lanes()) {
      expect(configuration).toMatchObject({
        iceTransportPolicy: "relay",
        iceServers: [{ urls: turn.url, username: "u", credential: "p" }],
      });
    }
    const own = lanes().filter(
      ({ configuration }) => configuration.certificates === ofSession?.configuration.certificates,
    );
    expect(own).toHaveLength(lanes().length / 2);
  });
});

describe("a file over a short path", () => {
  let world: TestWorld;
  let mara: TestPerson;
  let jun: TestPerson;
  beforeEach(async () => {
    world = new TestWorld();
    [mara, jun] = await world.twoPeers();
  });

  const mib = 1024 * kib;
  const lanes = () => world.network.made.slice(2);
  const offer = async (sizeBytes: number) => {
    const file = new File([new Uint8Array(sizeBytes)], "near.bin");
    await mara.warren.chat.sendFile(jun.id, file);
    await world.until(() => jun.messages(mara.id).length > 0);
    await world.clock.advance(1_000);
  };

  it("has its lanes before it is accepted, if it is large", async () => {
    await offer(16 * mib);
    await world.until(() => lanes().length === 14);
    await world.until(() => lanes().every(({ connectionState }) => connectionState === "connected"));
    await world.clock.advance(62_000);
    await world.until(() => lanes().every(({ connectionState }) => connectionState === "closed"));
  });

  it("has none before it starts if it is small, or if the path turns out to be long", async () => {
    await offer(15 * mib);
    expect(lanes()).toEqual([]);
    world.network.path.roundTripMs = 40;
    await world.clock.advance(6_000);
    await offer(17 * mib);
    expect(lanes()).toEqual([]);
  });
});
