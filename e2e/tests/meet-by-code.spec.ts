import type { Page, TestInfo } from "@playwright/test";
import { readQrFrame, writeQrFrame } from "../../packages/core/src/room/qr/qr-frame.ts";
import { expectNoViolations } from "../support/accessibility.ts";
import { launchOptions } from "../support/browser.ts";
import { expectMoving, picture } from "../support/call.ts";
import {
  type CodeDevice,
  codeDialog,
  codeOf,
  expectMet,
  hold,
  install,
  launchDevice,
  openCodeDialog,
  pictureOf,
} from "../support/code-device.ts";
import { deliverText, sendText } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, sha256OfFile, writeRandomFile } from "../support/files.ts";
import { FirefoxPerson } from "../support/firefox.ts";
import { expect, ownServerTest as test } from "../support/fixtures.ts";
import { Lan } from "../support/lan.ts";

async function closeAll(devices: readonly CodeDevice[]): Promise<void> {
  for (const { camera } of devices) await camera.context.close();
}

/** The test then shows less than its name says. */
function saySharesLoopback({ annotations }: TestInfo): void {
  const description =
    "This machine gives a process no network of its own (unshare --user --net): the two devices meet over its loopback, without a server, but beside whatever network it has.";
  annotations.push({ type: "weaker", description });
  process.stderr.write(`${description}\n`);
}

/** Text both ways, a file, and a call with pictures. */
async function talk(ada: CodeDevice, bo: CodeDevice, path: string): Promise<void> {
  await deliverText(ada.page, bo.page, "No server between us.");
  await deliverText(bo.page, ada.page, "None at all.");
  const sha256 = await writeRandomFile(path, 64);
  await attach(ada.page, path);
  await keepHere(fileCard(bo.page, "chart.bin"));
  await expect(fileCard(bo.page, "chart.bin")).toContainText("Received", { timeout: 120_000 });
  expect(await savedSha256(bo.page, "chart.bin")).toBe(sha256);

  await ada.page.getByRole("button", { name: "Video call" }).click();
  const ring = bo.page.getByRole("alertdialog");
  await ring.getByRole("button", { name: "Join", exact: true }).click();
  const openStage = (page: Page) => page.getByRole("link", { name: "Call", exact: true }).click();
  await openStage(ada.page);
  await openStage(bo.page);
  await expectMoving(picture(ada.page, "Bo"));
  await expectMoving(picture(bo.page, "Ada"));
}

test("two devices meet by camera on a network of only them, both verified, and talk, send and call", async ({
  server,
}, testInfo) => {
  const { url } = server;
  const installing = [];
  for (const name of ["Ada", "Bo"]) installing.push(await launchDevice(testInfo, { name, url }));
  for (const device of installing) await install(device);
  await closeAll(installing);
  await server.kill();
  const lan = await Lan.open(testInfo.outputPath(), launchOptions.executablePath ?? "chromium");
  if (lan === null) saySharesLoopback(testInfo);
  const [adas, bos] = lan?.programs ?? [];
  const ada = await launchDevice(testInfo, { name: "Ada", url, program: adas });
  const bo = await launchDevice(testInfo, { name: "Bo", url, program: bos });
  try {
    for (const { page } of [ada, bo]) await page.goto("/");
    await openCodeDialog(ada, "Show a code");
    await openCodeDialog(bo, "Scan a code");
    await hold(ada, bo);
    await hold(bo, ada);
    await expectMet(ada, "Bo");
    await expectMet(bo, "Ada");
    await expect(
      ada.page.locator("header").getByText("Online, directly on your network").first(),
    ).toBeVisible();
    await talk(ada, bo, testInfo.outputPath("chart.bin"));
    expect([...ada.complaints, ...bo.complaints]).toEqual([]);
  } finally {
    await closeAll([ada, bo]);
    await lan?.close();
  }
});

