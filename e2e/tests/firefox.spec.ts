import { openConversation, sendText } from "../support/conversation.ts";
import { attach, fileCard, keepHere, sha256OfFile, writeLogFile, writeRandomFile } from "../support/files.ts";
import { FirefoxPerson } from "../support/firefox.ts";
import { expect, ownServerTest as test } from "../support/fixtures.ts";
import { copyLink, expectOnline, startRoom } from "../support/room.ts";
import { serverAwayErrors } from "../support/server.ts";

const transferTimeoutMs = 120_000;

test("Firefox and Chromium exchange text and files, and Firefox notifies, and opens without the server", async ({
  newPerson,
  server,
  room,
}, testInfo) => {
  test.setTimeout(420_000);
  const ada = await newPerson({ name: "Ada", expectedErrors: serverAwayErrors });
  // Granted: a test cannot answer the browser's question.
  const fox = await FirefoxPerson.open({ "permissions.default.desktop-notification": 1 });
  try {
    await startRoom(ada, { room });
    await fox.joinByLink(await copyLink(ada), "Fox");
    await expectOnline(ada.page, "Fox");
    await openConversation(ada.page, "Fox");
    await fox.waitForText("Ada");

    const toFox = testInfo.outputPath("to-fox.log");
    const toFoxSha256 = await writeLogFile(toFox, 16);
    await attach(ada.page, toFox);
    await fox.press("Save: to-fox.log");
    await expect(fileCard(ada.page, "to-fox.log")).toContainText("Received by Fox", {
      timeout: transferTimeoutMs,
    });
    expect(await sha256OfFile(await fox.downloaded("to-fox.log"))).toBe(toFoxSha256);

    const toAda = testInfo.outputPath("to-ada.bin");
    const toAdaSha256 = await writeRandomFile(toAda, 16);
    await fox.attach(toAda);
    const card = fileCard(ada.page, "to-ada.bin");
    await keepHere(card);
    await expect(card).toContainText("Received", { timeout: transferTimeoutMs });
    const downloading = ada.page.waitForEvent("download");
    await card.getByRole("button", { name: "Save: to-ada.bin" }).click();
    expect(await sha256OfFile(await (await downloading).path())).toBe(toAdaSha256);

    await fox.untilCached();
    await fox.press("Settings", "link");
    await fox.press("Notifications", "link");
    await fox.press("Notifications", "switch");
    await fox.press("Chat", "link");
    await fox.find("textbox", "Message");
    await fox.turn("hidden");
    await sendText(ada.page, "Is the log complete?");
    await expect.poll(() => fox.notifications()).toEqual(["Ada: Is the log complete?"]);
    await sendText(ada.page, "And the other file?");
    await expect.poll(() => fox.notifications()).toEqual(["Ada: And the other file?"]);
    await fox.turn("visible");
    await expect.poll(() => fox.notifications()).toEqual([]);

    await fox.loseServiceWorker();
    await openConversation(ada.page, "Fox");
    await fox.turn("hidden");
    await sendText(ada.page, "Are you still there?");
    await expect.poll(() => fox.ownNotifications()).toEqual(["Ada: Are you still there?"]);
    await sendText(ada.page, "Good night then");
    await expect.poll(() => fox.ownNotifications()).toEqual(["Ada: Good night then"]);
    await fox.turn("visible");
    await expect.poll(() => fox.ownNotifications()).toEqual([]);

    await server.kill();
    await fox.go("/file");
    await fox.waitForText("to-fox.log");
  } finally {
    await fox.close();
  }
});
