import type { Page } from "@playwright/test";
import { expectNoViolations, inEveryLook } from "../support/accessibility.ts";
import { clipboardTexts, deliverText, openConversation, sendClipboard } from "../support/conversation.ts";
import { attach, fileCard } from "../support/files.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { clientIdOf } from "../support/hostile-peer.ts";
import { drawPng, pixelAt, readPngUrl } from "../support/pictures.ts";
import { expectOnline, meet, personRow, startRoom } from "../support/room.ts";

/** Opens a person's info from the conversation with them. */
async function openInfo(page: Page, name: string) {
  await page.getByRole("button", { name: `About ${name}` }).click();
  const info = page.getByRole("dialog", { name });
  await expect(info).toBeVisible();
  return info;
}

const seven = (page: Page) => page.getByRole("list", { name: "Safety code" }).getByRole("listitem");
const shields = (page: Page) => page.getByText("Verified", { exact: true });

async function meetInConversation(ada: Person, bo: Person, room: string): Promise<void> {
  await meet([ada, bo], { room });
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
}

test("both see the same seven emoji: a match is kept after a reload, and a difference blocks until Unblock", async ({
  newPerson,
  room,
}) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meetInConversation(ada, bo, room);

  const info = await openInfo(ada.page, "Bo");
  await info.getByRole("button", { name: "Technical details" }).click();
  await expect(info.getByRole("region", { name: "Statistics report" })).toBeAttached();
  await inEveryLook(ada.page, (look) => expectNoViolations(ada.page, `unverified, ${look}`));
  await ada.page.setViewportSize({ width: 1280, height: 720 });
  const bosInfo = await openInfo(bo.page, "Ada");
  // Bo joined by her link.
  await bosInfo.getByRole("button", { name: "Show safety code" }).click();
  for (const { page } of [ada, bo]) await expect(seven(page)).toHaveCount(7);
  expect(await seven(ada.page).allTextContents()).toEqual(await seven(bo.page).allTextContents());
  const drawn = (page: Page) =>
    seven(page)
      .locator("img")
      .evaluateAll((images) =>
        images.map((image) =>
          image instanceof HTMLImageElement && image.naturalWidth > 0 ? image.src : null,
        ),
      );
  for (const { page } of [ada, bo]) await expect.poll(() => drawn(page)).not.toContain(null);
  expect(await drawn(ada.page)).toEqual(await drawn(bo.page));

  await info.getByRole("button", { name: "They match" }).click();
  await expect(info.getByText("Verified. Nobody is intercepting the connection.")).toBeVisible();
  await inEveryLook(ada.page, (look) => expectNoViolations(ada.page, `verified, ${look}`));
  await ada.page.setViewportSize({ width: 1280, height: 720 });
  await ada.page.keyboard.press("Escape");
  const inListAndHeader = async () => {
    await expect(personRow(ada.page, "Bo").getByText("Verified", { exact: true })).toBeAttached();
    await expect(
      ada.page.getByRole("heading", { level: 1 }).getByText("Verified", { exact: true }),
    ).toBeAttached();
  };
  await inListAndHeader();
  await ada.page.reload();
  await expectOnline(ada.page, "Bo");
  await inListAndHeader();
  // The other side has not compared the code in its own browser.
  await expect(shields(bo.page)).toHaveCount(0);

  await openInfo(ada.page, "Bo");
  await info.getByRole("button", { name: "Show safety code" }).click();
  await info.getByRole("button", { name: "They differ" }).click();
  await expect(info.getByText("Bo cannot reach you until you unblock them.")).toBeVisible();
  await inEveryLook(ada.page, (look) => expectNoViolations(ada.page, `blocked, ${look}`));
  await ada.page.setViewportSize({ width: 1280, height: 720 });
  await ada.page.keyboard.press("Escape");
  await expect(
    ada.page.getByRole("alert").getByText("The safety codes differ. The connection was closed."),
  ).toBeVisible();
  await expect(ada.page.getByRole("textbox", { name: "Message" })).toBeHidden();
  await expect(personRow(ada.page, "Bo").getByText("offline", { exact: true })).toBeAttached();

  // A reload on either side does not get through.
  await ada.page.reload();
  await expect(personRow(ada.page, "Bo").getByText("Blocked, the safety code differs")).toBeVisible();
  await bo.page.reload();
  await expect(
    personRow(bo.page, "Ada")
      .getByText(/^No answer within 10 s/)
      .or(bo.page.getByText(/^Could not reach Ada/))
      .first(),
  ).toBeVisible({ timeout: 30_000 }); // An attempt lasts 10 s.
  await expect(personRow(ada.page, "Bo").getByText("offline", { exact: true })).toBeAttached();

  await openInfo(ada.page, "Bo");
  await ada.page.getByRole("button", { name: "Unblock" }).click();
  await ada.page.keyboard.press("Escape");
  await expectOnline(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  await openConversation(ada.page, "Bo");
  await deliverText(ada.page, bo.page, "We checked again");
});

test("a newcomer by link trusts the link's maker, and nobody else", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  const { link } = await meet([ada, bo, cy], { room });
  expect(new URL(link).hash).toMatch(/\.[\w-]{22}$/);
  await openConversation(bo.page, "Ada");
  await expect(bo.page.getByRole("heading", { level: 1 }).getByText("Made the link you used")).toBeAttached();
  const info = await openInfo(bo.page, "Ada");
  await expect(
    info.getByText("Ada made the link you used. Compare the safety code to be sure."),
  ).toBeVisible();
  await info.getByRole("button", { name: "Show safety code" }).click();
  await expect(info.getByRole("button", { name: "They match" })).toBeVisible();
  await bo.page.keyboard.press("Escape");
  await openConversation(bo.page, "Cy");
  await expect(bo.page.getByText("Made the link you used")).toHaveCount(0);
  await openConversation(ada.page, "Bo");
  await expect(ada.page.getByText("Made the link you used")).toHaveCount(0);
});

