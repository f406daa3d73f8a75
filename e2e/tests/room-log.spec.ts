import type { Page } from "@playwright/test";
import { messageLog, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { attach } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  copyLink,
  expectOnline,
  joinByLink,
  meet,
  personRow,
  showNewcomers,
  startRoom,
} from "../support/room.ts";

async function expectAway(page: Page, name: string): Promise<void> {
  await expect(personRow(page, name).getByText("online", { exact: true })).toHaveCount(0);
}

/** Saves a file that was offered to everyone. */
async function save(page: Page, name: string): Promise<void> {
  const file = messagesWith(page, name);
  await file.getByRole("button", { name: "Save" }).click();
  await expect(file.getByText("Saved", { exact: true })).toBeVisible();
}

test("who was away gets what was said to everyone meanwhile, also by one who has left, in order", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  await meet([ada, bo, cy], { room });
  for (const { page } of [ada, bo, cy]) await openConversation(page, "Everyone");
  await sendText(ada.page, "All three are here");
  for (const { page } of [bo, cy]) await expect(messagesWith(page, "All three are here")).toHaveCount(1);

  await cy.page.goto("about:blank");
  for (const { page } of [ada, bo]) await expectAway(page, "Cy");
  await sendText(ada.page, "Cy is away");
  await expect(messagesWith(bo.page, "Cy is away")).toHaveCount(1);
  await expect(messagesWith(ada.page, "Cy is away")).toContainText("received by 1 · Cy is not here");
  await sendText(bo.page, "Then we two");
  await expect(messagesWith(ada.page, "Then we two")).toHaveCount(1);
  await attach(bo.page, { name: "tides.txt", mimeType: "text/plain", buffer: Buffer.from("ebb") });
  await expect(messagesWith(ada.page, "tides.txt")).toHaveCount(1);
  await attach(ada.page, { name: "charts.txt", mimeType: "text/plain", buffer: Buffer.from("shoals") });
  await save(bo.page, "charts.txt");
  await sendText(ada.page, "I leave as well");
  await expect(messagesWith(bo.page, "I leave as well")).toHaveCount(1);
  await ada.page.goto("about:blank");
  await expectAway(bo.page, "Ada");

  await cy.page.goto("/");
  await expectOnline(cy.page, "Bo");
  await openConversation(cy.page, "Everyone");
  const texts = ["All three are here", "Cy is away", "Then we two", "I leave as well"];
  for (const text of texts) await expect(messagesWith(cy.page, text)).toHaveCount(1);
  const shown = await messageLog(cy.page).innerText();
  const places = texts.map((text) => shown.indexOf(text));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  await expect(messageLog(cy.page).getByText("Not signed")).toHaveCount(0);
  await save(cy.page, "tides.txt");
  // Bo gives what Ada, who has left, offered.
  await save(cy.page, "charts.txt");
  await cy.page.reload();
  for (const text of texts) await expect(messagesWith(cy.page, text)).toHaveCount(1);
});

test("a newcomer sees what was written before anybody came, and nothing else from before unless somebody shows it", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  await startRoom(ada, { room });
  await expect(ada.page.getByText("Sent when somebody joins")).toBeVisible();
  await sendText(ada.page, "Written alone");
  await expect(messagesWith(ada.page, "Written alone")).toContainText("not delivered yet");
  await startRoom(bo, { room });
  await Promise.all([expectOnline(bo.page, "Ada"), expectOnline(ada.page, "Bo")]);
  for (const { page } of [ada, bo]) await openConversation(page, "Everyone");
  await expect(messagesWith(bo.page, "Written alone")).toContainText("Before you joined");
  await expect(messagesWith(bo.page, "Written alone")).not.toContainText("via Ada");
  await expect(messagesWith(ada.page, "Written alone")).not.toContainText("not delivered yet");
  await sendText(ada.page, "Before Cy came");
  await expect(messagesWith(bo.page, "Before Cy came")).toHaveCount(1);
  await startRoom(cy, { room });
  await Promise.all([expectOnline(cy.page, "Ada"), expectOnline(cy.page, "Bo"), expectOnline(bo.page, "Cy")]);
  await openConversation(cy.page, "Everyone");
  await sendText(bo.page, "Now that Cy is here");
  await expect(messagesWith(cy.page, "Now that Cy is here")).toHaveCount(1);
  await expect(messagesWith(cy.page, "Written alone")).toHaveCount(1);
  await expect(messagesWith(cy.page, "Before Cy came")).toHaveCount(0);

  await showNewcomers(bo.page);
  const dee = await newPerson({ name: "Dee" });
  await startRoom(dee, { room });
  await expectOnline(dee.page, "Bo");
  await openConversation(dee.page, "Everyone");
  await expect(messagesWith(dee.page, "Before Cy came")).toContainText("Before you joined, via Bo");
  await expect(messagesWith(dee.page, "Now that Cy is here")).toContainText(/Before you joined$/);
  await expect(messagesWith(cy.page, "Before Cy came")).toHaveCount(0);
});

test("what is said in one room is never seen in another, and is there on the way back", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  const { link: burrow } = await meet([ada, bo], { room });
  await startRoom(cy, { room: `${room}-attic` });
  const attic = await copyLink(cy);
  for (const { page } of [ada, bo]) await openConversation(page, "Everyone");
  await sendText(bo.page, "Only for the burrow");
  await expect(messagesWith(ada.page, "Only for the burrow")).toHaveCount(1);

  const goTo = async (link: string, other: string) => {
    await ada.page.goto(link);
    await ada.page.getByRole("button", { name: "Join room" }).click();
    await expectOnline(ada.page, other);
    await openConversation(ada.page, "Everyone");
  };
  await goTo(attic, "Cy");
  await openConversation(cy.page, "Everyone");
  await sendText(ada.page, "Only for the attic");
  await expect(messagesWith(cy.page, "Only for the attic")).toHaveCount(1);
  await sendText(cy.page, "Heard in the attic");
  await expect(messagesWith(ada.page, "Heard in the attic")).toHaveCount(1);
  for (const { page } of [ada, cy]) await expect(messagesWith(page, "Only for the burrow")).toHaveCount(0);

  await goTo(burrow, "Bo");
  await expect(messagesWith(ada.page, "Only for the burrow")).toHaveCount(1);
  for (const { page } of [ada, bo]) await expect(messagesWith(page, "attic")).toHaveCount(0);
});

test("a text that no key signed says so", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  // As over plain http.
  await bo.page.addInitScript(() => Object.defineProperty(crypto, "subtle", { value: undefined }));
  await startRoom(ada, { room });
  await joinByLink(bo, await copyLink(ada));
  await expectOnline(ada.page, "Bo");
  for (const { page } of [ada, bo]) await openConversation(page, "Everyone");
  await sendText(bo.page, "Who says so?");
  await sendText(ada.page, "I do");
  await expect(messagesWith(ada.page, "Who says so?")).toContainText("Not signed");
  await expect(messagesWith(bo.page, "I do")).toHaveCount(1);
});
