import type { Page } from "@playwright/test";
import {
  deliverText,
  messageLog,
  messagesWith,
  openConversation,
  pressAction,
} from "../support/conversation.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { clientIdOf, writeHistory } from "../support/history.ts";
import { copyLink, joinByLink, meet, startRoom } from "../support/room.ts";
import { pressLong, swipe } from "../support/touch.ts";

const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Two in a room, the second on a phone, each with the other's conversation open. */
async function meetOnPhone(ada: Person, bo: Person, room: string): Promise<void> {
  await startRoom(ada, { room });
  await joinByLink(bo, await copyLink(ada));
  await openConversation(ada.page, bo.name);
  await expect(bo.page.getByRole("heading", { level: 1, name: ada.name })).toBeVisible();
}

test("a reply quotes what it answers, by mouse, key and swipe, and pressing the quote goes there, also far back", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo", ...phone });
  await meetOnPhone(ada, bo, room);
  await deliverText(ada.page, bo.page, "Shall we take the ferry?");

  await swipe(messagesWith(bo.page, "Shall we take the ferry?"));
  await expect(bo.page.getByText("Reply to Ada", { exact: true })).toBeVisible();
  await deliverText(bo.page, ada.page, "At nine");
  await expect(bo.page.getByText("Reply to Ada", { exact: true })).toBeHidden();
  const answer = messagesWith(ada.page, "At nine");
  await expect(
    answer.getByRole("button", { name: /In reply to.*You.*Shall we take the ferry/ }),
  ).toBeVisible();

  await pressAction(answer, "Reply");
  await expect(ada.page.getByText("Reply to Bo", { exact: true })).toBeVisible();
  await expect(composer(ada.page)).toBeFocused();
  await ada.page.keyboard.press("Escape");
  await expect(ada.page.getByText("Reply to Bo", { exact: true })).toBeHidden();
  await answer.focus();
  await ada.page.keyboard.press("r");
  await expect(composer(ada.page)).toBeFocused();
  await deliverText(ada.page, bo.page, "Nine it is");
  await expect(messagesWith(bo.page, "Nine it is")).toContainText("At nine");

  // The answered message is not loaded any more: only in storage.
  await writeHistory(bo.page, await clientIdOf(ada.page), 600);
  await bo.page.evaluate(
    async (from) => {
      const opening = indexedDB.open("warren-messages");
      const database = await new Promise<IDBDatabase>((resolve) => {
        opening.onsuccess = () => resolve(opening.result);
      });
      const store = database.transaction("records", "readwrite").objectStore("records");
      const at = Date.now();
      const quote = `${from}/history-12`;
      const head = { id: "a-late-reply", conversation: from, client: from, createdAt: at, sortedAt: at };
      const value = { ...head, type: "text", data: "As I wrote", quote, deliveries: {} };
      const put = store.put({ key: `${from}/a-late-reply`, group: `messages/${from}`, order: at, value });
      await new Promise((resolve) => {
        put.onsuccess = resolve;
      });
      database.close();
    },
    await clientIdOf(ada.page),
  );
  await bo.page.reload();
  const late = messagesWith(bo.page, "As I wrote");
  await late.getByRole("button", { name: /message 12\./ }).tap();
  const first = messageLog(bo.page)
    .getByRole("article")
    .filter({ hasText: /^.*This is message 12\./ });
  await expect(first.last()).toBeInViewport();
});

test("a text is edited and deleted for both, also for who was away, and nothing of it is left", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  await Promise.all([openConversation(ada.page, "Bo"), openConversation(bo.page, "Ada")]);
  await deliverText(ada.page, bo.page, "At nine on the quay");
  await deliverText(ada.page, bo.page, "The code is 4711");

  await composer(ada.page).focus();
  await ada.page.keyboard.press("ArrowUp");
  await expect(ada.page.getByText("Edit your message")).toBeVisible();
  await expect(composer(ada.page)).toHaveValue("The code is 4711");
  await ada.page.keyboard.press("Escape");
  await expect(composer(ada.page)).toHaveValue("");

  await composer(ada.page).fill("a draft");
  await pressAction(messagesWith(ada.page, "At nine on the quay"), "Edit");
  await composer(ada.page).fill("At ten on the quay");
  await ada.page.keyboard.press("Control+Enter");
  await expect(composer(ada.page)).toHaveValue("a draft");
  for (const { page } of [ada, bo]) {
    await expect(messagesWith(page, "At ten on the quay")).toContainText("Edited");
    await expect(messagesWith(page, "At nine on the quay")).toHaveCount(0);
  }
  await messagesWith(bo.page, "At ten on the quay").hover();
  await bo.page.getByRole("button", { name: "More actions" }).click();
  await expect(bo.page.getByRole("menuitem", { name: "Delete message" })).toBeVisible();
  await expect(bo.page.getByRole("menuitem", { name: "Edit" })).toHaveCount(0);

  const { page: boPage } = bo;
  await boPage.goto("about:blank");
  await pressAction(messagesWith(ada.page, "The code is 4711"), "Delete message");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Delete for Bo too" }).click();
  await expect(messagesWith(ada.page, "Deleted message")).toBeVisible();
  await expect(messagesWith(ada.page, "4711")).toHaveCount(0);
  await boPage.goto("/");
  await openConversation(boPage, "Ada");
  await expect(messagesWith(boPage, "Deleted message")).toBeVisible();
  await expect(
    messagesWith(ada.page, "Deleted message").getByText("Received", { exact: true }),
  ).toBeAttached();
  for (const page of [ada.page, boPage]) {
    await page.reload();
    await expect(messagesWith(page, "Deleted message")).toBeVisible();
    expect(await storedTexts(page)).not.toContain("4711");
  }
});

