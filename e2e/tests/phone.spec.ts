import type { Locator } from "@playwright/test";
import { expectNoViolations } from "../support/accessibility.ts";
import { messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { findCutOff } from "../support/cut-off.ts";
import { attach, fileCard } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { copyLink, joinByLink, startRoom } from "../support/room.ts";

/** Touches an element until it counts as a long press. */
async function pressLong(target: Locator): Promise<void> {
  const page = target.page();
  const session = await page.context().newCDPSession(page);
  // Elements above may still appear and move it: press it once its position has settled.
  let box = await target.boundingBox();
  const isAtRest = async (): Promise<boolean> => {
    const before = box;
    box = await target.boundingBox();
    return box !== null && box.y === before?.y;
  };
  await expect.poll(isAtRest, { intervals: [250] }).toBe(true);
  if (box === null) throw new Error("there is nothing to press");
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await expect(page.getByRole("toolbar", { name: "Message actions" })).toBeVisible();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
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
  await startRoom(ada, { room });
  await joinByLink(bo, await copyLink(ada));
  await openConversation(ada.page, "Bo");
  await sendText(ada.page, "The tide turns at nine");
  await attach(ada.page, {
    name: "tides.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("high 09:12, low 15:20"),
  });

  const { page } = bo;
  const actions = page.getByRole("toolbar", { name: "Message actions" });
  await page.getByRole("button", { name: "Save: tides.txt" }).tap();
  await expect(fileCard(page, "tides.txt")).toContainText("Saved");
  // The actions would cover the message above until another tap.
  await expect(actions).toBeHidden();

  await pressLong(messagesWith(page, "The tide turns at nine"));
  await expect(actions.getByText("Copy text")).toBeVisible();
  await expectNoViolations(page, "the actions of a message");
  await actions.getByRole("button", { name: "Forward" }).tap();
  const dialog = page.getByRole("dialog", { name: "Forward" });
  await expect(dialog).toContainText("The tide turns at nine");
  await dialog.getByRole("button", { name: "Cancel" }).tap();
  await expect(dialog).toBeHidden();
  await expect(actions).toBeHidden();

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
  const fits = () =>
    expect
      .poll(async () => (await findCutOff(page)).filter((fault) => /sideways|leaves/.test(fault)))
      .toEqual([]);
  await page.getByRole("heading", { name: /^Say hello to/ }).waitFor();
  await fits();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: /^About/ }).waitFor();
  await fits();
  await page.getByRole("menuitem", { name: /^About/ }).click();
  await page.getByRole("dialog").waitFor();
  await fits();
});
