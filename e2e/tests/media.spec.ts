import { expectNoViolations, inBothThemes } from "../support/accessibility.ts";
import { launchOptions } from "../support/browser.ts";
import { expect, test } from "../support/fixtures.ts";
import { openSection } from "../support/settings.ts";

// The shell has no sound and no frames from its fake devices.
test.use({ launchOptions });

test("camera and microphone are tested, selected and released", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada", permissions: ["camera", "microphone"] });
  await page.addInitScript(() => {
    const opened: MediaStream[] = [];
    Object.assign(globalThis, { opened });
    const media = navigator.mediaDevices;
    const getUserMedia = media.getUserMedia.bind(media);
    media.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints);
      opened.push(stream);
      return stream;
    };
  });
  const openTracks = () =>
    page.evaluate(() =>
      (Reflect.get(globalThis, "opened") as MediaStream[])
        .flatMap((stream) => stream.getTracks())
        .filter((track) => track.readyState === "live")
        .map(({ kind }) => kind)
        .sort(),
    );
  await page.goto("/setting");
  await openSection(page, "media", "Media");
  await page.getByRole("button", { name: "Try camera and microphone" }).click();
  const dialog = page.getByRole("dialog", { name: "Camera and microphone" });
  const picture = dialog.locator("video");
  await expect.poll(() => picture.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0);
  // The fake microphone beeps once a second.
  await expect(dialog.getByText("The microphone hears you.")).toBeVisible();
  await inBothThemes(page, (theme) => expectNoViolations(page, `camera and microphone, ${theme}`));
  await expect.poll(openTracks).toEqual(["audio", "video"]);

  const cameras = dialog.getByRole("combobox", { name: "Camera" });
  await expect(cameras.getByRole("option", { name: /fake/ })).not.toHaveCount(0);
  await cameras.focus();
  await page.keyboard.press("End");
  const camera = await cameras.inputValue();
  expect(camera).not.toBe("");
  await dialog.getByRole("switch", { name: "Noise suppression" }).press("Space");
  await dialog.getByRole("button", { name: "Use these" }).press("Enter");
  await expect.poll(openTracks).toEqual([]);

  await expect(page.getByRole("combobox", { name: "Camera", exact: true })).toHaveValue(camera);
  await expect(page.getByRole("switch", { name: "Noise suppression" })).not.toBeChecked();
  await page.getByRole("button", { name: "Try camera and microphone" }).click();
  await expect(dialog.getByText("The microphone hears you.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect.poll(openTracks).toEqual([]);
});
