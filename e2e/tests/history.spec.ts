import type { Page } from "@playwright/test";
import { expectNoViolations, inBothThemes } from "../support/accessibility.ts";
import {
  deliverText,
  messageLog,
  messagesWith,
  openConversation,
  sendText,
} from "../support/conversation.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { clientIdOf, makeFirstDatabase, writeHistory } from "../support/history.ts";
import { expectOnline, meet, startRoom } from "../support/room.ts";

const count = 2_000;
/** The first version's; writing 50,000 takes most of a minute. */
const earlierCount = process.env.WARREN_LONG === "1" ? 50_000 : 5_000;

/** Ada and Bo in a room, with a long history in Ada's browser. */
async function meetWithPast(ada: Person, bo: Person, room: string): Promise<void> {
  await meet([ada, bo], { room });
  await writeHistory(ada.page, await clientIdOf(bo.page), count);
  await ada.page.goto(`/client/${await clientIdOf(bo.page)}/chat`);
  await expect(messagesWith(ada.page, `message ${count - 1}.`)).toBeInViewport();
}

/** The position of a message in the window, in px from its top. */
async function placeOf(page: Page, text: string): Promise<number> {
  return (await messagesWith(page, text).boundingBox())?.y ?? Number.NaN;
}

/** Scrolls back to about the middle. @returns the text of a visible message, after its position has settled. */
async function readBack(page: Page): Promise<string> {
  await messageLog(page).evaluate((log) => {
    log.scrollTop = log.scrollHeight / 2;
  });
  await expect(page.getByRole("button", { name: "Jump to the latest message" })).toBeVisible();
  const inSight = () =>
    messageLog(page).evaluate((log) => {
      const middle = log.getBoundingClientRect().top + log.clientHeight / 2;
      const rows = [...log.querySelectorAll("article")];
      const row = rows.find((article) => article.getBoundingClientRect().bottom > middle);
      return /message \d+\./.exec(row?.textContent ?? "")?.[0] ?? "";
    });
  // Rows are measured when rendered: wait until the position is stable.
  let text = "";
  let place = Number.NaN;
  const isSettled = async (): Promise<boolean> => {
    const before = { text, place };
    text = await inSight();
    place = text === "" ? Number.NaN : await placeOf(page, text);
    return text === before.text && place === before.place;
  };
  await expect.poll(isSettled, { intervals: [500] }).toBe(true);
  return text;
}

test("a long conversation renders a small part of itself and keeps the scroll position", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meetWithPast(ada, bo, room);
  const { page } = ada;
  expect(await messageLog(page).getByRole("article").count()).toBeLessThan(120);

  const text = await readBack(page);
  const place = await placeOf(page, text);
  await expectOnline(bo.page, "Ada");
  await sendText(bo.page, "Are you there?");
  await sendText(bo.page, "I have news.");
  await expect(page.getByRole("button", { name: "2 new messages below" })).toBeVisible();
  const moved = async () => Math.abs((await placeOf(page, text)) - place);
  await expect.poll(moved).toBeLessThanOrEqual(1);
  expect(await messageLog(page).getByRole("article").count()).toBeLessThan(120);

  // Narrower lines increase the height of every message, above and below.
  await page.setViewportSize({ width: 800, height: 900 });
  await expect(messagesWith(page, text)).toBeInViewport();

  await page.getByRole("button", { name: "2 new messages below" }).click();
  await expect(messagesWith(page, "I have news.")).toBeInViewport();
  await sendText(bo.page, "Here they are.");
  await expect(messagesWith(page, "Here they are.")).toBeInViewport();
});

test("the first message of a long conversation is one key away", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meetWithPast(ada, bo, room);
  await messagesWith(ada.page, `message ${count - 1}.`).focus();
  await ada.page.keyboard.press("Home");
  await expect(messagesWith(ada.page, "message 0.")).toBeInViewport();
  await expect(messagesWith(ada.page, "message 0.")).toBeFocused();
  await ada.page.keyboard.press("End");
  await expect(messagesWith(ada.page, `message ${count - 1}.`)).toBeFocused();
});

test("the many messages of the first version are those of the room one was in last", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  await startRoom(ada, { room });
  await openConversation(page, "Everyone");
  const address = page.url();
  const last = `message ${earlierCount - 1}.`;
  await page.goto("/healthz");
  await makeFirstDatabase(page);
  await writeHistory(page, "0f0a6f6e-2a39-4f0f-8d53-94a1f1f6a0c2", earlierCount, "everyone");

  for (const visit of ["the first", "a later"]) {
    await page.goto(address);
    // On the first visit all of them are put into an index.
    await expect(messagesWith(page, last), visit).toBeInViewport({ timeout: 60_000 });
  }
  await messagesWith(page, last).focus();
  await page.keyboard.press("Home");
  await expect(messagesWith(page, "message 0.")).toBeFocused();
});

test("a page whose storage never opens meets people in memory, and does not change the stored data", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  // As a newer version of the app would leave the database.
  const storeWithNewerVersion = () =>
    ada.page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open("warren-messages", 99);
          opening.onsuccess = () => resolve(opening.result.close());
          opening.onerror = () => reject(opening.error);
        }),
    );
  await storeWithNewerVersion();
  await ada.page.reload();
  await expect(ada.page.getByText(/^Stored data cannot be opened/)).toBeVisible();
  await ada.page.getByRole("button", { name: "Continue without saving" }).click();
  const question = ada.page.getByRole("dialog", { name: "Continue without saving?" });
  await question.getByRole("button", { name: "Continue without saving" }).click();
  await expectOnline(ada.page, bo.name);
  await openConversation(ada.page, bo.name);
  await openConversation(bo.page, ada.name);
  await deliverText(ada.page, bo.page, "I am here again.");
  const versions = await ada.page.evaluate(async () =>
    (await indexedDB.databases()).map(({ version }) => version),
  );
  expect(versions).toContain(99);
  // Nothing here would outlast the page, so nothing waits for anybody.
  await openConversation(ada.page, "Everyone");
  await bo.page.close();
  await expect(ada.page.getByText("Send someone the link first.")).toBeVisible();
});

test("a message that is only in storage is found from the list of people, and shown in its place", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meetWithPast(ada, bo, room);
  const { page } = ada;
  await openConversation(page, "Everyone");
  await page.getByRole("searchbox", { name: "Search people and messages" }).fill("MESSAGE 1312.");
  const found = page.getByRole("region", { name: "Bo 1 message" }).getByRole("button");
  await expect(found.getByText("This is message 1312.")).toBeVisible();
  await inBothThemes(page, (theme) => expectNoViolations(page, `found messages, ${theme}`));
  await found.click();
  await expect(page.getByRole("heading", { level: 1, name: "Bo" })).toBeVisible();
  await expect(messagesWith(page, "This is message 1312.")).toBeInViewport();
});
