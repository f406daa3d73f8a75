import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deliverText, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { attach, drop, fileCard, keepHere } from "../support/files.ts";
import { expect, ownServerTest as test } from "../support/fixtures.ts";
import { drawQuay } from "../support/pictures.ts";
import { meet } from "../support/room.ts";

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const sizeLimitBytes = 200_000;

test("the README's picture", async ({ newPerson }, testInfo) => {
  test.slow();
  const okafor = await newPerson({ name: "Okafor" });
  const mara = await newPerson({ name: "Mara Lindqvist" });
  const noor = await newPerson({ name: "Noor Haddad" });
  await meet([okafor, mara, noor], { room: "harbour", password: "correct horse" });
  const { page } = okafor;
  await openConversation(page, "Mara Lindqvist");
  await openConversation(mara.page, "Okafor");
  await openConversation(noor.page, "Okafor");
  await deliverText(mara.page, page, "Rushes from the quay are copied. Sending a still first.");
  const still = { name: "quay_still_0412.png", mimeType: "image/png", buffer: drawQuay(640, 400) };
  await attach(mara.page, still);
  await keepHere(fileCard(page, still.name));
  const sheet = { name: "call_sheet_day_3.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(862_000) };
  await attach(mara.page, sheet);
  await keepHere(fileCard(page, sheet.name));
  await expect(fileCard(page, sheet.name)).toContainText("Received");
  await expect(page.getByRole("button", { name: new RegExp(still.name) }).locator("img")).toBeVisible();
  await deliverText(page, mara.page, "That light. Can you send the location folder too?");
  const folder = testInfo.outputPath("Location scouting");
  for (const place of ["pier", "slip", "light house"]) {
    await mkdir(join(folder, place), { recursive: true });
    for (let shot = 1; shot <= 4; shot++)
      await writeFile(join(folder, place, `${place} ${shot}.mov`), Buffer.alloc(400_000));
  }
  await drop(mara.page, [folder]);
  await expect(fileCard(page, "Location scouting").getByRole("button", { name: /^Decline:/ })).toBeVisible();
  await sendText(noor.page, "Which radio channel are we on?");
  await expect(
    page.getByRole("navigation", { name: "People" }).getByRole("link", { name: /Noor Haddad/ }),
  ).toContainText("Which radio channel");
  await messagesWith(page, "That light").scrollIntoViewIfNeeded();
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.mouse.move(0, 0);
    const path = `${images}conversation-${colorScheme}.png`;
    await page.screenshot({ path });
    expect((await stat(path)).size).toBeLessThan(sizeLimitBytes);
  }
});
