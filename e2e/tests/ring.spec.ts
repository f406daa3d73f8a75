import type { Page } from "@playwright/test";
import { expectNoViolations } from "../support/accessibility.ts";
import { launchOptions } from "../support/browser.ts";
import { liveTracks, withScreens } from "../support/call.ts";
import { openConversation } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { meet } from "../support/room.ts";

// The shell has no fake devices.
test.use({ launchOptions });

const permissions = ["camera", "microphone", "clipboard-read", "clipboard-write"];
const ring = (page: Page) => page.getByRole("alertdialog");

test("a call takes one press on each side, is heard by nobody else, and ends for both", async ({
  newPerson,
  room,
}) => {
  test.setTimeout(120_000);
  const ada = await newPerson({ name: "Ada", permissions });
  const bo = await newPerson({ name: "Bo", permissions });
  const cy = await newPerson({ name: "Cy", permissions });
  for (const person of [ada, bo]) await withScreens(person);
  await meet([ada, bo, cy], { room });
  await openConversation(ada.page, "Bo");

  await ada.page.getByRole("button", { name: "Video call" }).click();
  await expect(ring(ada.page)).toContainText("Calling Bo …");
  await expect(ring(bo.page)).toContainText("Ada is calling with video");
  await expect(ring(cy.page)).toBeHidden();
  await expectNoViolations(bo.page, "a ringing call");
  await ring(bo.page).getByRole("button", { name: "Join", exact: true }).click();
  await expect(ring(ada.page)).toBeHidden();
  await expect.poll(() => liveTracks(bo.page)).toEqual(["audio", "video"]);

  // Each hears the other, and Cy is not told of anything.
  const bar = (page: Page) => page.getByRole("region", { name: "Call", exact: true });
  await expect(bar(ada.page)).toContainText("with Bo", { timeout: 30_000 });
  await expect(bar(bo.page)).toContainText("with Ada", { timeout: 30_000 });
  await expect(bar(cy.page)).toBeHidden();

  await bar(bo.page).getByRole("button", { name: "Leave" }).click();
  await expect(ada.page.getByText("Bo left the call")).toBeVisible();
  await expect.poll(() => liveTracks(ada.page)).toEqual([]);
  expect(await liveTracks(bo.page)).toEqual([]);

  await ada.page.getByRole("button", { name: "Voice call" }).click();
  await ring(bo.page).getByRole("button", { name: "Decline" }).click();
  await expect(ada.page.getByText("Bo declined")).toBeVisible();
  await expect.poll(() => liveTracks(ada.page)).toEqual([]);
});
