import type { Locator, Page, TestInfo } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { MadeCamera, type Pose } from "./made-camera.ts";
import { untilActive } from "./until-active.ts";
import { watchContext } from "./watch-context.ts";

/** What the browser logs without a server. */
const withoutServer =
  /ERR_CONNECTION_REFUSED|WebSocket|ERR_FAILED|ERR_INTERNET_DISCONNECTED|fetching the script/;

/** A browser of its own with a camera that shows what the test holds in front of it. */
export interface CodeDevice {
  readonly name: string;
  readonly camera: MadeCamera;
  readonly page: Page;
  readonly complaints: string[];
}

interface DeviceSettings {
  readonly name: string;
  /** The server's address. */
  readonly url: string;
  /** The browser; the system's Chromium if absent. */
  readonly program?: string | undefined;
}

/** Opens a device's browser, or opens it again with what it has stored under its name. */
export async function launchDevice(
  testInfo: TestInfo,
  { name, url, program }: DeviceSettings,
): Promise<CodeDevice> {
  const camera = await MadeCamera.launch(testInfo.outputPath(name), {
    baseURL: url,
    locale: "en-US",
    permissions: ["camera", "microphone", "clipboard-read", "clipboard-write"],
    serviceWorkers: "allow",
    ...(program === undefined ? {} : { executablePath: program }),
  });
  const { context } = camera;
  const complaints: string[] = [];
  await watchContext(context, {
    origin: url,
    onRequest: () => {},
    onComplaint: (complaint) => {
      if (!withoutServer.test(complaint)) complaints.push(`${name}: ${complaint}`);
    },
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.addInitScript((own) => {
    if (localStorage.getItem("profile") === null)
      localStorage.setItem("profile", JSON.stringify({ name: own, roomId: "burrow", createdAt: 1 }));
  }, name);
  return { name, camera, page, complaints };
}

/** Opens the app so that the browser keeps it: it opens without the server from now on. */
export async function install({ page }: CodeDevice): Promise<void> {
  await page.goto("/");
  await untilActive(page);
  await page.reload();
}

export const codeDialog = (page: Page): Locator => page.getByRole("dialog", { name: "Meet by QR code" });
export const codeOf = (page: Page): Locator => page.getByRole("img", { name: "QR code of this device" });

export async function openCodeDialog(
  { page }: CodeDevice,
  choice: "Show a code" | "Scan a code",
): Promise<void> {
  await page.getByRole("button", { name: "No internet? Meet by QR code" }).click();
  await codeDialog(page).getByRole("button", { name: choice }).click();
}

/** The picture of a device's code, once it is drawn. */
export async function pictureOf({ page }: CodeDevice): Promise<string> {
  await expect(codeOf(page)).toBeVisible();
  const drawn = () => codeOf(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL("image/png"));
  const blank = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [256, 256];
    return canvas.toDataURL("image/png");
  });
  await expect.poll(drawn).not.toBe(blank);
  return drawn();
}

/** Holds one device's code in front of the other's camera. */
export async function hold(from: CodeDevice, to: CodeDevice, pose?: Pose): Promise<void> {
  await to.camera.show(await pictureOf(from), pose);
}

export async function expectMet(
  { page }: CodeDevice,
  name: string,
  { isVerified = true } = {},
): Promise<void> {
  const conversation = page.getByRole("region", { name: new RegExp(`^Conversation with ${name}`) });
  // The camera has to find the code, and an attempt may last 10 s.
  await expect(conversation).toBeVisible({ timeout: 30_000 });
  await expect(conversation.getByText("Verified", { exact: true })).toHaveCount(isVerified ? 1 : 0);
}
