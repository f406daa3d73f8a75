import type { Locator, Page } from "@playwright/test";
import readQr from "jsqr";
import { PNG } from "pngjs";
import { expectNoViolations } from "../support/accessibility.ts";
import { openConversation } from "../support/conversation.ts";
import { attach, savedSha256 } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { pixelAt, type Rgb } from "../support/pictures.ts";
import { copyLink, expectOnline, expectWaiting, joinByLink, startRoom } from "../support/room.ts";

const white: Rgb = [255, 255, 255];

/** A colour of the system as the page shows it. */
async function systemColour(page: Page, name: string): Promise<string> {
  return page.evaluate((colour) => {
    const probe = document.createElement("span");
    probe.style.cssText = `forced-color-adjust: none; color: ${colour}`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}

async function shown(element: Locator): Promise<PNG> {
  return PNG.sync.read(await element.screenshot({ animations: "disabled" }));
}

const fractionOf = (png: PNG, isCounted: (colour: Rgb) => boolean): number => {
  let count = 0;
  for (let y = 0; y < png.height; y++)
    for (let x = 0; x < png.width; x++) if (isCounted(pixelAt(png, x, y))) count++;
  return count / (png.width * png.height);
};

/**
 * A chosen element has the ground of a selection, and others have not. Its words stand on that ground: a browser may
 * paint a plate of another colour behind words, which no computed style tells.
 */
async function expectChosen(chosen: Locator, other: Locator, words = chosen): Promise<void> {
  const page = chosen.page();
  const highlight = await systemColour(page, "Highlight");
  await expect(chosen).toHaveCSS("background-color", highlight);
  await expect(other).not.toHaveCSS("background-color", highlight);
  await expect(chosen).toHaveCSS("color", await systemColour(page, "HighlightText"));
  const box = await shown(chosen);
  const ground = pixelAt(box, Math.floor(box.width / 2), 3);
  const isGround = (colour: Rgb) => colour.every((channel, at) => channel === ground[at]);
  const text = await shown(words);
  expect(fractionOf(text, isGround)).toBeGreaterThan(0.4);
  expect(fractionOf(text, (colour) => !isGround(colour))).toBeGreaterThan(0.05);
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`with forced colours on ${colorScheme} ground`, () => {
    const look = { name: "Ada", forcedColors: "active", colorScheme } as const;

    test("a QR code can be scanned, and what is current, chosen, focused or disabled is told from the rest", async ({
      newPerson,
      room,
    }) => {
      const ada = await newPerson(look);
      const { page } = ada;
      await startRoom(ada, { room });
      await expectWaiting(page);
      const link = await copyLink(ada);
      const code = page.getByRole("img", { name: /QR code/ });
      // Black modules on white, also around them: the frame is part of what a camera needs.
      const frame = await shown(code.locator(".."));
      expect(pixelAt(frame, Math.floor(frame.width / 2), 8)).toEqual(white);
      expect(pixelAt(frame, 8, Math.floor(frame.height / 2))).toEqual(white);
      const read = readQr(new Uint8ClampedArray(frame.data), frame.width, frame.height, {
        inversionAttempts: "dontInvert",
      });
      expect(read?.data).toBe(link);

      const pages = page.getByRole("navigation").first();
      const linkTo = (name: string) => pages.getByRole("link", { name });
      await expectChosen(linkTo("Chat"), linkTo("Files"), linkTo("Chat").getByText("Chat"));
      const people = page.getByRole("navigation", { name: "People" });
      const everyone = people.getByRole("link", { name: /^Everyone/ });
      const warren = people.getByRole("link", { name: /^Warren/ });
      await everyone.click();
      await expectChosen(everyone, warren, everyone.getByText("Everyone", { exact: true }));
      await warren.click();
      await expectChosen(warren, everyone, warren.getByText("Warren", { exact: true }));
      await expectNoViolations(page, "conversation");

      await page.getByRole("button", { name: "Room menu" }).click();
      const items = page.getByRole("menuitem");
      await items.first().waitFor();
      await page.keyboard.press("ArrowDown");
      const item = page.locator("[role=menuitem][data-highlighted]");
      await expectChosen(item, items.last(), item.locator("span").first());
      await page.keyboard.press("Escape");

      await linkTo("Settings").click();
      const section = (name: string) =>
        page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name });
      await section("Appearance").click();
      await expectChosen(
        section("Appearance"),
        section("Media"),
        section("Appearance").getByText("Appearance"),
      );
      const themes = page.getByRole("radiogroup", { name: "Theme" }).locator("label");
      await expectChosen(themes.filter({ hasText: "System" }), themes.filter({ hasText: "Dark" }));
      const highlight = await systemColour(page, "Highlight");
      const toggle = (name: string) => page.getByRole("switch", { name });
      await expect(toggle("Show that you are writing")).toHaveCSS("background-color", highlight);
      await expect(toggle("Enter sends")).not.toHaveCSS("background-color", highlight);
      await expectNoViolations(page, "settings");

      await linkTo("Chat").click();
      const bo = await newPerson({ name: "Bo" });
      await joinByLink(bo, link);
      await expectOnline(page, "Bo");
      await openConversation(page, "Bo");
      const disabled = page.getByRole("button", { name: "Send", exact: true });
      await expect(disabled).toHaveAttribute("aria-disabled", "true");
      await expect(disabled).toHaveCSS("color", await systemColour(page, "GrayText"));
      await page.keyboard.press("Tab");
      const ring = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
        return `${outlineStyle} ${outlineWidth}`;
      });
      expect(ring).toBe("solid 2px");

      // There is something to filter only where files differ.
      for (const name of ["tides.txt", "charts.txt"])
        await attach(page, { name, mimeType: "text/plain", buffer: Buffer.from("high at nine") });
      await savedSha256(bo.page, "tides.txt");
      await linkTo("Files").click();
      const filter = (name: RegExp) => page.getByRole("button", { name });
      await expectChosen(filter(/^All/), filter(/^Waiting/));
      await expectChosen(linkTo("Files"), linkTo("Chat"), linkTo("Files").getByText("Files"));
    });
  });
}
