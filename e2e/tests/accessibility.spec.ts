import { randomBytes } from "node:crypto";
import { expectNoViolations, inBothThemes, inEveryLook } from "../support/accessibility.ts";
import { openCloseWindow } from "../support/close-window.ts";
import { deliverText, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { attach, fileCard, keepHere } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { drawPng } from "../support/pictures.ts";
import { expectOnline, expectWaiting, joinByLink, joinForm, startRoom } from "../support/room.ts";
import { openImport, openSection, settingsSections, unfold } from "../support/settings.ts";
import { holdBlocks, transferWorker } from "../support/survivor.ts";

test("axe finds no violations on the arrival page, the waiting page and the dialogs", async ({
  newPerson,
  room,
}) => {
  test.slow();
  const { page } = await newPerson({ name: "Ada" });

  await page.goto(`/?id=${room}&join=true#pwd=correct%20horse`);
  await expect(page.getByRole("heading", { name: `Join ${room}` })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `arrival, ${look}`));

  await page.getByRole("button", { name: "About", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "About Warren" })).toBeVisible();
  await inBothThemes(page, (theme) => expectNoViolations(page, `about, ${theme}`));
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Your picture" }).click();
  const ownDialog = page.getByRole("dialog", { name: "Name and picture" });
  await ownDialog.getByRole("button", { name: "Technical details" }).click();
  await inBothThemes(page, (theme) => expectNoViolations(page, `name and picture, ${theme}`));
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Room name and password" }).click();
  await expect(joinForm(page)).toBeVisible();
  await joinForm(page).getByRole("textbox", { name: "Room name" }).fill("");
  await joinForm(page).getByRole("button", { name: "Join room" }).click();
  await expect(joinForm(page).getByText("Enter the name of the room.")).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `join form, ${look}`));
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  await inEveryLook(page, (look) => expectNoViolations(page, `waiting, ${look}`));

  await inEveryLook(page, async (look) => {
    await page.getByRole("button", { name: /^Your profile/ }).click();
    await expect(page.getByRole("dialog", { name: "Your profile" })).toBeVisible();
    await expectNoViolations(page, `profile popover, ${look}`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: "Your profile" })).toBeHidden();
  });

  await chooseFrom(page.getByRole("button", { name: "Room menu" }), "Share this room");
  await expect(page.getByRole("dialog", { name: "Share this room" })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `share dialog, ${look}`));
});

test("axe finds no violations in a conversation with messages and files, or in the people list", async ({
  newPerson,
  room,
}) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await startRoom(ada, { room });
  await joinByLink(bo, `/?id=${room}&join=true`);
  await expectOnline(ada.page, "Bo");
  await expectOnline(bo.page, "Ada");
  const { page } = ada;
  const picture = drawPng(200, 120, (x, y) => [x, y, 120]);
  await attach(bo.page, { name: "stranger.png", mimeType: "image/png", buffer: picture });
  await expect(page.getByRole("button", { name: "Show picture: stranger.png" })).toBeVisible();
  await deliverText(page, bo.page, "Have you seen https://example.org/ today?");
  await deliverText(bo.page, page, "I have.\nTwice.");

  // Ada wrote to Bo, whose pictures arrive unasked from then on.
  await attach(bo.page, { name: "harbour.png", mimeType: "image/png", buffer: picture });
  await attach(page, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") });
  await keepHere(fileCard(bo.page, "notes.txt"));
  await expect(fileCard(page, "notes.txt")).toContainText("Received by Bo");
  await attach(page, { name: "plans.pdf", mimeType: "application/pdf", buffer: Buffer.from("plans") });
  await bo.page.getByRole("button", { name: "Decline: plans.pdf" }).click();
  await expect(fileCard(page, "plans.pdf")).toContainText("Declined by Bo");
  await attach(page, { name: "later.zip", mimeType: "application/zip", buffer: Buffer.from("later") });
  await attach(bo.page, { name: "offer.mov", mimeType: "video/quicktime", buffer: Buffer.from("offer") });
  await expect(fileCard(page, "offer.mov").getByRole("button", { name: /^Decline:/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /harbour\.png/ })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `conversation, ${look}`));

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Transfers" }).click();
  const transfers = page.getByRole("dialog", { name: "Transfers" });
  await expect(transfers.getByText("To Bo, 5 B")).toBeVisible();
  await expect(transfers).toBeFocused();
  await inBothThemes(page, (theme) => expectNoViolations(page, `transfers, ${theme}`));
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Transfers" })).toBeFocused();

  await chooseFrom(page.getByRole("button", { name: "Room menu" }), "Leave room");
  await expect(page.getByRole("dialog", { name: `Leave ${room}?` })).toBeVisible();
  await inBothThemes(page, (theme) => expectNoViolations(page, `leave room, ${theme}`));
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });

  await holdBlocks(await transferWorker(bo.page));
  await attach(bo.page, { name: "survey.bin", mimeType: "", buffer: randomBytes(2_000_000) });
  await keepHere(fileCard(page, "survey.bin"));
  await page.getByRole("button", { name: "Pause: survey.bin" }).click();
  await page.getByRole("link", { name: "Back" }).click();
  await page.getByRole("button", { name: /^Transfers/ }).click();
  await expect(transfers.getByRole("button", { name: "Resume: survey.bin" })).toBeVisible();
  await inBothThemes(page, (theme) => expectNoViolations(page, `transfers on a phone, ${theme}`));
  await page.keyboard.press("Escape");
  await openConversation(page, "Bo");

  await bo.page.close();
  await expect(page.getByText("Not here", { exact: true }).filter({ visible: true })).toHaveCount(1);
  await sendText(page, "Until you are back");
  await expect(messagesWith(page, "Until you are back").getByText("Waiting for Bo")).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `conversation with someone away, ${look}`));

  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByRole("navigation", { name: "People" })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `people, ${look}`));
});

test("axe finds no violations in the settings and on the stage", async ({ newPerson }) => {
  test.slow();
  const { page } = await newPerson({ name: "Ada" });
  for (const [section, title] of settingsSections) {
    await openSection(page, section, title);
    if (section === "connection") {
      await unfold(page, "Servers");
      await page.getByRole("button", { name: "Add a TURN server" }).click();
      await page.getByRole("button", { name: "Save server" }).click();
      await page.getByRole("switch", { name: "Hide your network address" }).click();
    }
    await inEveryLook(page, (look) => expectNoViolations(page, `${title}, ${look}`));
  }
  await page.getByRole("button", { name: "Export settings" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await inBothThemes(page, (theme) => expectNoViolations(page, `export, ${theme}`));
  await page.keyboard.press("Escape");
  await openImport(page);
  await inBothThemes(page, (theme) => expectNoViolations(page, `import, ${theme}`));
  await page.keyboard.press("Escape");
  await page.goto("/no/such/page");
  await expect(page.getByRole("button", { name: "Go to Home" })).toBeVisible();
  await inBothThemes(page, (theme) => expectNoViolations(page, `not found, ${theme}`));
  await openCloseWindow(page);
  await inBothThemes(page, (theme) => expectNoViolations(page, `close window, ${theme}`));
  await page.goto("/setting");
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `sections, ${look}`));
  await page.goto("/video");
  await expect(page.getByRole("heading", { name: "No Stream" })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `stage, ${look}`));
});
