import { deliverText, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  copyLink,
  expectOnline,
  expectWaiting,
  joinByLink,
  meet,
  personRow,
  startRoom,
} from "../support/room.ts";

const password = "quiet Füchse & 7 + 1%";

test("two people meet by a copied link and exchange texts", async ({ newPerson, server, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });

  await startRoom(ada, { room, password });
  await expectWaiting(ada.page);
  await expect(ada.page).toHaveURL(`${server.url}/r/${room}`);
  const link = await copyLink(ada);
  const { origin, pathname, search, hash } = new URL(link);
  expect(origin + pathname + search).toBe(`${server.url}/r/${room}`);
  expect(decodeURIComponent(hash)).toContain(password);

  await bo.page.goto(link);
  await expect(bo.page.getByRole("heading", { name: `Join ${room}` })).toBeVisible();
  await expect(bo.page).toHaveURL(`${server.url}/`);
  await bo.page.getByRole("textbox", { name: "Your name" }).fill("Bo");
  await bo.page.getByRole("button", { name: "Join room" }).click();

  await expectOnline(ada.page, "Bo");
  await expectOnline(bo.page, "Ada");
  // The conversation with the only peer opens automatically.
  await expect(ada.page.getByRole("heading", { level: 1, name: "Bo" })).toBeVisible();
  await expect(bo.page.getByRole("heading", { level: 1, name: "Ada" })).toBeVisible();
  await deliverText(ada.page, bo.page, "Hello from the harbour");
  await deliverText(bo.page, ada.page, "Hello back");

  for (const { page } of [ada, bo]) expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("");
  const asked = [...ada.requests, ...bo.requests].join("\n");
  expect(asked).not.toContain("pwd");
  expect(asked).not.toContain("quiet");
});

test("Enter inserts a line break, and Shift+Enter sends", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });

  const field = ada.page.getByRole("textbox", { name: "Message" });
  await field.pressSequentially("first line");
  await field.press("Enter");
  await field.pressSequentially("second line");
  await expect(field).toHaveValue("first line\nsecond line");
  await field.press("Shift+Enter");

  await expect(field).toHaveValue("");
  await expect(bo.page.getByRole("log").getByText("first line\nsecond line", { exact: true })).toBeVisible();
});

test("three people see each other, and a message to everyone reaches both others", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  await startRoom(ada, { room });
  const link = await copyLink(ada);
  await joinByLink(bo, link);
  await joinByLink(cy, link);
  await Promise.all([
    expectOnline(ada.page, "Bo"),
    expectOnline(ada.page, "Cy"),
    expectOnline(bo.page, "Ada"),
    expectOnline(bo.page, "Cy"),
    expectOnline(cy.page, "Ada"),
    expectOnline(cy.page, "Bo"),
  ]);

  await openConversation(ada.page, "Everyone");
  await sendText(ada.page, "Supper at eight");
  await openConversation(bo.page, "Everyone");
  await openConversation(cy.page, "Everyone");
  await expect(messagesWith(bo.page, "Supper at eight")).toHaveCount(1);
  await expect(messagesWith(cy.page, "Supper at eight")).toHaveCount(1);
  const receipt = ada.page.getByRole("button", { name: "received by all" });
  await receipt.click();
  const recipients = ada.page.getByRole("dialog", { name: "Who received it" }).getByRole("listitem");
  await expect(recipients.filter({ hasText: "Bo" })).toContainText("Received");
  await expect(recipients.filter({ hasText: "Cy" })).toContainText("Received");
  await ada.page.keyboard.press("Escape");

  await sendText(cy.page, "I bring bread");
  await expect(messagesWith(ada.page, "I bring bread")).toHaveCount(1);
  await expect(messagesWith(bo.page, "I bring bread")).toHaveCount(1);

  // A direct message stays between two people.
  await openConversation(bo.page, "Cy");
  await sendText(bo.page, "A secret for one");
  await expect(personRow(cy.page, "Bo").getByText("1 unread message")).toBeAttached();
  await openConversation(cy.page, "Bo");
  await expect(messagesWith(cy.page, "A secret for one")).toHaveCount(1);
  await expect(ada.page.getByText("A secret for one")).toHaveCount(0);
});
