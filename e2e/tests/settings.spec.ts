import { readFile } from "node:fs/promises";
import type { FileChooser, Page } from "@playwright/test";
import { wordsOnPicture } from "../support/accessibility.ts";
import { messageLog, openConversation } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { drawPng } from "../support/pictures.ts";
import { expectWaiting, startRoom } from "../support/room.ts";
import { openSection, unfold } from "../support/settings.ts";
import { startStunServer } from "../support/stun-server.ts";

function storedOptions(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(() => JSON.parse(localStorage.getItem("app_options") ?? "{}"));
}

function reset(page: Page, option: string) {
  return page.getByRole("button", { name: `Reset to default: ${option}`, exact: true });
}

/** Presses a button that asks for a file, and selects one. */
async function choose(
  page: Page,
  button: string,
  file: Parameters<FileChooser["setFiles"]>[0],
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  await (await chooser).setFiles(file);
}

test("an option of every section is stored, and applied after a reload", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  await openSection(page, "appearance", "Appearance");
  await page.getByRole("radiogroup", { name: "Theme" }).getByText("Dark").click();
  await page.getByRole("switch", { name: "Enter sends" }).click();
  const picture = drawPng(400, 200, (x, y) => [x % 256, y, 90]);
  await choose(page, "Choose picture", { name: "quay.png", mimeType: "image/png", buffer: picture });
  await expect(page.getByRole("button", { name: "Remove picture" })).toBeVisible();

  await openSection(page, "connection", "Connection");
  await page.getByRole("switch", { name: "Join on start" }).click();
  await unfold(page, "Servers");
  await page.getByRole("button", { name: "Add a STUN server" }).click();
  await page.getByRole("textbox", { name: "Address" }).fill("stun:stun.example.org:3478");
  await page.getByRole("button", { name: "Save server" }).click();

  await openSection(page, "sender", "File Sender");
  const compression = page.getByRole("slider", { name: "Compression" });
  await compression.focus();
  await compression.press("Home");

  await openSection(page, "advanced", "Advanced");
  await unfold(page, "Troubleshooting");
  await page.getByRole("textbox", { name: "Chunk size" }).fill("256");

  await openSection(page, "receiver", "File Receiver");
  await page.getByRole("radiogroup", { name: "Trust" }).getByText("Verified only").click();

  await openSection(page, "media", "Media");
  await page.getByRole("switch", { name: "Echo cancellation" }).click();

  await page.reload();
  await expect(page.getByRole("switch", { name: "Echo cancellation" })).not.toBeChecked();
  await openSection(page, "receiver", "File Receiver");
  await expect(page.getByRole("radio", { name: "Verified only" })).toBeChecked();
  await openSection(page, "sender", "File Sender");
  await expect(page.getByRole("slider", { name: "Compression" })).toHaveValue("0");
  await openSection(page, "advanced", "Advanced");
  await expect(page.getByRole("textbox", { name: "Chunk size" })).toHaveValue("256");
  await openSection(page, "connection", "Connection");
  await expect(page.getByRole("switch", { name: "Join on start" })).toBeChecked();
  await expect(page.getByText("stun:stun.example.org:3478")).toBeVisible();
  await openSection(page, "appearance", "Appearance");
  await expect(page.getByRole("switch", { name: "Enter sends" })).toBeChecked();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  const ground = page.locator("img.fixed");
  await expect(ground).toHaveCSS("opacity", "0.5");
  const sizeOf = () =>
    ground.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(sizeOf).toEqual([400, 200]);
});

test("no text lies directly on the background picture, whatever its opacity", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  await openSection(page, "appearance", "Appearance");
  const picture = drawPng(64, 64, (x, y) => ((x ^ y) & 8 ? [255, 255, 255] : [0, 0, 0]));
  await choose(page, "Choose picture", { name: "noise.png", mimeType: "image/png", buffer: picture });
  const strength = page.getByRole("slider", { name: "Background strength" });
  await strength.focus();
  await strength.press("End");
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Send anything to anyone" })).toBeVisible();
  await expect(page.locator("img.fixed")).toHaveCSS("opacity", "1");
  expect(await wordsOnPicture(page)).toEqual([]);
  await startRoom(ada, { room });
  await expectWaiting(page);
  expect(await wordsOnPicture(page)).toEqual([]);
  await openConversation(page, "Warren");
  await expect(messageLog(page)).toBeVisible();
  expect(await wordsOnPicture(page)).toEqual([]);
  const log = messageLog(page);
  expect(
    await log.evaluate((element) => getComputedStyle(element.closest("section") ?? element).backgroundColor),
  ).toBe("rgba(0, 0, 0, 0)");
});

test("a test of the servers distinguishes a responding one from a silent one, and contacts no other", async ({
  newPerson,
}) => {
  const { page, requests } = await newPerson({ name: "Ada" });
  const stun = await startStunServer();
  await openSection(page, "connection", "Connection");
  await page.evaluate(
    (stuns) => localStorage.setItem("app_options", JSON.stringify({ servers: { stuns, turns: [] } })),
    [stun.url, "stun:127.0.0.1:9"],
  );
  await page.reload();
  await page.getByRole("button", { name: "Test servers" }).click();
  await expect(page.getByText("Works", { exact: true })).toHaveCount(1);
  await expect(page.getByText(/^reported your address in \d+ ms$/)).toBeVisible();
  await expect(page.getByText("No answer", { exact: true })).toHaveCount(1);
  expect(stun.answered()).toBeGreaterThan(0);
  expect(requests.filter((address) => address.startsWith("ws"))).toEqual([]);
  await stun.stop();
});

