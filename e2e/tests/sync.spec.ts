import type { Locator, Page } from "@playwright/test";
import { expectNoViolations, inEveryLook } from "../support/accessibility.ts";
import { openConversation } from "../support/conversation.ts";
import { attach, fileCard, keepHere } from "../support/files.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { meet } from "../support/room.ts";

/** Sends a file that is accepted automatically. */
async function sendAccepted(from: Person, to: Person, name: string): Promise<void> {
  await attach(from.page, { name, mimeType: "text/plain", buffer: Buffer.alloc(50_000, name) });
  await keepHere(fileCard(to.page, name));
  await expect(fileCard(to.page, name)).toContainText("Received");
}

function row(page: Page, name: string): Locator {
  return page.getByRole("row").filter({ hasText: name });
}

test("two people compare, fetch and send files; files of a third person are not listed", async ({
  newPerson,
  room,
}) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  await meet([ada, bo, cy], { room });
  const people = { Ada: ada, Bo: bo, Cy: cy };
  const open = (person: keyof typeof people, other: string) => openConversation(people[person].page, other);
  await Promise.all([open("Cy", "Bo"), open("Bo", "Cy")]);
  await sendAccepted(cy, bo, "between-cy-and-bo.txt");
  await Promise.all([open("Ada", "Bo"), open("Bo", "Ada")]);
  await sendAccepted(bo, ada, "both-have-it.txt");
  await attach(bo.page, { name: "theirs.txt", mimeType: "text/plain", buffer: Buffer.alloc(20_000, "t") });
  await expect(fileCard(ada.page, "theirs.txt")).toBeVisible();

  await ada.page.getByRole("button", { name: "Compare files" }).click();
  await expect(ada.page).toHaveURL(/\/client\/[^/]+\/sync$/);
  await expect(row(ada.page, "both-have-it.txt")).toContainText("Same");
  await expect(row(ada.page, "theirs.txt")).toContainText("New");
  await expect(ada.page.getByText("between-cy-and-bo.txt")).toHaveCount(0);
  await inEveryLook(ada.page, (look) => expectNoViolations(ada.page, `files of two, ${look}`));
  await ada.page.setViewportSize({ width: 1440, height: 900 });

  await ada.page.getByRole("button", { name: "Get 1 file" }).click();
  await expect(row(ada.page, "theirs.txt")).toContainText("Same");
  await expect(ada.page.getByText("Nothing is missing here")).toBeVisible();

  // Bo does not share files received from Cy.
  await bo.page.getByRole("button", { name: "Compare files" }).click();
  await expect(row(bo.page, "between-cy-and-bo.txt")).toContainText("Only here");
  await bo.page.getByRole("button", { name: "Send between-cy-and-bo.txt" }).click();
  await expect(row(bo.page, "between-cy-and-bo.txt")).toContainText("Offered");
  await ada.page.getByRole("button", { name: "Compare again" }).click();
  await ada.page.getByRole("button", { name: "Get between-cy-and-bo.txt" }).click();
  await expect(row(ada.page, "between-cy-and-bo.txt")).toContainText("Same");
  await expect(row(bo.page, "between-cy-and-bo.txt")).toContainText("Same");

  await bo.page.close();
  await expect(ada.page.getByRole("heading", { name: "Compare files with Bo" })).toBeVisible();
  await expect(ada.page.getByRole("paragraph").filter({ hasText: "Bo is not here" })).toBeVisible();
});
