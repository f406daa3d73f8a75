import { expectNoViolations, inEveryLook } from "../support/accessibility.ts";
import { messagesWith, openConversation } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { meet } from "../support/room.ts";

test("another app's share is pending until a recipient is chosen, and removed from the address", async ({
  newPerson,
  room,
}) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const { page } = ada;
  await meet([ada, bo], { room });

  const query = new URLSearchParams({ title: "Tides", text: "High at nine", url: "javascript:alert(1)" });
  await page.goto(`/share?${query}`);
  await expect(page.getByRole("heading", { name: "Shared with Warren" })).toBeVisible();
  await expect(page.getByText("High at nine")).toBeVisible();
  await expect(page).toHaveURL(/\/share$/);
  await expect(page.getByText("javascript:")).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("High at nine")).toBeVisible();
  await page.getByRole("link", { name: "Files" }).click();
  await expect(page.getByText("1 shared item is waiting. Choose who gets it.")).toBeVisible();
  await page.getByRole("link", { name: "Choose" }).click();
  await expect(page.getByRole("button", { name: /^Bo/ })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `share, ${look}`));
  await page.getByRole("button", { name: /^Bo/ }).click();
  await expect(page.getByRole("dialog", { name: "Send to Bo" })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `send dialog, ${look}`));
  await page.getByRole("button", { name: "Send" }).click();

  await openConversation(bo.page, "Ada");
  await expect(messagesWith(bo.page, "High at nine")).toBeVisible();
  await expect(messagesWith(page, "High at nine")).toBeVisible();
});