test("a person whose storage was cleared is a new contact without permissions", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meetInConversation(ada, bo, room);
  const written = await watchClipboard(ada.page);
  const info = await openInfo(ada.page, "Bo");
  await info.getByRole("button", { name: "They match" }).click();
  await info.getByRole("switch", { name: "Accept files from Bo" }).click();
  await info.getByRole("switch", { name: "Let Bo set my clipboard" }).click();
  await expect(info.getByRole("switch", { checked: true })).toHaveCount(2);
  await ada.page.keyboard.press("Escape");
  const oldId = await clientIdOf(bo.page);

  const cleared = await newPerson({ name: "Bo" });
  await bo.page.close();
  await startRoom(cleared, { room });
  const twoBos = ada.page.getByRole("navigation", { name: "People" }).getByRole("link", { name: /Bo/ });
  await expect(twoBos).toHaveCount(2);
  expect(await clientIdOf(cleared.page)).not.toBe(oldId);
  const stranger = twoBos.filter({ hasNot: ada.page.getByText("Verified", { exact: true }) });
  await stranger.click();
  await expect(
    ada.page.getByRole("heading", { level: 1 }).getByText("Verified", { exact: true }),
  ).toHaveCount(0);
  const about = await openInfo(ada.page, "Bo");
  await expect(about.getByRole("button", { name: "They match" })).toBeVisible();
  await expect(about.getByRole("switch", { checked: true })).toHaveCount(0);
  await ada.page.keyboard.press("Escape");

  await openConversation(cleared.page, "Ada");
  await attach(cleared.page, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") });
  await expect(fileCard(ada.page, "notes.txt").getByRole("button", { name: /^Decline:/ })).toBeVisible();
  await openConversation(ada.page, "Everyone");
  await cleared.page.evaluate(() => navigator.clipboard.writeText("pushed"));
  // A name that is already used is shown with the first letters of the id.
  const toastShown = expect(ada.page.getByText(/^Bo\s·\s\w{4} sent clipboard text$/)).toBeVisible();
  await Promise.all([toastShown, sendClipboard(cleared.page, "first time")]);
  expect(await written()).toEqual([]);
});

test("clipboard text is written automatically only once permitted", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meetInConversation(ada, bo, room);
  const written = await watchClipboard(ada.page);
  const sendFromBo = async (text: string) => {
    await bo.page.bringToFront();
    await bo.page.evaluate((content) => navigator.clipboard.writeText(content), text);
    await sendClipboard(bo.page, text === "first" ? "first time" : undefined);
    // An unfocused page has no clipboard access: this read completes after the write that was just started.
    await bo.page.evaluate(() => navigator.clipboard.readText());
    await ada.page.bringToFront();
    await expect(clipboardTexts(ada.page, text)).toBeVisible();
  };

  await sendFromBo("first");
  expect(await written()).toEqual([]);
  await clipboardTexts(ada.page, "first").getByRole("button", { name: "Let Bo set my clipboard" }).click();
  await expect.poll(written).toEqual(["first"]);
  await sendFromBo("second");
  await expect.poll(written).toEqual(["first", "second"]);

  const info = await openInfo(ada.page, "Bo");
  const permission = info.getByRole("switch", { name: "Let Bo set my clipboard" });
  await expect(permission).toBeChecked();
  await permission.click();
  await ada.page.keyboard.press("Escape");
  await sendFromBo("third");
  expect(await written()).toEqual(["first", "second"]);
});

/**
 * Records a page's clipboard writes from now on; the browsers of a test share one clipboard, so reading it is not
 * enough.
 */
async function watchClipboard(page: Page): Promise<() => Promise<readonly string[]>> {
  const written = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const { clipboard } = navigator;
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = (text) => {
      texts.push(text);
      return write(text);
    };
    return texts;
  });
  return () => written.jsonValue();
}

/** Replaces the stored picture of a person's profile, bypassing the form, and returns. */
async function setPicture({ page }: Person, avatar: string): Promise<void> {
  await page.evaluate((picture) => {
    const profile: unknown = JSON.parse(localStorage.getItem("profile") ?? "{}");
    localStorage.setItem("profile", JSON.stringify({ ...(profile as object), avatar: picture }));
  }, avatar);
  await page.reload();
}

test("another person's picture is redrawn, and initials replace an invalid one", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meetInConversation(ada, bo, room);
  const image = ada.page.getByRole("heading", { level: 1 }).locator("xpath=ancestor::header").locator("img");

  const wide = drawPng(300, 100, (x) => (x < 100 ? [255, 0, 0] : x < 200 ? [0, 200, 0] : [0, 0, 255]));
  await setPicture(bo, `data:image/png;base64,${wide.toString("base64")}`);
  await expectOnline(ada.page, "Bo");
  await expect(image).toHaveCount(1);
  const drawn = readPngUrl(await image.getAttribute("src"));
  expect([drawn.width, drawn.height]).toEqual([128, 128]);
  expect(pixelAt(drawn, 64, 64)).toEqual([0, 200, 0]);

  const huge = drawPng(3_000, 2, () => [0, 0, 0]);
  const hostile = [
    `data:image/png;base64,${huge.toString("base64")}`,
    "data:image/png;base64,AAAA",
    "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
  ];
  for (const picture of hostile) {
    await setPicture(bo, picture);
    await expect(image).toHaveCount(0);
    await expectOnline(ada.page, "Bo");
    await expect(image).toHaveCount(0);
  }
});
