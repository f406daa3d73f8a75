import type { Locator } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Where an element is once it has stopped moving: what is above it may still appear. */
async function boxAtRest(target: Locator) {
  let box = await target.boundingBox();
  const isAtRest = async (): Promise<boolean> => {
    const before = box;
    box = await target.boundingBox();
    return box !== null && box.y === before?.y;
  };
  await expect.poll(isAtRest, { intervals: [250] }).toBe(true);
  if (box === null) throw new Error("there is nothing to touch");
  return box;
}

/** Touches a message, or something else, until its actions are there. */
export async function pressLong(
  target: Locator,
  actions = target.page().getByRole("dialog", { name: "Message actions" }),
): Promise<void> {
  const page = target.page();
  const { x, y, height } = await boxAtRest(target);
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + 40, y: y + height / 3 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  // Lifted as soon as they are there, which is when a browser would still take the touch for a tap on them.
  await actions.waitFor();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}

/** Swipes a message to the right. */
export async function swipe(target: Locator): Promise<void> {
  const { x, y, height } = await boxAtRest(target);
  const session = await target.page().context().newCDPSession(target.page());
  const at = (offset: number) => ({ touchPoints: [{ x: x + 40 + offset, y: y + height / 2 }] });
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(0) });
  for (const offset of [20, 50, 90])
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(offset) });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}