test("stored values of a wrong type are repaired, and the page lists them", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto("/setting#advanced");
  const turn = { authMethod: "longterm", url: "turn:a.example", username: "u", password: "p" };
  await page.evaluate((stored) => localStorage.setItem("app_options", JSON.stringify(stored)), {
    chunkSize: "large",
    compressionLevel: 3,
    ordered: "yes",
    servers: { stuns: [7], turns: [turn, { ...turn, url: "turn:b.example", authMethod: "magic" }] },
  });
  await page.reload();
  await expect(page.getByText(/were invalid.*Chunk size, Ordered delivery, STUN and TURN/)).toBeVisible();
  await expect(page.getByText("parseTurnServer: invalid method")).toBeVisible();
  await unfold(page, "Troubleshooting");
  await expect(page.getByRole("textbox", { name: "Chunk size" })).toHaveValue("512");
  await expect(page.getByRole("switch", { name: "Ordered delivery" })).not.toBeChecked();

  await page.getByRole("switch", { name: "Ordered delivery" }).click();
  expect(await storedOptions(page)).toMatchObject({
    chunkSize: 524_288,
    ordered: true,
    servers: { stuns: [], turns: [turn] },
  });
  await page.reload();
  await expect(page.getByRole("switch", { name: "Ordered delivery" })).toBeChecked();
  await expect(page.getByText(/were invalid/)).toHaveCount(0);
});

test("settings are exported without secrets and imported after a reset, and ignored entries are listed", async ({
  newPerson,
  room,
}, testInfo) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  await startRoom(ada, { room, password: "correct horse" });
  await expectWaiting(page);
  await openSection(page, "advanced", "Advanced");
  await unfold(page, "Troubleshooting");
  await page.getByRole("textbox", { name: "Chunk size" }).fill("1024");
  await openSection(page, "connection", "Connection");
  await unfold(page, "Servers");
  await page.getByRole("button", { name: "Paste as JSON" }).click();
  const turn = { authMethod: "hmac", url: "turn:a.example", username: "u", password: "master" };
  await page.getByRole("textbox", { name: "TURN servers as JSON" }).fill(JSON.stringify(turn));
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("Password made from a secret")).toBeVisible();

  await openSection(page, "advanced", "Advanced");
  await page.getByRole("button", { name: "Export settings" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save file" }).click();
  const path = testInfo.outputPath("settings.json");
  await (await download).saveAs(path);
  const text = await readFile(path, "utf8");
  for (const secret of ["correct horse", "master"]) expect(text).not.toContain(secret);

  await page.getByRole("button", { name: "Reset options" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset options" }).click();
  await expect(page.getByText("Options reset successfully")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Chunk size" })).toHaveValue("512");

  const changed = JSON.parse(text);
  changed.options.compressionLevel = "most";
  changed.options.unheardOf = true;
  await choose(page, "Import settings", {
    name: "settings.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(changed)),
  });
  const question = page.getByRole("dialog", { name: "Import settings?" });
  await expect(question.getByText("Changes: Chunk size, STUN and TURN servers")).toBeVisible();
  await expect(question.getByText(/Connections will use: .*a\.example/)).toBeVisible();
  await expect(question.getByText(/cannot be used: Compression, unheardOf/)).toBeVisible();
  await question.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText("Settings imported")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Chunk size" })).toHaveValue("1024");
  await openSection(page, "sender", "File Sender");
  await expect(page.getByRole("slider", { name: "Compression" })).toHaveValue("6");
  expect(await storedOptions(page)).toMatchObject({ servers: { turns: [{ ...turn, password: "" }] } });
});

test("one option is reset, and the app's caches are cleared", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  await openSection(page, "advanced", "Advanced");
  await unfold(page, "Troubleshooting");
  await page.getByRole("textbox", { name: "Block size" }).fill("60");
  await reset(page, "Block size").click();
  await expect(page.getByRole("textbox", { name: "Block size" })).toHaveValue("32");
  await expect(reset(page, "Block size")).toHaveCount(0);
  await page.reload();
  await unfold(page, "Troubleshooting");
  await expect(page.getByRole("textbox", { name: "Block size" })).toHaveValue("32");

  await page.evaluate(() => caches.open("of the app"));
  await page.getByRole("button", { name: "Clear cache" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Clear cache" }).click();
  await expect(page.getByText("Cache Storage and Service Worker cleared successfully")).toBeVisible();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});

test("deleting all data leaves nothing in the browser and starts over", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  await startRoom(ada, { room });
  await expectWaiting(page);
  const clientId = (): Promise<string> =>
    page.evaluate(() => JSON.parse(localStorage.getItem("profile") ?? "{}").clientId);
  const before = await clientId();
  await page.evaluate(async () => {
    localStorage.setItem("left", "behind");
    const root = await navigator.storage.getDirectory();
    await root.getFileHandle("left", { create: true });
  });
  await openSection(page, "advanced", "Advanced");
  await page.getByRole("button", { name: "Delete everything" }).click();
  const question = page.getByRole("dialog", { name: "Delete all data?" });
  await expect(question.getByText(/Messages, contacts, files, settings and your identity/)).toBeVisible();
  // The toast disappears after four seconds, so start waiting before the page loads.
  const toastShown = expect(page.getByText("All Warren data in this browser was deleted")).toBeVisible();
  await Promise.all([toastShown, question.getByRole("button", { name: "Delete everything" }).click()]);

  await expect(page.getByRole("heading", { name: "Send anything to anyone" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("left"))).toBeNull();
  const files = await page.evaluate(async () => {
    const names: string[] = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
    return names;
  });
  expect(files).not.toContain("left");
  expect(await clientId()).not.toBe(before);
});
