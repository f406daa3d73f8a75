import type { Page } from "@playwright/test";
import { expectNoViolations } from "../support/accessibility.ts";
import { messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { findCutOff } from "../support/cut-off.ts";
import { attach, fileCard } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { copyLink, joinByLink, personRow, startRoom } from "../support/room.ts";
import { expectUncovered } from "../support/still.ts";
import { pressLong } from "../support/touch.ts";

/** Expects that nothing is wider than the window. */
function expectFitting(page: Page): Promise<void> {
  return expect
    .poll(async () => (await findCutOff(page)).filter((fault) => /sideways|leaves/.test(fault)))
    .toEqual([]);
}

test("by touch, a file is accepted, and a long press on a message opens its actions, including forwarding", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const bo = await newPerson({ name: "Bo", ...phone });
  await bo.page.goto("/");
  await bo.page.getByRole("button", { name: "How it works" }).tap();
  const tall = bo.page.getByRole("dialog", { name: "How it works" });
  await expect(tall.getByRole("button", { name: "Close" })).toBeInViewport();
  expect(
    await tall.evaluate(({ scrollTop, scrollHeight, clientHeight }) => [
      scrollTop,
      scrollHeight > clientHeight,
    ]),
  ).toEqual([0, true]);
  // Its link is wider than a toast.
  await startRoom(ada, { room: `${room}-at-low-tide` });
  await ada.page.setViewportSize(phone.viewport);
  let link = "";
  await expect(async () => {
    link = await copyLink(ada);
    await expectUncovered(ada.page.locator("[data-toast]").filter({ hasText: "Link copied" }).last(), [
      ada.page.getByRole("heading", { level: 1 }),
      ada.page.getByRole("button", { name: "Room menu" }),
    ]);
  }).toPass();
  await ada.page.setViewportSize({ width: 1280, height: 720 });
  await joinByLink(bo, link);
  await openConversation(ada.page, "Bo");
  await sendText(ada.page, "The tide turns at nine");
  await attach(ada.page, {
    name: "tides.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("high 09:12, low 15:20"),
  });

  const { page } = bo;
  const actions = page.getByRole("dialog", { name: "Message actions" });
  const strip = page.getByRole("toolbar", { name: "Message actions" });
  await page.getByRole("button", { name: "Save: tides.txt" }).tap();
  await expect(fileCard(page, "tides.txt")).toContainText("Saved");
  // The strip would cover the message above until another tap.
  await expect(strip).toBeHidden();

  // So low that the actions come to lie below the finger.
  await page.setViewportSize({ width: 390, height: 480 });
  await pressLong(messagesWith(page, "The tide turns at nine"));
  await expect(actions.getByText("Copy text")).toBeVisible();
  await expectNoViolations(page, "the actions of a message");
  await actions.getByRole("button", { name: "Forward" }).tap();
  const dialog = page.getByRole("dialog", { name: "Forward" });
  await expect(dialog).toContainText("The tide turns at nine");
  await dialog.getByRole("button", { name: "Cancel" }).tap();
  await expect(dialog).toBeHidden();
  await expect(actions).toBeHidden();
  await page.setViewportSize(phone.viewport);

  await pressLong(messagesWith(page, "The tide turns at nine"));
  await actions.getByRole("button", { name: "Select", exact: true }).tap();
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(page.getByRole("toolbar", { name: "1 message selected" })).toBeVisible();
  await expectFitting(page);
  await page.getByRole("button", { name: "End selecting" }).tap();

  await page.getByRole("link", { name: "Back", exact: true }).tap();
  const menu = page.getByRole("menu", { name: "Ada" });
  await pressLong(personRow(page, "Ada"), menu);
  await expectFitting(page);
  await menu.getByRole("menuitem", { name: /^About/ }).tap();
  await page.getByRole("dialog", { name: "Ada" }).waitFor();
  await page.keyboard.press("Escape");
  await personRow(page, "Ada").tap();

  // A bar of two lines over a short conversation leaves its first message free.
  await page.context().setOffline(true);
  const bar = page.getByRole("status").filter({ hasText: "This device is offline" });
  await expectUncovered(bar, [messagesWith(page, "The tide turns at nine"), page.locator("main h1")]);
  await page.context().setOffline(false);
  await bar.waitFor({ state: "hidden" });

  // Safari lays its keyboard over the page.
  await page.getByRole("textbox", { name: "Message" }).tap();
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, "height", { value: 400 });
    visualViewport?.dispatchEvent(new Event("resize"));
  });
  for (const seen of [page.locator("main h1"), page.getByRole("textbox", { name: "Message" })]) {
    await expect
      .poll(async () => {
        const { y = -1, height = 0 } = (await seen.boundingBox()) ?? {};
        return y >= 0 && y + height <= 400;
      })
      .toBe(true);
  }

  await page.getByRole("button", { name: "Send files, a folder or clipboard text" }).tap();
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Photo or video" }).tap();
  expect(await (await chosen).element().getAttribute("accept")).toBe("image/*,video/*");
});

test("very long names do not widen the layout of a narrow phone", async ({ newPerson }) => {
  const ada = await newPerson({ name: "A".repeat(64) });
  const bo = await newPerson({ name: "B".repeat(64), viewport: { width: 320, height: 640 } });
  await startRoom(ada, { room: "W".repeat(64) });
  await joinByLink(bo, await copyLink(ada));
  const { page } = bo;
  await page.getByRole("heading", { name: /^Say hello to/ }).waitFor();
  await expectFitting(page);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: /^About/ }).waitFor();
  await expectFitting(page);
  await page.getByRole("menuitem", { name: /^About/ }).click();
  await page.getByRole("dialog").waitFor();
  await expectFitting(page);
});