test("turned, dim, small or damaged codes are read; others are refused in words", async ({
  server: { url },
}, testInfo) => {
  const ada = await launchDevice(testInfo, { name: "Ada", url });
  const bo = await launchDevice(testInfo, { name: "Bo", url });
  const kim = await launchDevice(testInfo, { name: "Kim", url });
  const refusal = ({ page }: CodeDevice) => codeDialog(page).getByRole("alert");
  const close = ({ page }: CodeDevice) => codeDialog(page).getByRole("button", { name: "Close" }).click();
  const type = async ({ page }: CodeDevice, text: string) => {
    const field = codeDialog(page).getByRole("textbox", { name: "Text of the other code" });
    await field.fill(text);
    await field.press("Enter");
  };
  const copy = async ({ page }: CodeDevice) => {
    await codeDialog(page).getByRole("button", { name: "Copy as text" }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  try {
    for (const { page } of [ada, bo, kim]) await page.goto("/");
    await openCodeDialog(ada, "Show a code");
    const yesterday = await pictureOf(ada);
    await close(ada);

    // The same camera reads the links of rooms, which this is not.
    await bo.camera.show(yesterday);
    const scanner = bo.page.getByRole("button", { name: "Scan a QR code" });
    await scanner.click();
    await expect(bo.page.getByText("This is not a room link, a code or a room name.")).toBeVisible();
    await scanner.click();

    await openCodeDialog(ada, "Show a code");
    for (const pose of [{ degrees: 20, size: 0.65 }, { contrast: 0.4 }, { size: 0.6 }, { damage: 0.08 }]) {
      await hold(ada, bo, pose);
      await openCodeDialog(bo, "Scan a code");
      await expect(codeOf(bo.page), JSON.stringify(pose)).toBeVisible();
      await close(bo);
    }

    await expectNoViolations(ada.page, "meet by code");

    // Her own code, in a mirror; then his answer to the one that she showed before.
    await hold(ada, ada);
    await expect(refusal(ada)).toHaveText("This is the code of this device. Scan that of the other one.");
    await bo.camera.show(yesterday);
    await openCodeDialog(bo, "Scan a code");
    await hold(bo, ada);
    const notThisOne = "This is not the code that is needed now. Is it cut off, or from an earlier try?";
    await expect(refusal(ada)).toHaveText(notThisOne);
    await ada.camera.show(yesterday, { contrast: 0 });
    await close(bo);

    // A third browser's codes: its own invitation, then its answer to Bo, who shows one too.
    await openCodeDialog(bo, "Show a code");
    await hold(bo, kim);
    for (const choice of ["Show a code", "Scan a code"] as const) {
      await close(ada);
      await openCodeDialog(ada, "Show a code");
      await expect(codeOf(ada.page)).toBeVisible();
      await expect(refusal(ada)).toHaveCount(0);
      await openCodeDialog(kim, choice);
      await hold(kim, ada);
      await expect(refusal(ada)).toHaveText(notThisOne);
      await ada.camera.show(yesterday, { contrast: 0 });
      await close(kim);
    }
    await close(bo);

    // A code that the camera reads meanwhile would take the sentence about the typed one away.
    await hold(ada, bo, { contrast: 0 });
    await openCodeDialog(bo, "Scan a code");
    for (const text of [url, "WARREN:ABCDEF", `WARREN:${"A".repeat(10_240)}`]) {
      await type(bo, text);
      await expect(refusal(bo)).toHaveText(notThisOne);
      await close(bo);
      await openCodeDialog(bo, "Scan a code");
    }

    await hold(ada, bo);
    const answer = await copy(bo);
    // Somebody between them puts another certificate into the answer: then the browsers do not let each other in.
    const frame = readQrFrame(answer);
    await type(ada, writeQrFrame({ ...frame, fingerprint: frame.fingerprint.map((byte) => byte ^ 1) }));
    // It is said after 20 s, once both have given up.
    await expect(refusal(ada)).toContainText("The devices did not meet.", { timeout: 45_000 });
    await close(ada);
    await close(bo);

    // He scans her code; she pastes his.
    await openCodeDialog(ada, "Show a code");
    await hold(ada, bo);
    await openCodeDialog(bo, "Scan a code");
    await type(ada, await copy(bo));
    await expectMet(bo, "Ada");
    await expectMet(ada, "Bo", { isVerified: false });
    expect([ada, bo, kim].flatMap(({ complaints }) => complaints)).toEqual([]);
  } finally {
    await closeAll([ada, bo, kim]);
  }
});

for (const first of ["Chromium", "Firefox"] as const) {
  test(`Chromium and Firefox meet by camera without a server when ${first} shows its code first`, async ({
    server,
  }, testInfo) => {
    test.setTimeout(420_000);
    const ada = await launchDevice(testInfo, { name: "Ada", url: server.url });
    const fox = await FirefoxPerson.open();
    try {
      await fox.lookWith("Fox");
      await install(ada);
      await fox.page.goto(server.url);
      await fox.untilCached();
      await fox.page.reload();
      await server.kill();
      await openCodeDialog(ada, first === "Chromium" ? "Show a code" : "Scan a code");
      await fox.press("No internet? Meet by QR code");
      await fox.press(first === "Chromium" ? "Scan a code" : "Show a code");
      if (first === "Chromium") {
        await fox.look(await pictureOf(ada));
        await ada.camera.show(await fox.codeOnScreen());
      } else {
        await ada.camera.show(await fox.codeOnScreen());
        await fox.look(await pictureOf(ada));
      }
      await expectMet(ada, "Fox");
      await fox.waitForText("Verified");
      await sendText(ada.page, "No server between us.");
      await fox.waitForText("No server between us.");

      const path = testInfo.outputPath("chart.bin");
      const sha256 = await writeRandomFile(path, 8);
      if (first === "Chromium") {
        await attach(ada.page, path);
        await fox.press("Save: chart.bin");
        await expect(fileCard(ada.page, "chart.bin")).toContainText("Received by Fox", { timeout: 120_000 });
        expect(await sha256OfFile(await fox.downloaded("chart.bin"))).toBe(sha256);
      } else {
        await fox.attach(path);
        await keepHere(fileCard(ada.page, "chart.bin"));
        await expect(fileCard(ada.page, "chart.bin")).toContainText("Received", { timeout: 120_000 });
        expect(await savedSha256(ada.page, "chart.bin")).toBe(sha256);
      }

      await ada.page.getByRole("button", { name: "Video call" }).click();
      await fox.press("Join");
      await ada.page.getByRole("link", { name: "Call", exact: true }).click();
      await expectMoving(picture(ada.page, "Fox"));
      expect(ada.complaints).toEqual([]);
    } finally {
      await fox.close();
      await closeAll([ada]);
    }
  });
}
