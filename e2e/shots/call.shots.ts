import type { Page } from "@playwright/test";
import { openCall, picture, press, shareScreen, withScreens } from "../support/call.ts";
import { openConversation } from "../support/conversation.ts";
import { ownServerTest as test } from "../support/fixtures.ts";
import { joinByLink, meet } from "../support/room.ts";
import { folder } from "../support/shots.ts";

const permissions = ["camera", "microphone", "clipboard-read", "clipboard-write"];

const sizes = [
  [1440, 900],
  [390, 844],
  [844, 390],
] as const;

/** Screenshots of the stage: wide, on a phone and on one that lies on its side, light and dark. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const [width, height] of sizes) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(1_500);
      await page.screenshot({ path: `${folder}call-${name}-${width}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("a call of two: calling, by voice, with video, beside its conversation, with an own screen", async ({
  newPerson,
}) => {
  test.setTimeout(400_000);
  const ada = await newPerson({ name: "Ada Lindqvist", permissions });
  const bo = await newPerson({ name: "Bo Haddad", permissions });
  for (const person of [ada, bo]) await withScreens(person);
  await meet([ada, bo], { room: "harbour" });
  await openConversation(ada.page, "Bo Haddad");
  await openConversation(bo.page, "Ada Lindqvist");
  await ada.page.getByRole("button", { name: "Voice call" }).click();
  await openCall(ada.page);
  await shoot(ada.page, "two-calling");
  await bo.page.getByRole("alertdialog").getByRole("button", { name: "Join", exact: true }).click();
  await ada.page.getByRole("timer").waitFor();
  await shoot(ada.page, "two-by-voice");
  await shoot(bo.page, "two-beside-chat");
  await press(ada.page, "Camera");
  await shoot(ada.page, "two-own-camera");
  await openCall(bo.page);
  await press(bo.page, "Camera");
  await picture(ada.page, "Bo Haddad").waitFor();
  await shoot(ada.page, "two-with-video");
  await press(bo.page, "Mic");
  await press(ada.page, "Mic");
  await ada.page.getByRole("button", { name: "Conversation" }).click();
  await shoot(ada.page, "two-conversation");
  await ada.page.getByRole("button", { name: "Conversation" }).click();
  await shareScreen(ada.page);
  await shoot(ada.page, "two-own-screen");
  await shoot(bo.page, "two-their-screen");
});

test("a ringing call, and whom to call", async ({ newPerson }) => {
  test.setTimeout(400_000);
  const ada = await newPerson({ name: "Ada", permissions });
  const bo = await newPerson({ name: "Bo", permissions });
  const cy = await newPerson({ name: "Cy", permissions });
  await meet([ada, bo, cy], { room: "harbour" });
  await openCall(cy.page);
  await shoot(cy.page, "whom");
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  for (const [width, height] of sizes) {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const { page } of [ada, bo]) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
      }
      await ada.page.getByRole("button", { name: "Video call" }).click();
      await bo.page.getByRole("alertdialog").waitFor();
      await bo.page.waitForTimeout(800);
      await bo.page.screenshot({ path: `${folder}ring-in-${width}-${colorScheme}.png` });
      await ada.page.screenshot({ path: `${folder}ring-out-${width}-${colorScheme}.png` });
      await ada.page.getByRole("button", { name: "Cancel" }).click();
      await ada.page.waitForTimeout(16_000); // four rings a minute
    }
  }
});

test("the stage with 1, 2, 4 and 9 tiles, and a screen with three cameras beside it", async ({
  newPerson,
}) => {
  test.setTimeout(400_000);
  const ada = await newPerson({ name: "Ada", permissions });
  const bo = await newPerson({ name: "Bo", permissions });
  const cy = await newPerson({ name: "Cy", permissions });
  for (const person of [ada, bo, cy]) await withScreens(person);
  const { link } = await meet([ada, bo], { room: "harbour" });
  await joinByLink(cy, link);
  await openCall(ada.page);
  await press(ada.page, "Camera");
  await shoot(ada.page, "1");
  await openCall(bo.page);
  await press(bo.page, "Mic");
  await press(bo.page, "Camera");
  await picture(ada.page, "Bo").waitFor();
  await shoot(ada.page, "2");
  await openCall(cy.page);
  await press(cy.page, "Mic");
  await ada.page.getByText("Cy", { exact: true }).first().waitFor();
  await shoot(ada.page, "3-one-without-camera");
  await press(cy.page, "Camera");
  await picture(ada.page, "Cy").waitFor();
  await shareScreen(bo.page);
  await picture(ada.page, "Screen of Bo").waitFor();
  await shoot(ada.page, "screen-with-3-cameras");
  await ada.page.getByRole("button", { name: "Show all" }).click();
  await shoot(ada.page, "4");
  await shareScreen(bo.page);
  for (const { page } of [ada, ada, cy, cy]) await shareScreen(page);
  await ada.page.waitForTimeout(3_000);
  await shoot(ada.page, "9");
});
