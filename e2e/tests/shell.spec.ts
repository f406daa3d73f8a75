import type { Page } from "@playwright/test";
import { deliverText, messagesWith } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { readQrCanvas } from "../support/pictures.ts";
import { copyLink, expectOnline, expectWaiting, meet, personRow, startRoom } from "../support/room.ts";

function colourScheme(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
}

async function chooseTheme(page: Page, theme: "Light" | "Dark" | "System"): Promise<void> {
  await page.getByRole("button", { name: /^Your profile/ }).click();
  const choice = page.getByRole("radiogroup", { name: "Theme" });
  await choice.getByText(theme, { exact: true }).click();
  await expect(choice.getByRole("radio", { name: theme })).toBeChecked();
  await page.keyboard.press("Escape");
}

test("leaving asks for confirmation while someone is present, and offers to join again", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  await deliverText(ada.page, bo.page, "Stay a while");
  const question = bo.page.getByRole("dialog", { name: `Leave ${room}?` });
  const leave = async (): Promise<void> => {
    await chooseFrom(bo.page.getByRole("button", { name: "Room menu" }), "Leave room");
  };

  await leave();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toBeHidden();
  await deliverText(bo.page, ada.page, "Still here");

  await leave();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(personRow(ada.page, "Bo").getByText("leave", { exact: true })).toBeAttached();
  await expect(personRow(bo.page, "Ada").getByText("offline", { exact: true })).toBeAttached();
  await expect(messagesWith(bo.page, "Stay a while")).toBeVisible();

  const outside = bo.page.getByText(`You are not in ${room}.`);
  await expect(outside).toBeVisible();
  await bo.page.getByRole("button", { name: "Join room" }).click();
  await expectOnline(ada.page, "Bo");
  await expectOnline(bo.page, "Ada");
  await expect(outside).toBeHidden();
});

test("an unknown address shows an error page with a link to the start page", async ({
  newPerson,
  server,
}) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { name: "Nothing at /no/such/page" })).toBeVisible();
  await page.goto("/caf%C3%A9%3Da%20b");
  await expect(page.getByRole("heading", { name: "Nothing at /café=a b" })).toBeVisible();
  await page.getByRole("button", { name: "Go to Home" }).click();
  await expect(page.getByRole("heading", { name: "Send anything to anyone" })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
});

test("/close-window closes a window opened by a page, and leaves any other blank", async ({
  newPerson,
  server,
}) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto("/");
  const opening = page.waitForEvent("popup");
  await page.evaluate(() => void window.open("/close-window"));
  const opened = await opening;
  if (!opened.isClosed()) await opened.waitForEvent("close");

  // A window that has navigated elsewhere may not be closed.
  await page.goto(`${server.url}/no/such/page`);
  await page.goto("/close-window").catch(() => {}); // it may close before it has loaded
  await expect(page).toHaveURL("about:blank");
});

test("reloading the start page before joining still allows choosing the room", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  await page.goto("/");
  await expect(page.getByRole("button", { name: "New room" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Send anything to anyone" })).toBeVisible();
  await startRoom(ada, { room });
  await expectWaiting(page);
});

test("the theme is light, dark or the system's, and is kept after a reload", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada", colorScheme: "light" });
  const { page } = ada;
  await startRoom(ada, { room });
  await expectWaiting(page);
  expect(await colourScheme(page)).toBe("light");

  await chooseTheme(page, "Dark");
  await expect.poll(() => colourScheme(page)).toBe("dark");
  await page.reload();
  expect(await colourScheme(page)).toBe("dark");
  await expectWaiting(page);

  await chooseTheme(page, "System");
  await expect.poll(() => colourScheme(page)).toBe("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => colourScheme(page)).toBe("dark");

  await chooseTheme(page, "Light");
  await expect.poll(() => colourScheme(page)).toBe("light");
  await page.reload();
  expect(await colourScheme(page)).toBe("light");
});

test("a browser that is too old shows the required version", async ({ newPerson, server, room }) => {
  const userAgent =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36";
  const { page, requests } = await newPerson({ name: "Ada", userAgent });
  await page.goto(`/?id=${room}&join=true#pwd=secret`);
  await expect(page.getByRole("heading", { name: "This browser is too old" })).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveText([
    "Warren needs Chrome 111 or newer. This is Chrome 109.",
  ]);
  await expect(page.getByText(/^Warren runs in Safari 16\.4, Chrome 111, /)).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
  expect(requests.filter((address) => address.startsWith("ws:"))).toEqual([]);
});

test("a browser without WebRTC shows that it is missing", async ({ newPerson }) => {
  const { page, context } = await newPerson({ name: "Ada" });
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, "RTCPeerConnection"));
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "This browser cannot run Warren" })).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveText([/^WebRTC is missing or turned off/]);
});

test("the QR code contains exactly the copied link", async ({ newPerson }) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  await startRoom(ada, { room: "Café & 夜 #1", password: "p w=d&#%7+ü" });
  await expectWaiting(page);
  const link = await copyLink(ada);
  expect(new URL(link).searchParams.get("id")).toBe("Café & 夜 #1");
  const code = page.getByRole("img", { name: "QR code of the room link" });
  await expect.poll(() => readQrCanvas(code)).toBe(link);

  await page.getByRole("button", { name: "Share this room" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this room" });
  const codeInDialog = dialog.getByRole("img", { name: "QR code of the room link" });
  expect(await copyLink(ada, dialog)).toBe(link);
  await expect.poll(() => readQrCanvas(codeInDialog)).toBe(link);

  await dialog.getByRole("switch", { name: /^Link without the password/ }).check();
  const open = await copyLink(ada, dialog);
  expect(open).not.toContain("pwd");
  expect(new URL(open).searchParams.get("id")).toBe("Café & 夜 #1");
  await expect.poll(() => readQrCanvas(codeInDialog)).toBe(open);
});
