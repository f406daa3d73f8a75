import { deliverText, openConversation } from "../support/conversation.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { copyLink, expectOnline, expectWaiting, joinByLink, startRoom } from "../support/room.ts";

/** Waits until a person sees why they could not join, with all controls to retry. */
async function expectRefused({ page, name }: Person, reason: string): Promise<void> {
  await expect(page.getByText(reason)).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Join harbour/ })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Your name" })).toHaveValue(name);
  await expect(page.getByRole("button", { name: "Join room" })).toBeEnabled();
}

/** Waits until the page asks for the password without a dialog, in an empty and focused field. */
async function expectAsked(person: Person, reason: string): Promise<void> {
  await expectRefused(person, reason);
  await expect(person.page.getByRole("dialog")).toHaveCount(0);
  await expect(person.page.getByLabel("Password", { exact: true })).toBeFocused();
  await expect(person.page.getByLabel("Password", { exact: true })).toHaveValue("");
}

/** Enters another password when asked, and joins. */
async function tryPassword({ page }: Person, password: string): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

test("the correct password opens a room, by link or typed; a wrong one or none does not", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  await startRoom(ada, { room, password: "correct horse" });
  await expectWaiting(ada.page);
  const link = await copyLink(ada);

  await startRoom(bo, { room, password: "wrong horse" });
  await expectAsked(bo, "Wrong password.");
  await expect(ada.page.getByRole("heading", { level: 1, name: "Bo" })).toHaveCount(0);

  await tryPassword(bo, "correct horse");
  await expectOnline(bo.page, "Ada");
  await expectOnline(ada.page, "Bo");
  await deliverText(bo.page, ada.page, "Now I know it");

  await startRoom(cy, { room });
  await expectAsked(cy, "This room has a password. Enter it to join.");
  await expect(cy.page.getByText(/no password/)).toHaveCount(0);
  await tryPassword(cy, "correct horse");
  await expectOnline(cy.page, "Ada");
  await expectOnline(ada.page, "Cy");
  await openConversation(ada.page, "Cy");
  await openConversation(cy.page, "Ada");
  await deliverText(ada.page, cy.page, "Here you are");

  const dee = await newPerson({ name: "Dee" });
  await joinByLink(dee, link);
  await expectOnline(dee.page, "Ada");
  await expectOnline(dee.page, "Bo");
});

test("a newcomer with a password does not join the room without one", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await startRoom(ada, { room });
  await expectWaiting(ada.page);

  await startRoom(bo, { room, password: "correct horse" });
  await expectRefused(bo, "This room has no password. Join without one.");

  await bo.page.getByRole("button", { name: "Join without a password" }).click();
  await expectOnline(bo.page, "Ada");
  await expectOnline(ada.page, "Bo");
});

test("after ten wrong passwords a newcomer needs approval, and gets it", async ({ newPerson, room }) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const eve = await newPerson({ name: "Eve" });
  const cy = await newPerson({ name: "Cy" });
  await startRoom(ada, { room, password: "correct horse" });
  await expectWaiting(ada.page);
  let closedSockets = 0;
  eve.page.on("websocket", (socket) => socket.on("close", () => void closedSockets++));
  for (let guess = 1; guess <= 10; guess++) {
    const password = `wrong ${guess}`;
    await (guess === 1 ? startRoom(eve, { room, password }) : tryPassword(eve, password));
    // The message about the previous guess is still shown during the next one.
    await expect.poll(() => closedSockets).toBe(guess);
    await expect(eve.page.getByRole("button", { name: "Join room" })).toBeEnabled();
  }
  await expect(ada.page.getByRole("button", { name: "Let in" })).toHaveCount(0);

  await startRoom(cy, { room, password: "correct horse" });
  await expect(ada.page.getByText("Someone wants to join")).toBeVisible();
  await expect(ada.page.getByText(/^Ten wrong passwords in ten minutes/)).toBeVisible();
  await expect(cy.page.getByText(`Someone in ${room} has been asked to let you in.`)).toBeVisible();
  await ada.page.getByRole("button", { name: "Let in" }).click();
  await expectOnline(ada.page, "Cy");
  await expectOnline(cy.page, "Ada");
  await deliverText(cy.page, ada.page, "Thank you");
});
