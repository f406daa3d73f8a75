import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectNoViolations } from "../support/accessibility.ts";
import { launchOptions } from "../support/browser.ts";
import {
  expectInCall as expect,
  expectMoving,
  liveTracks,
  press,
  soundEnergy,
  withScreens,
} from "../support/call.ts";
import { deliverText, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { countEffort } from "../support/effort.ts";
import { attach, fileCard, keepHere, slowDisk } from "../support/files.ts";
import { test } from "../support/fixtures.ts";
import { meet, personRow } from "../support/room.ts";
import { expectStill, expectUncovered, watchStill } from "../support/still.ts";

// The shell has no fake devices.
test.use({ launchOptions });
// Calls encode their media in software.
test.describe.configure({ timeout: 420_000 });

const permissions = ["camera", "microphone", "clipboard-read", "clipboard-write"];
const ring = (page: Page) => page.getByRole("alertdialog");
/** What is seen of a conversation during a call: its head, its newest message, its field. */
const besideCalls = (page: Page) => [
  page.locator("header:has(h1)"),
  page.getByRole("log").getByRole("article").last(),
  page.getByRole("textbox", { name: "Message" }),
];

test("a call takes one press on each side, is heard by nobody else, and ends for both", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada", permissions });
  const bo = await newPerson({ name: "Bo", permissions });
  const cy = await newPerson({ name: "Cy", permissions });
  for (const person of [ada, bo]) await withScreens(person);
  const efforts = [await countEffort(ada.page), await countEffort(bo.page)] as const;
  const clicks = async () => [(await efforts[0]()).clicks, (await efforts[1]()).clicks] as const;
  await meet([ada, bo, cy], { room });
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  await sendText(ada.page, "Have you a minute?");
  await sendText(ada.page, "I want to show you something");
  await expect(messagesWith(bo.page, "I want to show you something")).toBeVisible();

  // A file that is accepted and received moves neither what is above it nor what is below, nor its own parts.
  // It takes six seconds: the time left is known after two, and shown for longer than the longest step of a poll.
  const file = { name: "survey.bin", mimeType: "", buffer: randomBytes(24 * 1024 * 1024) };
  await attach(ada.page, file);
  await expect(fileCard(bo.page, file.name)).toBeVisible();
  await deliverText(ada.page, bo.page, "This is it");
  await slowDisk(bo.page);
  for (const { page } of [ada, bo]) await watchStill(page);
  await keepHere(fileCard(bo.page, file.name));
  await expect(fileCard(bo.page, file.name)).toContainText(" left");
  await expect(fileCard(bo.page, file.name)).toContainText("Received");
  await expect(fileCard(ada.page, file.name)).toContainText("Received by Bo");
  for (const { page } of [ada, bo]) await expectStill(page, "an offer is accepted");
  for (const { page } of [ada, bo]) await watchStill(page);

  const tile = (page: Page) => page.getByRole("region", { name: "Call", exact: true });
  const [adasBefore, bosBefore] = await clicks();
  await ada.page.getByRole("button", { name: "Video call" }).click();
  await expect(tile(ada.page)).toContainText(/Calling Bo…\s*Video call/);
  await expect(ring(bo.page)).toContainText(/Ada is calling\s*Video call/);
  await expect(ring(cy.page)).toBeHidden();
  await expectUncovered(ring(bo.page), besideCalls(bo.page));
  await expectNoViolations(bo.page, "a ringing call");
  await ring(bo.page).getByRole("button", { name: "Join", exact: true }).click();
  await expect(tile(ada.page)).not.toContainText("Calling");
  await expect.poll(() => liveTracks(bo.page)).toEqual(["audio", "video"]);

  // Each hears the other, and Cy is not told of anything.
  for (const { page } of [ada, bo]) {
    await expect.poll(() => soundEnergy(page)).toBeGreaterThan(0);
    await expect(tile(page).getByRole("timer")).toBeVisible();
    // Between two there is nothing to say of who hears whom.
    await expect(tile(page)).not.toContainText("sharing");
  }
  await expect(tile(cy.page)).toBeHidden();
  expect(await clicks()).toEqual([adasBefore + 1, bosBefore + 1]);
  for (const { page } of [ada, bo]) await expectStill(page, "a call begins");

  // The tile is moved by keyboard and by hand, and its picture opens the call, with the conversation beside it.
  await tile(ada.page).getByRole("button", { name: "Move the call" }).press("ArrowRight");
  await expect(tile(ada.page)).toHaveAttribute("data-corner", "top-right");
  await expectMoving(tile(ada.page).locator("video"));
  const box = await tile(ada.page).boundingBox();
  const { mouse } = ada.page;
  await mouse.move((box?.x ?? 0) + 80, (box?.y ?? 0) + 60);
  await mouse.down();
  await mouse.move(300, 500, { steps: 4 });
  await mouse.up();
  await expect(tile(ada.page)).toHaveAttribute("data-corner", "bottom-left");
  await expectNoViolations(ada.page, "the tile of a call");
  await tile(ada.page).getByRole("link", { name: "Back to call" }).click();
  await ada.page.getByRole("button", { name: "Conversation" }).click();
  await sendText(ada.page, "Do you see it?");
  await expect(messagesWith(bo.page, "Do you see it?")).toBeVisible();
  await expectNoViolations(ada.page, "a call with its conversation");
  const size = ada.page.viewportSize();
  await ada.page.setViewportSize({ width: 390, height: 844 });
  await press(ada.page, "Mic");
  await press(ada.page, "Mic");
  if (size !== null) await ada.page.setViewportSize(size);
  await ada.page.getByRole("link", { name: "Chat" }).click();

  // Bars over the conversation move nothing either. Cy, who heads the list already, writes what cannot be stored: in the open
  // conversation a new message rightly moves those above it.
  await openConversation(cy.page, "Ada");
  await sendText(cy.page, "Are you there?");
  await expect(personRow(ada.page, "Cy")).toContainText("Are you there?");
  await watchStill(ada.page);
  await ada.context.setOffline(true);
  await ada.page.getByText("This device is offline", { exact: false }).waitFor();
  await ada.context.setOffline(false);
  await ada.page.getByText("This device is offline", { exact: false }).waitFor({ state: "hidden" });
  await ada.page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("", "QuotaExceededError");
    };
  });
  await sendText(cy.page, "It is full");
  await ada.page.getByText("Storage is full.", { exact: false }).waitFor();
  await expectStill(ada.page, "bars come and go");

  await tile(bo.page).getByRole("button", { name: "Leave" }).click();
  for (const { page } of [ada, bo]) await expect(messagesWith(page, "Video call · ")).toBeVisible();
  await expect.poll(() => liveTracks(ada.page)).toEqual([]);
  expect(await liveTracks(bo.page)).toEqual([]);

  await ada.page.getByRole("button", { name: "Voice call" }).click();
  await bo.page.setViewportSize({ width: 390, height: 844 });
  await expectUncovered(ring(bo.page), besideCalls(bo.page));
  await ring(bo.page).getByRole("button", { name: "Decline" }).click();
  await expect(messagesWith(ada.page, "Declined voice call")).toBeVisible();
  await expect.poll(() => liveTracks(ada.page)).toEqual([]);
});