test("people react in a room and to files, by mouse and by touch, and take it back", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo", ...phone });
  await meetOnPhone(ada, bo, room);
  await deliverText(ada.page, bo.page, "Finished");
  await pressLong(messagesWith(bo.page, "Finished"));
  const actions = bo.page.getByRole("dialog", { name: "Message actions" });
  const box = await actions.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await actions.getByRole("button", { name: "React with 👍" }).tap();
  const ofAda = messagesWith(ada.page, "Finished");
  await expect(ofAda.getByRole("button", { name: "👍, by Bo" })).toBeVisible();

  await pressAction(ofAda, "React with any emoji");
  await ada.page.getByRole("searchbox", { name: "Search emoji" }).fill("fox");
  await expect(ada.page.getByRole("gridcell", { name: "Fox", exact: true })).toBeVisible();
  await ada.page.keyboard.press("Enter");
  await expect(ofAda.getByRole("button", { name: "🦊, by You" })).toBeVisible();
  await ofAda.getByRole("button", { name: "👍, by Bo" }).click();
  const ofBo = messagesWith(bo.page, "Finished");
  await expect(ofBo.getByRole("button", { name: /^👍, by (You and Ada|Ada and You)$/ })).toContainText("2");
  await ofBo.getByRole("button", { name: "🦊, by Ada" }).tap();
  await expect(ofAda.getByRole("button", { name: /^🦊, by/ })).toContainText("2");
  await ofBo.getByRole("button", { name: /^👍, by/ }).tap();
  await expect(ofAda.getByRole("button", { name: "👍, by You" })).toBeVisible();

  // From the groups by touch, in a skin tone that is remembered.
  const choice = bo.page.getByRole("dialog", { name: "Choose a reaction" });
  for (const [name, hand] of [
    ["Waving hand", "👋🏽"],
    ["Call me hand", "🤙🏽"],
  ] as const) {
    await pressLong(ofBo);
    await actions.getByRole("button", { name: "React with any emoji" }).tap();
    await choice.getByRole("button", { name: "People" }).tap();
    if (name === "Waving hand")
      await choice.getByRole("radio", { name: "Medium", exact: true }).check({ force: true });
    await choice.getByRole("gridcell", { name }).filter({ hasText: hand }).tap();
    await expect(choice).toBeHidden();
  }
  await expect(ofAda.getByRole("button", { name: "👋🏽, by Bo" })).toBeVisible();
  await expect(ofAda.getByRole("button", { name: "🤙🏽, by Bo" })).toBeVisible();
  await ada.page.reload();
  await expect(ofAda.getByRole("button", { name: /^🦊, by/ })).toContainText("2");

  // Several at once, by touch: Bo's copies go.
  await deliverText(bo.page, ada.page, "Well done");
  await pressLong(ofBo);
  await actions.getByRole("button", { name: "Select", exact: true }).tap();
  await messagesWith(bo.page, "Well done").tap();
  const bar = bo.page.getByRole("toolbar", { name: "2 messages selected" });
  await bar.getByRole("button", { name: "Delete" }).tap();
  await bo.page.getByRole("dialog").getByRole("button", { name: "Delete" }).tap();
  await expect(bo.page.getByRole("article")).toHaveCount(0);
  await expect(composer(bo.page)).toBeVisible();
  await expect(ofAda).toBeVisible();
});

/** All records of messages in the browser's database, as text. */
function storedTexts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const opening = indexedDB.open("warren-messages");
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result);
    });
    const all = database.transaction("records").objectStore("records").getAll();
    await new Promise((resolve) => {
      all.onsuccess = resolve;
    });
    database.close();
    return JSON.stringify(all.result);
  });
}
