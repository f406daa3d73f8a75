import { setTimeout as sleep } from "node:timers/promises";
import { openConversation } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { expect, type Person, type PersonSettings, test } from "../support/fixtures.ts";
import { expectOnline, personRow, startRoom } from "../support/room.ts";
import { startTurnServer, type TurnServer } from "../support/turn-server.ts";

const isLong = process.env.WARREN_LONG === "1";
const outageMs = 6 * 60_000;
/** The time limit after the relay's return until the transfer resumes. */
const resumeLimitMs = 35_000;
const fileName = "recording.bin";

/** A person who is reachable only through the relay. */
async function relayed(
  newPerson: (settings: PersonSettings) => Promise<Person>,
  relay: TurnServer,
  name: string,
): Promise<Person> {
  const person = await newPerson({ name });
  const { host, port, username, password } = relay;
  const turn = { authMethod: "longterm", url: `turn:${host}:${port}?transport=udp`, username, password };
  const options = { servers: { stuns: [], turns: [turn] }, relayOnly: true, maxFileSize: 4 * 1024 ** 3 };
  await person.context.addInitScript(
    (stored) => localStorage.setItem("app_options", stored),
    JSON.stringify(options),
  );
  return person;
}

/** The received amount shown on a card, in MB. */
async function arrivedMb(person: Person): Promise<number> {
  const text = await fileCard(person.page, fileName).textContent();
  return Number(/(\d+(?:\.\d+)?) of \d+/.exec(text ?? "")?.[1] ?? 0);
}

// Takes six minutes of waiting, and needs coturn: only in long runs.
if (isLong) {
  let relay: TurnServer;
  test.beforeEach(async () => {
    relay = await startTurnServer();
  });
  test.afterEach(() => relay.stop());

  test("a transfer resumes automatically after the only relay was down for six minutes", async ({
    newPerson,
    room,
  }, testInfo) => {
    test.setTimeout(1_200_000);
    const [ada, bo] = [await relayed(newPerson, relay, "Ada"), await relayed(newPerson, relay, "Bo")];
    for (const person of [ada, bo]) await startRoom(person, { room });
    await expectOnline(ada.page, "Bo");
    await openConversation(ada.page, "Bo");
    await openConversation(bo.page, "Ada");
    const path = testInfo.outputPath(fileName);
    const sha256 = await writeRandomFile(path, 200);
    await attach(ada.page, path);
    await keepHere(fileCard(bo.page, fileName));
    await expect.poll(() => arrivedMb(bo)).toBeGreaterThan(20);
    await relay.kill();
    await sleep(outageMs);
    await expect(personRow(bo.page, "Ada").getByText("online", { exact: true })).toHaveCount(0);
    const arrived = await arrivedMb(bo);
    await relay.start();
    const backAt = Date.now();
    await expect.poll(() => arrivedMb(bo), { timeout: 120_000 }).toBeGreaterThan(arrived);
    const resumedMs = Date.now() - backAt;
    testInfo.annotations.push({ type: "resumed after", description: `${resumedMs / 1_000} s` });
    expect(resumedMs).toBeLessThan(resumeLimitMs);
    await expect(fileCard(bo.page, fileName)).toContainText("Received", { timeout: 300_000 });
    expect(await savedSha256(bo.page, fileName)).toBe(sha256);
  });

  test("two people who joined while the only relay was down meet once it is back", async ({
    newPerson,
    room,
  }, testInfo) => {
    await relay.kill();
    const [ada, bo] = [await relayed(newPerson, relay, "Ada"), await relayed(newPerson, relay, "Bo")];
    for (const person of [ada, bo]) await startRoom(person, { room });
    await sleep(120_000);
    await expect(personRow(ada.page, "Bo").getByText("online", { exact: true })).toHaveCount(0);
    await relay.start();
    const backAt = Date.now();
    for (const [{ page }, other] of [
      [ada, "Bo"],
      [bo, "Ada"],
    ] as const)
      await expectOnline(page, other);
    const metMs = Date.now() - backAt;
    testInfo.annotations.push({ type: "met after", description: `${metMs / 1_000} s` });
    expect(metMs).toBeLessThan(resumeLimitMs);
  });
}
