import type { BrowserContext, Locator, Page, TestInfo } from "@playwright/test";
import { expectNoViolations } from "../support/accessibility.ts";
import { expect, ownServerTest as test } from "../support/fixtures.ts";
import { MadeCamera, type Pose } from "../support/made-camera.ts";
import { watchContext } from "../support/watch-context.ts";

/** What the browser logs without a server. */
const withoutServer = /ERR_CONNECTION_REFUSED|WebSocket|ERR_FAILED|fetching the script/;

interface Device {
  readonly camera: MadeCamera;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

const dialogOf = (page: Page): Locator => page.getByRole("dialog", { name: "Meet by QR code" });
const codeOf = (page: Page): Locator => page.getByRole("img", { name: "QR code of this device" });

async function open(testInfo: TestInfo, url: string, name: string): Promise<Device> {
  const camera = await MadeCamera.launch(testInfo.outputPath(`${name}.y4m`));
  const context = await camera.browser.newContext({
    baseURL: url,
    locale: "en-US",
    permissions: ["camera", "clipboard-read", "clipboard-write"],
    serviceWorkers: "allow",
  });
  const complaints: string[] = [];
  await watchContext(context, {
    origin: url,
    onRequest: () => {},
    onComplaint: (complaint) => {
      if (!withoutServer.test(complaint)) complaints.push(`${name}: ${complaint}`);
    },
  });
  const page = await context.newPage();
  await page.addInitScript((own) => {
    if (localStorage.getItem("profile") === null)
      localStorage.setItem("profile", JSON.stringify({ name: own, roomId: "burrow", createdAt: 1 }));
  }, name);
  await page.goto("/");
  // Installed: it opens without the server from now on.
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state))
    .toBe("activated");
  await page.reload();
  return { camera, context, page, complaints };
}

async function openDialog({ page }: Device, choice: "Show a code" | "Scan a code"): Promise<void> {
  await page.getByRole("button", { name: "No internet? Meet by QR code" }).click();
  await dialogOf(page).getByRole("button", { name: choice }).click();
}

/** Holds one device's code in front of the other's camera. */
async function hold(from: Device, to: Device, pose?: Pose): Promise<void> {
  await expect(codeOf(from.page)).toBeVisible();
  const drawn = () =>
    codeOf(from.page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL("image/png"));
  const blank = await from.page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [256, 256];
    return canvas.toDataURL("image/png");
  });
  await expect.poll(drawn).not.toBe(blank);
  await to.camera.show(await drawn(), pose);
}

async function expectMet({ page }: Device, name: string, { isVerified = true } = {}): Promise<void> {
  const conversation = page.getByRole("region", { name: new RegExp(`^Conversation with ${name}`) });
  await expect(conversation).toBeVisible();
  await expect(conversation.getByText("Identity verified")).toHaveCount(isVerified ? 1 : 0);
}

test("two devices meet by camera without a server, both verified, and talk", async ({ server }, testInfo) => {
  const [ada, bo] = [await open(testInfo, server.url, "Ada"), await open(testInfo, server.url, "Bo")];
  try {
    await server.kill();
    await openDialog(ada, "Show a code");
    await openDialog(bo, "Scan a code");
    await hold(ada, bo);
    await expect(codeOf(bo.page)).toBeVisible();
    const startedAt = Date.now();
    await hold(bo, ada);
    await expectMet(ada, "Bo");
    await expectMet(bo, "Ada");
    testInfo.annotations.push({ type: "met", description: `${Date.now() - startedAt} ms` });
    const composer = ada.page.getByRole("textbox", { name: /^Message/ });
    await composer.fill("No server between us.");
    await composer.press("Control+Enter");
    await expect(bo.page.getByRole("article").getByText("No server between us.")).toBeVisible();
    expect([...ada.complaints, ...bo.complaints]).toEqual([]);
  } finally {
    for (const { camera } of [ada, bo]) await camera.browser.close();
  }
});

test("a turned, dim, small or damaged code is read, and one by text; another is refused in words", async ({
  server,
}, testInfo) => {
  const [ada, bo] = [await open(testInfo, server.url, "Ada"), await open(testInfo, server.url, "Bo")];
  try {
    await openDialog(ada, "Show a code");
    for (const pose of [{ degrees: 20, size: 0.65 }, { contrast: 0.4 }, { size: 0.6 }, { damage: 0.08 }]) {
      await openDialog(bo, "Scan a code");
      await hold(ada, bo, pose);
      await expect(codeOf(bo.page), JSON.stringify(pose)).toBeVisible();
      await dialogOf(bo.page).getByRole("button", { name: "Close" }).click();
    }
    await expectNoViolations(ada.page, "meet by code");
    await ada.page.screenshot({ path: testInfo.outputPath("code.png") });

    // A code that the camera reads meanwhile would take the sentence about the typed one away.
    await hold(ada, bo, { contrast: 0 });
    await openDialog(bo, "Scan a code");
    const typed = dialogOf(bo.page).getByRole("textbox", { name: "Text of the other code" });
    await typed.fill("WARREN:ABCDEF");
    await typed.press("Enter");
    await expect(dialogOf(bo.page).getByRole("alert")).toContainText(
      "This is not the code that is needed now.",
    );
    // The answers so far were to earlier scans, so the last one counts; its text works as well as the code.
    await hold(ada, bo);
    await expect(codeOf(bo.page)).toBeVisible();
    await dialogOf(bo.page).getByRole("button", { name: "Copy as text" }).click();
    const answer = await bo.page.evaluate(() => navigator.clipboard.readText());
    const into = dialogOf(ada.page).getByRole("textbox", { name: "Text of the other code" });
    await into.fill(answer);
    await into.press("Enter");
    // He scanned her code; she pasted his.
    await expectMet(bo, "Ada");
    await expectMet(ada, "Bo", { isVerified: false });
    expect([...ada.complaints, ...bo.complaints]).toEqual([]);
  } finally {
    for (const { camera } of [ada, bo]) await camera.browser.close();
  }
});
