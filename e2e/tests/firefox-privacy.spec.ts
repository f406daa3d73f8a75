import { writeFile } from "node:fs/promises";
import { openConversation } from "../support/conversation.ts";
import { attach, fileCard } from "../support/files.ts";
import { FirefoxPerson } from "../support/firefox.ts";
import { expect, test } from "../support/fixtures.ts";
import { drawPng, pixelAt, type Rgb, readPngUrl } from "../support/pictures.ts";
import { expectOnline, personRow, startRoom } from "../support/room.ts";

const [left, right]: readonly [Rgb, Rgb] = [
  [200, 40, 90],
  [20, 160, 60],
];
/** Of two colours, so that noise and white are told from it. */
const flag = (width: number, height: number) => drawPng(width, height, (x) => (x < width / 2 ? left : right));

/** Whether a PNG of 128×128 shows the two colours, but for the last bits of some pixels. */
function expectFlag(address: string | null): void {
  const png = readPngUrl(address);
  expect([png.width, png.height]).toEqual([128, 128]);
  for (const [x, colour] of [
    [20, left],
    [108, right],
  ] as const) {
    const differences = pixelAt(png, x, 64).map((channel, at) => Math.abs(channel - (colour[at] ?? 0)));
    expect(Math.max(...differences)).toBeLessThanOrEqual(8);
  }
}

const noise = (edge: number) =>
  drawPng(edge, edge, () => [Math.random() * 256, Math.random() * 256, Math.random() * 256]);

test("Firefox that resists fingerprinting sends its own picture as it is, and nothing that it drew", async ({
  newPerson,
  server,
  room,
}, testInfo) => {
  test.setTimeout(420_000);
  const [small, large] = [testInfo.outputPath("me.png"), testInfo.outputPath("photo.png")];
  await writeFile(small, flag(600, 200));
  // Noise compresses badly: this one is too large to be sent as it is.
  await writeFile(large, noise(400));
  const ada = await newPerson({ name: "Ada" });
  await startRoom(ada, { room });
  const fox = await FirefoxPerson.open({ "privacy.resistFingerprinting": true });
  try {
    await fox.openProfile(server.url);
    await fox.choosePicture(large);
    await fox.waitForText("privacy protection turns edited pictures into noise");
    expect(await fox.picturesIn("dialog, [role=dialog]")).toEqual([]);
    await fox.choosePicture(small);
    await expect.poll(() => fox.picturesIn("dialog, [role=dialog]")).toHaveLength(1);
    await fox.press("Save");
    await fox.joinByLink(`${server.url}/r/${room}`, "Fox");

    await expectOnline(ada.page, "Fox");
    const avatar = personRow(ada.page, "Fox").locator("img");
    await expect(avatar).toHaveAttribute("src", /^data:image\/png/);
    expectFlag(await avatar.getAttribute("src"));

    await openConversation(ada.page, "Fox");
    await fox.attach(small);
    await expect(fileCard(ada.page, "me.png").getByRole("button", { name: "Save: me.png" })).toBeVisible();
    await expect(fileCard(ada.page, "me.png").locator("img")).toHaveCount(0);
    // Over 2 MiB, so that it is offered, and not shown at once.
    await attach(ada.page, { name: "quay.png", mimeType: "image/png", buffer: noise(1_000) });
    await expect(fileCard(ada.page, "quay.png").locator("img")).toHaveCount(1);
    await fox.find("button", "Save: quay.png");
    expect(await fox.picturesIn("[role=log]")).toEqual([]);
  } finally {
    await fox.close();
  }
});

test("Firefox that flips the last bits of canvases crops a picture as usual", async ({
  server,
}, testInfo) => {
  test.setTimeout(420_000);
  const path = testInfo.outputPath("me.png");
  await writeFile(path, flag(600, 200));
  const fox = await FirefoxPerson.open({
    "privacy.fingerprintingProtection": true,
    "privacy.fingerprintingProtection.overrides": "+CanvasRandomization",
  });
  try {
    await fox.openProfile(server.url);
    await fox.choosePicture(path);
    await expect.poll(() => fox.picturesIn("[role=dialog]")).toHaveLength(1);
    const [shown] = await fox.picturesIn("[role=dialog]");
    expectFlag(shown ?? null);
  } finally {
    await fox.close();
  }
});
