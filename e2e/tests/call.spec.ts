import type { Locator, Page } from "@playwright/test";
import { expectNoViolations, inEveryLook } from "../support/accessibility.ts";
import { launchOptions } from "../support/browser.ts";
import {
  control,
  encodersAtWork,
  encodings,
  expectInCall as expect,
  expectMoving,
  framesSent,
  framesUntilOff,
  liveTracks,
  openCall,
  picture,
  plugIn,
  press,
  recordTracksAtEnd,
  shareScreen,
  soundEnergy,
  soundParameters,
  tracksAtEnd,
  unplug,
  videoBytesSent,
  withScreens,
} from "../support/call.ts";
import { openConversation } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, sha256OfFile, writeRandomFile } from "../support/files.ts";
import { test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { joinByLink, meet } from "../support/room.ts";
import { openSection, unfold } from "../support/settings.ts";

// The shell has no sound and no frames from its fake devices.
test.use({ launchOptions });
// Calls encode their media in software.
test.describe.configure({ timeout: 420_000 });

const permissions = ["camera", "microphone", "clipboard-read", "clipboard-write"];

test("camera, voice and two screens are sent only to those who watch and listen", async ({
  newPerson,
  room,
}, testInfo) => {
  const ada = await newPerson({ name: "Ada", permissions });
  const bo = await newPerson({ name: "Bo", permissions });
  const cy = await newPerson({ name: "Cy", permissions });
  for (const person of [ada, bo, cy]) await withScreens(person);
  const { link } = await meet([ada, bo], { room });

  await openCall(ada.page);
  await press(ada.page, "Mic");
  await expect(ada.page).toHaveTitle(/^● /);
  await press(ada.page, "Camera");
  await shareScreen(ada.page);
  await shareScreen(ada.page, "Share a screen, sharp text");
  await expect
    .poll(() => liveTracks(ada.page))
    .toEqual(["audio", "audio", "audio", "video", "video", "video"]);

  // Nothing is played or sent before Bo requests it.
  const offered = bo.page.getByRole("region", { name: "Call", exact: true });
  await expect(offered.getByText("Ada is in a call")).toBeVisible();
  await expect(offered.getByText("Ada is sharing a screen")).toBeVisible();
  // The last track may still be negotiated; frames that were sent once would count forever.
  await expect.poll(() => framesSent(ada.page)).toEqual([0, 0, 0]);
  expect(await soundEnergy(bo.page)).toBe(0);

  await offered.getByRole("button", { name: "Watch" }).click();
  await expect(bo.page.getByText("2 people, Ada is sharing a screen")).toBeVisible();
  await bo.page.getByRole("button", { name: "Show all" }).click();
  await expect(bo.page.getByText("Harbour plan 1")).toBeVisible();
  await expect(bo.page.getByText("Harbour plan 2")).toBeVisible();
  const screens = picture(bo.page, "Screen of Ada");
  await expect(screens).toHaveCount(2);
  await expectMoving(screens.first());
  await expectMoving(screens.last());
  await expectMoving(picture(bo.page, "Ada"));
  await expect(ada.page.getByText("Bo is watching").first()).toBeVisible();

  // Audio is sent once requested, and only while the microphone is on.
  expect(await soundEnergy(bo.page)).toBe(0);
  await bo.page.getByRole("button", { name: "Listen", exact: true }).click();
  await expect.poll(() => soundEnergy(bo.page)).toBeGreaterThan(0);
  // A voice sends almost nothing in silence, and a screen's audio is stereo.
  await expect
    .poll(async () =>
      (await soundParameters(ada.page)).map((line) => /stereo=1/.test(line) !== /usedtx=1/.test(line)),
    )
    .toEqual([true, true]);
  await shareNothingButVoice();
  await expect
    .poll(() => soundEnergy(bo.page).then(async (before) => (await soundEnergy(bo.page)) - before))
    .toBe(0);
  await press(ada.page, "Mic");
  const silent = await soundEnergy(bo.page);
  await expect.poll(() => soundEnergy(bo.page)).toBeGreaterThan(silent);

  // A later joiner receives the running sources, and keeps them when Bo stops watching.
  await joinByLink(cy, link);
  await expect(cy.page.getByRole("region", { name: "Call", exact: true })).toContainText("Ada is in a call");
  await openCall(cy.page);
  await cy.page.getByRole("button", { name: "Show all" }).click();
  await expectMoving(picture(cy.page, "Screen of Ada"));
  const caps = (await encodings(ada.page)).filter(({ active }) => active);
  expect(caps.length).toBeGreaterThan(0);
  for (const { maxBitrate, maxFramerate, scale } of caps) {
    expect(maxBitrate).toBeLessThanOrEqual(3_000_000);
    expect(maxFramerate).toBeLessThanOrEqual(30);
    expect(scale).toBeGreaterThanOrEqual(1);
  }
  const tile = bo.page.getByRole("listitem").filter({ has: screens });
  await tile.hover();
  await bo.page.getByRole("button", { name: "Options: Screen of Ada" }).click();
  await bo.page.getByRole("button", { name: "Pause for me" }).click();
  await expect(bo.page.getByText("Paused by you")).toBeVisible();
  // The camera for both, and the screen for Cy.
  await expect.poll(() => encodersAtWork(ada.page)).toBe(3);
  await expectMoving(picture(cy.page, "Screen of Ada"));
  await bo.page.getByRole("button", { name: "Options: Screen of Ada" }).click();
  await bo.page.getByRole("button", { name: "Resume" }).click();
  await expectMoving(screens);

  // A reconnect restores everything, without another device prompt.
  await ada.page.evaluate(() => {
    for (const connection of Reflect.get(globalThis, "connections") as RTCPeerConnection[])
      connection.close();
  });
  // Only silence tells Bo's browser that the connection is gone.
  await expect(bo.page.getByText("Waiting for Ada").first()).toBeVisible();
  await expect(bo.page.getByText("Waiting for Ada")).toHaveCount(0);
  await expectMoving(screens);
  await expectMoving(picture(cy.page, "Screen of Ada"));

  // A file sent during the call arrives, and the call continues.
  const path = testInfo.outputPath("recording.bin");
  await writeRandomFile(path, 64);
  await bo.page.getByRole("link", { name: "Chat" }).click();
  await openConversation(bo.page, "Ada");
  await attach(bo.page, path);
  await ada.page.getByRole("link", { name: "Chat" }).click();
  await openConversation(ada.page, "Bo");
  await expect(ada.page.getByRole("region", { name: "Call", exact: true })).toContainText("You are sharing");
  await keepHere(fileCard(ada.page, "recording.bin"));
  const during = await soundEnergy(bo.page);
  await expect(fileCard(ada.page, "recording.bin")).toContainText(/[1-9][.\d]* of 67/);
  await expectMoving(picture(cy.page, "Screen of Ada"));
  await expect(fileCard(ada.page, "recording.bin")).toContainText("Received", { timeout: 180_000 });
  expect(await savedSha256(ada.page, "recording.bin")).toBe(await sha256OfFile(path));
  expect(await soundEnergy(bo.page)).toBeGreaterThan(during);
  await expectMoving(picture(cy.page, "Screen of Ada"));

  // Leaving the call turns off every device at once.
  const callTile = ada.page.getByRole("region", { name: "Call", exact: true });
  await callTile.getByRole("button", { name: "Leave" }).click();
  expect(await liveTracks(ada.page)).toEqual([]);
  await expectOffInTime(ada.page, 4);
  await expect(ada.page).not.toHaveTitle(/●/);
  await expect(bo.page.getByRole("region", { name: "Call", exact: true })).toBeHidden();

  async function shareNothingButVoice(): Promise<void> {
    await chooseFrom(control(ada.page, "Share screen"), "Stop screen 2");
    await expect(screens).toHaveCount(1);
    await press(ada.page, "Mic");
    await expect(bo.page.getByRole("img", { name: "Muted" })).toBeVisible();
    // Bo's controls for the audio of the remaining screen are separate.
    await tileOfScreen().hover();
    await bo.page.getByRole("button", { name: "Options: Screen of Ada" }).click();
    await bo.page.getByRole("button", { name: "Mute for me" }).click();
    await bo.page.keyboard.press("Escape");
    // Data in transit is still played.
    await bo.page.waitForTimeout(1_000);
  }

  function tileOfScreen() {
    return bo.page.getByRole("listitem").filter({ has: screens });
  }
});

test("the call works by keyboard and on a phone, and leaves no device on", async ({ newPerson, room }) => {
  test.slow();
  const ada = await newPerson({ name: "Ada", permissions });
  const bo = await newPerson({ name: "Bo", permissions });
  for (const person of [ada, bo]) await withScreens(person);
  await meet([ada, bo], { room });
  await openCall(ada.page);
  await ada.page.locator("body").press("m");
  await expect.poll(() => liveTracks(ada.page)).toEqual(["audio"]);
  await ada.page.keyboard.press("v");
  await ada.page.keyboard.press("s");
  await expect.poll(() => liveTracks(ada.page)).toEqual(["audio", "audio", "video", "video"]);
  await ada.page.keyboard.press("m");
  await expect(ada.page.getByText("Hold Space to talk")).toBeVisible();
  await ada.page.keyboard.down("Space");
  await expect(control(ada.page, "Mic")).toHaveAttribute("aria-pressed", "true");
  await ada.page.keyboard.up("Space");
  await expect(control(ada.page, "Mic")).toHaveAttribute("aria-pressed", "false");

  await openCall(bo.page);
  const large = bo.page.getByRole("group", { name: "Screen of Ada" });
  await expectMoving(large.locator("video"));
  await large.focus();
  await bo.page.keyboard.press("+");
  await expect(large.locator("div").first()).toHaveAttribute("style", /scale\(1\.25\)/);
  await bo.page.keyboard.press("0");
  await expect(large.locator("div").first()).toHaveAttribute("style", /scale\(1\)/);
  await bo.page.getByRole("button", { name: "Full screen", exact: true }).click();
  await expectMoving(large.locator("video"));
  await bo.page.getByRole("button", { name: "Exit full screen" }).click();
  await expect(bo.page.getByRole("button", { name: "Full screen", exact: true })).toBeVisible();
  await bo.page.getByRole("button", { name: "Picture in picture" }).click();
  await expect
    .poll(() => inOwnWindow(bo.page))
    .toMatchObject({ text: expect.stringContaining("Screen of Ada") });
  const { frames = 0, ruleCount = 0 } = (await inOwnWindow(bo.page)) ?? {};
  expect(ruleCount).toBeGreaterThan(0);
  expect(ruleCount).toBe(await ruleCountOf(bo.page));
  await expect.poll(async () => (await inOwnWindow(bo.page))?.frames).toBeGreaterThan(frames + 2);
  // The bar is shown on other pages.
  await bo.page.getByRole("link", { name: "Chat" }).click();
  await expect(large).toBeHidden();
  const { frames: away = 0 } = (await inOwnWindow(bo.page)) ?? {};
  await expect.poll(async () => (await inOwnWindow(bo.page))?.frames).toBeGreaterThan(away + 2);
  await openCall(bo.page);
  await bo.page.getByRole("button", { name: "Picture in picture" }).click();
  await expect.poll(() => inOwnWindow(bo.page)).toBe(null);
  const enlarge = bo.page.getByRole("button", { name: "Enlarge: Ada" });
  await enlarge.focus();
  await bo.page.keyboard.press("Enter");
  await expect(bo.page.getByRole("group", { name: "Ada", exact: true })).toBeVisible();
  await inEveryLook(bo.page, (look) => expectNoViolations(bo.page, `stage in a call, ${look}`));
  await bo.page.getByRole("button", { name: "Show all" }).click();
  await inEveryLook(bo.page, (look) => expectNoViolations(bo.page, `stage with tiles, ${look}`));
  await ada.page.getByRole("link", { name: "Files" }).click();
  await inEveryLook(ada.page, (look) => expectNoViolations(ada.page, `bar of a call, ${look}`));

  await ada.page.setViewportSize({ width: 1280, height: 720 });
  await openCall(ada.page);
  await ada.page.emulateMedia({ reducedMotion: "no-preference" });
  const places = await watchPlaces(ada.page.getByRole("listitem").last());
  await bo.page.keyboard.press("v");
  await expect.poll(() => liveTracks(bo.page)).toEqual(["video"]);
  await expectMoving(picture(ada.page, "Bo"));
  // Tiles move smoothly when someone joins, so there are intermediate positions.
  await expect.poll(async () => new Set(await places()).size).toBeGreaterThan(2);

  // Each device turns off separately and in time; a microphone when it is the last source.
  await bo.page.setViewportSize({ width: 1280, height: 720 });
  await press(bo.page, "Camera");
  await expectOffInTime(bo.page, 1);
  await shareScreen(bo.page);
  await expect.poll(() => liveTracks(bo.page)).toEqual(["audio", "video"]);
  await press(bo.page, "Mic");
  await expect.poll(() => liveTracks(bo.page)).toEqual(["audio", "audio", "video"]);
  await chooseFrom(control(bo.page, "Share screen"), "Stop sharing");
  await expectOffInTime(bo.page, 2);
  expect(await liveTracks(bo.page)).toEqual(["audio"]);
  await press(bo.page, "Leave");
  await expectOffInTime(bo.page, 1);
  expect(await liveTracks(bo.page)).toEqual([]);

  // Closing the tab turns them off; a reload starts the same way.
  await openCall(bo.page);
  await press(bo.page, "Camera");
  await expectMoving(picture(ada.page, "Bo"));
  await recordTracksAtEnd(bo.page);
  await bo.page.reload();
  expect(new Set(await tracksAtEnd(bo.page))).toEqual(new Set(["ended"]));
  await expect(picture(ada.page, "Bo")).toHaveCount(0);

  // Leaving the room turns everything off automatically.
  await ada.page.getByRole("link", { name: "Chat" }).click();
  await chooseFrom(ada.page.getByRole("button", { name: "Room menu" }), "Leave room");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Leave", exact: true }).click();
  expect(await liveTracks(ada.page)).toEqual([]);
  await expectOffInTime(ada.page, 4);
});

test("video stays below the bitrate limit, and a refused or unplugged device is named", async ({
  newPerson,
  room,
}) => {
  test.slow();
  const ada = await newPerson({ name: "Ada", permissions: permissions.filter((one) => one !== "camera") });
  const bo = await newPerson({ name: "Bo", permissions });
  await withScreens(ada, { isNoisy: true });
  await meet([ada, bo], { room });

  await openCall(ada.page);
  await press(ada.page, "Camera");
  await expect(ada.page.getByText("The camera is off")).toBeVisible();
  await expect(ada.page.getByText("The browser does not allow the camera.", { exact: false })).toBeVisible();
  expect(await liveTracks(ada.page)).toEqual([]);

  await press(ada.page, "Mic");
  await expect.poll(() => liveTracks(ada.page)).toEqual(["audio"]);
  await unplug(ada.page, "audio");
  await expect(ada.page.getByText("Microphone disconnected")).toBeVisible();
  await expect(ada.page.getByRole("img", { name: "Muted" })).toBeVisible();
  await plugIn(ada.page);
  await expect(ada.page.getByText("The microphone is back")).toBeVisible();
  expect(await liveTracks(ada.page)).toEqual(["audio"]);
  await press(ada.page, "Mic");

  await shareScreen(ada.page);
  await openCall(bo.page);
  await expectMoving(bo.page.getByRole("group", { name: "Screen of Ada" }).locator("video"));
  const bitsPerSecond = async () => {
    const before = await videoBytesSent(ada.page);
    await ada.page.waitForTimeout(6_000);
    return ((await videoBytesSent(ada.page)) - before) * (8 / 6);
  };
  await expect.poll(bitsPerSecond).toBeGreaterThan(200_000);
  await ada.page.getByRole("link", { name: "Settings" }).click();
  await openSection(ada.page, "media", "Media");
  await unfold(ada.page, "Limits");
  await ada.page.getByRole("textbox", { name: "Maximum video bitrate" }).fill("0.1");
  await ada.page.keyboard.press("Tab");
  await expect
    .poll(async () => (await encodings(ada.page)).map(({ maxBitrate }) => maxBitrate))
    .toEqual([100_000]);
  // Without the limit it stays above 200,000. One window may still hold frames from before.
  await expect.poll(bitsPerSecond).toBeLessThan(150_000);
});

/** Records where an element is in each frame, from now on. */
async function watchPlaces(element: Locator): Promise<() => Promise<string[]>> {
  const places = await element.evaluateHandle((watched) => {
    const seen: string[] = [];
    const look = (): void => {
      const { x, y, width, height } = watched.getBoundingClientRect();
      seen.push([x, y, width, height].map(Math.round).join(" "));
      requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  return () => places.jsonValue();
}

function ruleCountOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    [...document.styleSheets].reduce((sum, { cssRules }) => sum + cssRules.length, 0),
  );
}

/** The content of the picture-in-picture window, if open. */
function inOwnWindow(
  page: Page,
): Promise<{ readonly text: string; readonly frames: number; readonly ruleCount: number } | null> {
  return page.evaluate(() => {
    const { window: own } = Reflect.get(globalThis, "documentPictureInPicture") as { window: Window | null };
    if (own === null) return null;
    const [video] = own.document.querySelectorAll("video");
    const sheets = [...own.document.styleSheets];
    return {
      text: own.document.body.innerText,
      frames: video?.getVideoPlaybackQuality().totalVideoFrames ?? 0,
      ruleCount: sheets.reduce((sum, { cssRules }) => sum + cssRules.length, 0),
    };
  });
}

/** Every track ended within the frames that 200 ms have where nothing holds the page up. */
async function expectOffInTime(page: Page, count: number): Promise<void> {
  const frames = await framesUntilOff(page);
  expect(frames).toHaveLength(count);
  expect(Math.max(...frames)).toBeLessThanOrEqual(12);
}
