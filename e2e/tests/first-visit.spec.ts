import { expectNoViolations } from "../support/accessibility.ts";
import { openConversation } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { copyLink, expectOnline, expectWaiting, joinByLink, startRoom } from "../support/room.ts";
import { expectUncovered } from "../support/still.ts";

test("the first visit has no dialog, and one click creates a room with its link and QR code", async ({
  newPerson,
}) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Send anything to anyone" })).toBeVisible();
  await expect(page.getByText("Your data is kept only in this browser")).toBeVisible();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Your name" })).toHaveValue(/\S/);
  await expectNoViolations(page, "start");

  await page.getByRole("button", { name: "New room" }).click();
  await expectWaiting(page);
  await expect(page.getByText("Link copied")).toBeVisible();
  await expectUncovered(page.locator("[data-toast]").filter({ hasText: "Link copied" }), [
    page.getByRole("textbox", { name: "Message" }),
  ]);
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  const { pathname, hash } = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  const [, room = "no room"] = /^\/r\/([\w-]+)$/.exec(pathname) ?? [];
  await expect(page.getByRole("heading", { name: room })).toBeVisible();
  const [password = ""] = hash.slice(1).split(".");
  expect(decodeURIComponent(password)).toMatch(/^.{12}$/);
  expect(await page.evaluate(() => localStorage.getItem("app_initialized"))).toBe("true");
});

test("a newcomer sees three hints below the people, and can delete them permanently", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  await startRoom(ada, { room });
  await expectWaiting(page);
  const welcome = page.getByRole("list", { name: "Getting started" });
  await welcome.getByRole("link").click();
  await expect(page.getByRole("log").getByRole("article")).toHaveCount(3);
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveCount(0);

  await chooseFrom(page.getByRole("button", { name: "More", exact: true }), "Delete conversation");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(welcome).toHaveCount(0);
  // The start page returns once the deletion is stored; an earlier reload keeps the conversation's address.
  await expectWaiting(page);
  await page.reload();
  await expectWaiting(page);
  await expect(page.getByRole("navigation", { name: "People" }).getByRole("link")).toHaveCount(1);
});

test("only one tab is in the room; another shows that and can take over", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await startRoom(ada, { room });
  await expectWaiting(ada.page);
  const link = await copyLink(ada);
  await joinByLink(bo, link);
  await expectOnline(ada.page, "Bo");

  const second = await ada.context.newPage();
  const elsewhere = `${room} is open in another tab.`;
  await second.goto(link);
  await expect(second.getByRole("heading", { name: elsewhere })).toBeVisible();
  await expect(second.getByRole("button", { name: "Join room" })).toHaveCount(0);
  await expectOnline(bo.page, "Ada");
  await expectOnline(ada.page, "Bo");

  await second.getByRole("button", { name: "Use here" }).click();
  await expectOnline(second, "Bo");
  await expectOnline(bo.page, "Ada");
  await expect(ada.page.getByText(elsewhere)).toBeVisible();
  await ada.page.getByRole("button", { name: "Use here" }).click();
  await expectOnline(ada.page, "Bo");
  await expect(second.getByText(elsewhere)).toBeVisible();
  // The link of the room one is in, opened there: the secret leaves the address, nothing else happens.
  await openConversation(ada.page, "Bo");
  await ada.page.goBack();
  await ada.page.evaluate((opened) => location.assign(opened), link);
  await expect(ada.page).toHaveURL(new RegExp(`/r/${room}$`));
  await expectOnline(ada.page, "Bo");

  // Another one asks, and Not now leads back to the conversation that was open.
  await openConversation(ada.page, "Bo");
  await ada.page.goto("/?id=quay");
  await expect(ada.page.getByRole("heading", { name: "Join quay" })).toBeVisible();
  await ada.page.getByRole("button", { name: "Not now" }).click();
  await expect(ada.page.getByRole("heading", { level: 1, name: "Bo" })).toBeVisible();
  await expectOnline(ada.page, "Bo");

  // Shown before joining, while another tab is in the room.
  const third = await ada.context.newPage();
  await third.goto("/?id=quay");
  await expect(third.getByText(`You are in ${room} in another tab.`)).toBeVisible();
  await expect(third.getByRole("heading", { name: "Join quay" })).toBeVisible();
  await ada.page.close();
  await expect(third.getByText("in another tab")).toHaveCount(0);
});
