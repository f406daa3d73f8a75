import type { Page } from "@playwright/test";
import { deliverText, openConversation } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { test as base, expect, type Person, type PersonSettings } from "../support/fixtures.ts";
import { dismiss, expectOnline, personRow, startRoom } from "../support/room.ts";
import { startServer } from "../support/server.ts";
import { startTurnServer, type TurnServer } from "../support/turn-server.ts";

const secret = "the static-auth-secret of coturn";

/** The stored settings of a person who uses only the given relays. */
function relayOnly(turns: readonly Record<string, string>[]): string {
  return JSON.stringify({ servers: { stuns: [], turns }, relayOnly: true });
}

/** A server that provides credentials for its own relay. */
const test = base.extend<{ readonly relay: TurnServer; readonly givenSecret: string }>({
  givenSecret: [secret, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  relay: async ({}, use) => {
    const relay = await startTurnServer(secret);
    await use(relay);
    await relay.stop();
  },

  server: async ({ relay, givenSecret }, use) => {
    const env = { TURN_URLS: `turn:${relay.host}:${relay.port}?transport=udp`, TURN_SECRET: givenSecret };
    const server = await startServer(givenSecret === "" ? {} : { env });
    await use(server);
    await server.stop();
  },
});

/** A person who uses only relays, has none configured, and whose clock is an hour and a half slow. */
async function cutOff(
  newPerson: (settings: PersonSettings) => Promise<Person>,
  name: string,
): Promise<Person> {
  const person = await newPerson({ name });
  await person.context.addInitScript((options) => {
    localStorage.setItem("app_options", options);
    const now = Date.now;
    Date.now = () => now() - 5_400_000;
  }, relayOnly([]));
  return person;
}

/** Expects an open conversation to say that the connection takes a relay, and its details by which. */
async function expectRelayed(page: Page, name: string, host: string): Promise<void> {
  await expect(page.locator("header").getByText("Online, over a relay")).toBeVisible();
  await page.getByRole("button", { name: `About ${name}` }).click();
  const info = page.getByRole("dialog", { name });
  await expect(info.getByText(`Over relay ${host} · `)).toBeVisible();
  await dismiss(info);
}

test("two people meet and exchange a file through the server's relay only, also after it was down", async ({
  newPerson,
  relay,
}, testInfo) => {
  const [ada, bo] = [await cutOff(newPerson, "Ada"), await cutOff(newPerson, "Bo")];
  for (const person of [ada, bo]) await startRoom(person, { room: "harbour" });
  await expectOnline(ada.page, "Bo");
  await openConversation(ada.page, "Bo");
  await expectRelayed(ada.page, "Bo", relay.host);
  await openConversation(bo.page, "Ada");
  await deliverText(ada.page, bo.page, "Through the relay");
  const path = testInfo.outputPath("recording.bin");
  const sha256 = await writeRandomFile(path, 8);
  await attach(ada.page, path);
  await keepHere(fileCard(bo.page, "recording.bin"));
  await expect(fileCard(bo.page, "recording.bin")).toContainText("Received", { timeout: 120_000 });
  expect(await savedSha256(bo.page, "recording.bin")).toBe(sha256);

  await relay.kill();
  await expect(personRow(ada.page, "Bo").getByText("online", { exact: true })).toHaveCount(0, {
    timeout: 60_000,
  });
  await relay.start();
  await expect(personRow(ada.page, "Bo").getByText("online", { exact: true })).toBeAttached({
    timeout: 60_000,
  });
  await deliverText(bo.page, ada.page, "Through it again");
});

test.describe("with a server without a relay", () => {
  test.use({ givenSecret: "" });

  test("two people whose clocks are in 1969 meet through a relay whose secret they have", async ({
    newPerson,
    relay,
  }) => {
    const url = `turn:${relay.host}:${relay.port}?transport=udp`;
    const options = relayOnly([{ authMethod: "hmac", url, username: "us", password: secret }]);
    const [ada, bo] = [await newPerson({ name: "Ada" }), await newPerson({ name: "Bo" })];
    for (const person of [ada, bo]) {
      await person.context.addInitScript((stored) => localStorage.setItem("app_options", stored), options);
      await person.page.clock.setFixedTime("1969-07-20T20:17:40Z");
      await startRoom(person, { room: "harbour" });
    }
    await expectOnline(ada.page, "Bo");
    await openConversation(ada.page, "Bo");
    await expectRelayed(ada.page, "Bo", relay.host);
    await openConversation(bo.page, "Ada");
    await deliverText(ada.page, bo.page, "Through the relay");
  });
});

test.describe("with a secret other than the relay's", () => {
  test.use({ givenSecret: "some other secret than coturn's" });

  test("people who use only relays do not meet", async ({ newPerson }) => {
    const [ada, bo] = [await cutOff(newPerson, "Ada"), await cutOff(newPerson, "Bo")];
    for (const person of [ada, bo]) await startRoom(person, { room: "harbour" });
    // A peer that nobody has met yet has no name.
    await openConversation(ada.page, "Someone");
    const unreached = ada.page.getByText(/^Could not reach .*\. No connection within 10 s/);
    await expect(unreached).toBeVisible({ timeout: 30_000 }); // An attempt lasts 10 s.
  });
});
