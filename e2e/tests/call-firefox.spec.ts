import { launchOptions } from "../support/browser.ts";
import {
  expectInCall as expect,
  expectMoving,
  openCall,
  picture,
  press,
  shareScreen,
  soundEnergy,
  withScreens,
} from "../support/call.ts";
import { FirefoxPerson } from "../support/firefox.ts";
import { test } from "../support/fixtures.ts";
import { copyLink, expectOnline, startRoom } from "../support/room.ts";

// The shell has no sound and no frames from its fake devices.
test.use({ launchOptions });
// Calls encode their media in software.
test.describe.configure({ timeout: 420_000 });

test("Firefox and Chromium exchange video and audio", async ({ newPerson, room }) => {
  const permissions = ["camera", "microphone", "clipboard-read", "clipboard-write"];
  const ada = await newPerson({ name: "Ada", permissions });
  await withScreens(ada);
  const fox = await FirefoxPerson.open();
  try {
    await startRoom(ada, { room });
    await fox.joinByLink(await copyLink(ada), "Fox");
    await expectOnline(ada.page, "Fox");
    await openCall(ada.page);
    await press(ada.page, "Mic");
    await shareScreen(ada.page);

    await fox.waitForText("Ada is in a call");
    await fox.page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/video"]')?.click());
    await fox.press("Listen");
    const framesInFirefox = () =>
      fox.page.evaluate(() =>
        Math.max(
          0,
          ...[...document.querySelectorAll("video")].map(
            // Firefox counts painted frames only in this property.
            (video) => Number(Reflect.get(video, "mozPaintedFrames")),
          ),
        ),
      );
    await expect.poll(framesInFirefox).toBeGreaterThan(2);
    const before = await framesInFirefox();
    await expect.poll(framesInFirefox).toBeGreaterThan(before + 2);

    await fox.press("Camera");
    await fox.press("Mic");
    await expectMoving(picture(ada.page, "Fox"));
    await expect.poll(() => soundEnergy(ada.page)).toBeGreaterThan(0);
  } finally {
    await fox.close();
  }
});
