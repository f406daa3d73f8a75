import { expect, test } from "../support/fixtures.ts";
import { startRoom } from "../support/room.ts";

test("over plain http, where browsers offer no clipboard, the first press copies the link", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  await ada.page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const reader = await newPerson({ name: "Bo" });
  await reader.page.goto("/");
  await reader.page.evaluate(() => navigator.clipboard.writeText(""));
  await startRoom(ada, { room });
  await ada.page.getByRole("button", { name: "Copy link" }).click();
  await expect(ada.page.getByText("Link copied")).toBeVisible();
  await reader.page.bringToFront();
  expect(await reader.page.evaluate(() => navigator.clipboard.readText())).toContain(room);
});
