import { expectNoViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  copyLink,
  expectOnline,
  expectWaiting,
  joinByLink,
  joinForm,
  passwordField,
  startRoom,
} from "../support/room.ts";

test("the first visit begins with what to do, leads to the join form and into a room, and is the only one", async ({
  newPerson,
}) => {
  const { page, context } = await newPerson({ name: "Ada", isNew: true });
  const welcome = page.getByRole("dialog", { name: "Welcome to Warren" });
  await page.goto("/");
  await expect(welcome.getByRole("listitem")).toHaveCount(3);
  await expect(welcome.getByText("Your data lives only in this browser")).toBeVisible();
  await expectNoViolations(page, "first run");
  await page.keyboard.press("Escape");
  await expect(welcome).toBeHidden();
  await expect(page.getByRole("textbox", { name: "Your name" })).toBeFocused();

  // Neither a reload nor another tab begins anew.
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto("/");
    await expect(tab.getByRole("heading", { name: "Start a room" })).toBeVisible();
    await tab.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await expect(tab.getByRole("dialog")).toHaveCount(0);
  }

  await page.evaluate(() => localStorage.setItem("app_initialized", "[]"));
  await page.reload();
  await welcome.getByRole("button", { name: "Set name and room" }).click();
  const form = joinForm(page);
  await form.getByRole("textbox", { name: "Room ID" }).fill("quay");
  await form.getByRole("textbox", { name: "Your name" }).fill("Ada");
  await passwordField(form).fill("tidal");
  await form.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  await expect(page.getByRole("heading", { name: "quay" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("app_initialized"))).toBe("true");
});

test("a newcomer finds three hints below the people, and can delete them for good", async ({ newPerson }) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  await startRoom(ada, { room: "harbour" });
  await expectWaiting(page);
  const welcome = page.getByRole("group", { name: "Getting started" });
  await welcome.getByRole("option").click();
  await expect(page.getByRole("log").getByRole("article")).toHaveCount(3);
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveCount(0);

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete Warren" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(welcome).toHaveCount(0);
  // The start page comes back when the deletion is stored; a reload before that keeps the conversation's address.
  await expectWaiting(page);
  await page.reload();
  await expectWaiting(page);
  await expect(page.getByRole("option")).toHaveCount(1);
});

test("one tab is in the room; another says so and can take its place", async ({ newPerson }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await startRoom(ada, { room: "harbour" });
  await expectWaiting(ada.page);
  const link = await copyLink(ada);
  await joinByLink(bo, link);
  await expectOnline(ada.page, "Bo");

  const second = await ada.context.newPage();
  const elsewhere = "This room is open in another tab.";
  await second.goto(link);
  await expect(second.getByText(elsewhere)).toBeVisible();
  await expectOnline(bo.page, "Ada");
  await expectOnline(ada.page, "Bo");

  await second.getByRole("button", { name: "Use here" }).click();
  await expectOnline(second, "Bo");
  await expectOnline(bo.page, "Ada");
  await expect(ada.page.getByText(elsewhere)).toBeVisible();
  await ada.page.getByRole("button", { name: "Use here" }).click();
  await expectOnline(ada.page, "Bo");
  await expect(second.getByText(elsewhere)).toBeVisible();

  // Said before anybody joins, as long as it is so.
  const third = await ada.context.newPage();
  await third.goto("/?id=quay");
  await expect(third.getByText("You are in harbour in another tab.")).toBeVisible();
  await expect(third.getByRole("heading", { name: "Join quay" })).toBeVisible();
  await ada.page.close();
  await expect(third.getByText("in another tab")).toHaveCount(0);
});
