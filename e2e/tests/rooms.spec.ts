import type { Page } from "@playwright/test";
import { expectNoViolations } from "../support/accessibility.ts";
import { openConversation } from "../support/conversation.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import {
  copyLink,
  dismiss,
  expectOnline,
  expectWaiting,
  joinByLink,
  personRow,
  startRoom,
} from "../support/room.ts";

const switcher = (page: Page) => page.getByRole("button", { name: /switch room/ });
const palette = (page: Page) => page.getByRole("combobox", { name: "Search Warren" });
const everyoneLog = (page: Page) => page.getByRole("log", { name: "Conversation with everyone" });
const field = (page: Page) => page.getByRole("textbox", { name: /^Message/ });

/** Joins a room by its name, from the room one is in. */
async function goToNew(page: Page, room: string): Promise<void> {
  await chooseFrom(switcher(page), "Join by link or code");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox").fill(room);
  await dialog.getByRole("button", { name: "Join", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/r/${room}$`));
}

async function writeToEveryone(page: Page, text: string): Promise<void> {
  await openConversation(page, "Everyone");
  await field(page).fill(text);
  await field(page).press("Control+Enter");
  await expect(everyoneLog(page).getByText(text)).toBeVisible();
}

/** Ada is alone with Bo in one room and with Cy in another; she is in the other one. */
async function inTwoRooms([ada, bo, cy]: readonly [Person, Person, Person], room: string): Promise<void> {
  const [first, second] = [`${room}-a`, `${room}-b`];
  await startRoom(ada, { room: first });
  await expectWaiting(ada.page);
  await joinByLink(bo, await copyLink(ada));
  await expectOnline(ada.page, "Bo");
  await writeToEveryone(bo.page, "Hello from Bo");
  await openConversation(ada.page, "Everyone");
  await expect(everyoneLog(ada.page).getByText("Hello from Bo")).toBeVisible();
  await field(ada.page).fill("half a thought for Bo");
  await goToNew(ada.page, second);
  await joinByLink(cy, await copyLink(ada));
  await expectOnline(ada.page, "Cy");
}

test("two rooms with one person each never mix, the palette leads between them, and one is forgotten", async ({
  newPerson,
  room,
}) => {
  const [ada, bo, cy] = [
    await newPerson({ name: "Ada" }),
    await newPerson({ name: "Bo" }),
    await newPerson({ name: "Cy" }),
  ];
  await inTwoRooms([ada, bo, cy], room);
  const { page } = ada;

  // People and history: Bo is not in this room, nor what was said in the other one.
  await expect(personRow(page, "Bo").getByText("online", { exact: true })).toHaveCount(0);
  await openConversation(page, "Everyone");
  await expect(field(page)).toHaveValue("");
  await writeToEveryone(cy.page, "Hello from Cy");
  await expect(everyoneLog(page).getByText("Hello from Cy")).toBeVisible();
  await expect(everyoneLog(page).getByText("Hello from Bo")).toHaveCount(0);
  await expect(everyoneLog(cy.page).getByText("Hello from Bo")).toHaveCount(0);

  // Unread messages of one room are not the other's.
  await openConversation(page, "Cy");
  await writeToEveryone(cy.page, "Are you there?");
  await switcher(page).click();
  await expect(
    page.getByRole("menuitem", { name: new RegExp(`^${room}-b.*1 unread message`) }),
  ).toBeVisible();
  await page.getByRole("menuitem", { name: new RegExp(`^${room}-a$`) }).click();
  await expect(page).toHaveURL(new RegExp(`/r/${room}-a$`));
  await expectOnline(page, "Bo");

  // The draft waited where it was written.
  await openConversation(page, "Everyone");
  await expect(field(page)).toHaveValue("half a thought for Bo");
  await expect(everyoneLog(page).getByText("Hello from Bo")).toBeVisible();
  await expect(everyoneLog(page).getByText("Hello from Cy")).toHaveCount(0);
  await field(page).press("Control+Enter");
  await expect(everyoneLog(bo.page).getByText("half a thought for Bo")).toBeVisible();
  await expect(cy.page.getByText("half a thought for Bo")).toHaveCount(0);

  // A search in one room's conversation finds nothing of the other's; the palette finds both, and names the room.
  await page.keyboard.press("Control+k");
  await palette(page).fill("hello from");
  const found = page.getByRole("group", { name: "Messages" }).getByRole("option");
  await expect(found).toHaveCount(2);
  await expect(found.filter({ hasText: "Hello from Cy" })).toContainText(`${room}-b`);
  await expect(found.filter({ hasText: "Hello from Bo" })).toContainText(`${room}-a`);

  // The palette leads to messages of other rooms, and by keyboard to people and commands.
  await expectNoViolations(page, "palette");
  await found.filter({ hasText: "Hello from Cy" }).click();
  await expect(everyoneLog(page).getByText("Hello from Cy")).toBeVisible();
  await expectOnline(page, "Cy");
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeFocused();
  await page.keyboard.type("cy");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Cy" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await palette(page).fill("settings");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/setting$/);
  await page.getByRole("link", { name: "Chat" }).click();

  // A room is forgotten from the list of all, without joining it.
  await chooseFrom(switcher(page), "All rooms");
  await page.getByRole("button", { name: `Settings of ${room}-a` }).click();
  await page.getByRole("button", { name: "Forget this room" }).click();
  const question = page.getByRole("dialog", { name: `Forget ${room}-a?` });
  await question.getByRole("button", { name: "Forget" }).click();
  // Until it is gone, nothing below it is found.
  await expect(question).toHaveCount(0);
  await expect(page.getByRole("button", { name: `Settings of ${room}-a` })).toHaveCount(0);
  await dismiss(page.getByRole("dialog", { name: "Your rooms" }));
  await expectOnline(page, "Cy");
  await page.keyboard.press("Control+k");
  await palette(page).fill("hello from bo");
  await expect(page.getByText("No results").first()).toBeAttached();
  await page.keyboard.press("Escape");
  await page.reload();
  await expectOnline(page, "Cy");
  await switcher(page).click();
  await expect(page.getByRole("menuitem", { name: new RegExp(`^${room}-b`) })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: new RegExp(`^${room}-a`) })).toHaveCount(0);
});

test("Back and Forward go to the rooms of the history, and a reload rejoins", async ({
  newPerson,
  room,
  server,
}) => {
  const { page, ...ada } = await newPerson({ name: "Ada" });
  const [first, second] = [`${room}-a`, `${room}-b`];
  await startRoom({ page, ...ada }, { room: first, password: "tidal" });
  await expectWaiting(page);
  await expect(page).toHaveURL(`${server.url}/r/${first}`);
  await goToNew(page, second);
  await expectWaiting(page);

  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/r/${first}`);
  await expectWaiting(page);
  await expect(switcher(page)).toContainText(first);
  await expect(switcher(page)).toContainText("Room with a password");
  await page.goForward();
  await expect(page).toHaveURL(`${server.url}/r/${second}`);
  await expectWaiting(page);
  await expect(switcher(page)).toContainText(second);

  await page.goBack();
  await expect(switcher(page)).toContainText(first);
  await expectWaiting(page);
  await page.reload();
  await expectWaiting(page);
  await expect(page).toHaveURL(`${server.url}/r/${first}`);
  await expect(switcher(page)).toContainText("Room with a password");
});
