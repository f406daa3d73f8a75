import type { Locator, Page } from "@playwright/test";
import { expect, type Person } from "./fixtures.ts";
import { chooseFrom } from "./menu.ts";

/** The settings for joining a first room from the start page. */
export interface RoomChoice {
  readonly room: string;
  /** None when absent. */
  readonly password?: string;
}

/** Opens the app as a newcomer, chooses a room and joins it. */
export async function startRoom({ name, page }: Person, { room, password }: RoomChoice): Promise<void> {
  await page.goto("/");
  await page.getByRole("textbox", { name: "Your name" }).fill(name);
  if (password === undefined) {
    await page.getByRole("combobox", { name: "Have a link or code?" }).fill(room);
    await page.getByRole("button", { name: "Join", exact: true }).click();
    return;
  }
  await page.getByRole("button", { name: "Join by name and password" }).click();
  const form = joinForm(page);
  await form.getByRole("textbox", { name: "Room name" }).fill(room);
  await passwordField(form).fill(password);
  await form.getByRole("button", { name: "Join room" }).click();
}

/** Opens a link as a newcomer, enters a name and joins. */
export async function joinByLink({ name, page }: Person, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("textbox", { name: "Your name" }).fill(name);
  await page.getByRole("button", { name: "Join room" }).click();
}

/** Presses Copy link, in `place` or anywhere on the page, and reads the clipboard. */
export async function copyLink({ page }: Person, place: Page | Locator = page): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await place.getByRole("button", { name: "Copy link" }).click();
  const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe("");
  return read();
}

/** The first person starts a room, and the others join by the copied link. */
export async function meet(
  [first, ...others]: readonly [Person, ...Person[]],
  choice: RoomChoice,
): Promise<{ readonly link: string }> {
  await startRoom(first, choice);
  const link = await copyLink(first);
  await Promise.all(others.map((other) => joinByLink(other, link)));
  const everyone = [first, ...others];
  for (const { page, name } of everyone) {
    for (const other of everyone) if (other.name !== name) await expectOnline(page, other.name);
  }
  return { link };
}

/** Presses Escape until the dialog closes: for its first milliseconds on screen, it does not hear the key. */
export async function dismiss(dialog: Locator): Promise<void> {
  await expect(async () => {
    if (await dialog.isVisible()) await dialog.page().keyboard.press("Escape");
    await expect(dialog).toBeHidden({ timeout: 1_000 });
  }).toPass();
}

/** The join form, Edit Room Info. */
export function joinForm(page: Page): Locator {
  return page.getByRole("dialog", { name: "Edit Room Info" });
}

/** The password field of a form. It needs its own locator because a password input has no role. */
export function passwordField(form: Locator): Locator {
  return form.getByLabel(/^Password/);
}

/** Lets newcomers to the room see what was said in it within the last 24 hours. */
export async function showNewcomers(page: Page): Promise<void> {
  await chooseFrom(page.getByRole("button", { name: "Room menu" }), "Settings of this room");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("switch", { name: "Show newcomers the last 24 hours" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
}

/** A person's row in the list of people, in any status. */
export function personRow(page: Page, name: string): Locator {
  const people = page.getByRole("navigation", { name: "People" });
  return people.getByRole("link").filter({ has: page.getByText(name, { exact: true }) });
}

/** Waits until a page shows a person as online. */
export async function expectOnline(page: Page, name: string): Promise<void> {
  await expect(personRow(page, name).getByText("online", { exact: true })).toBeAttached();
}

/** Waits until a page shows that we are alone in a room. */
export async function expectWaiting(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Waiting for someone to join" })).toBeVisible();
}
