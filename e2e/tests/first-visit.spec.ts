import { expect, test } from "../support/fixtures.ts";
import { copyLink, expectOnline, expectWaiting, joinByLink, startRoom } from "../support/room.ts";

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
});
