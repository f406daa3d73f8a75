import type { Locator, Page } from "@playwright/test";
import { deliverText, openConversation } from "../support/conversation.ts";
import { attach, fileCard } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { armHostilePeer, clientIdOf, sendRaw } from "../support/hostile-peer.ts";
import { animatedGif, animatedPng, animatedWebp, encodeInPage } from "../support/moving-pictures.ts";
import { drawPng, pixelAt, type Rgb, readPngUrl } from "../support/pictures.ts";
import { expectOnline, meet } from "../support/room.ts";

const red: Rgb = [255, 0, 0];
const markup = "<script src=//evil.example/x.js></script><img src=//evil.example/x.png>";
const limitBytes = 64 * 1024;

/** The stored picture of a contact in the browser's database; undefined without a contact. */
async function storedPicture(page: Page, clientId: string): Promise<string | null | undefined> {
  return page.evaluate(async (id) => {
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await settle(indexedDB.open("warren-messages"));
    for (const name of database.objectStoreNames) {
      const records: unknown[] = await settle(database.transaction(name).objectStore(name).getAll());
      for (const record of records) {
        const value = Reflect.get(Object(record), "value");
        if (Reflect.get(Object(value), "clientId") === id && "avatar" in Object(value)) {
          database.close();
          return value.avatar;
        }
      }
    }
    database.close();
  }, clientId);
}

/**
 * Offers a picture and a set of them as a person does. @returns the preview size of the first before acceptance, in px.
 */
async function offerPictures(
  to: Page,
  from: Page,
): Promise<{ readonly width: number; readonly height: number }> {
  const noise = Buffer.from(
    drawPng(640, 400, (x, y) => [(x * 7 + y * 13) % 256, (x * y) % 256, (x ^ y) % 256]),
  );
  const picture = (name: string) => ({ name, mimeType: "image/png", buffer: noise });
  const shown = async (card: Locator) => {
    await expect(card.getByRole("button", { name: /^Decline:/ })).toBeVisible();
    const image = card.locator("img");
    await expect(image).toHaveAttribute("src", /^data:image\/webp;base64,/);
    expect((await image.getAttribute("src"))?.length).toBeLessThanOrEqual(8 * 1024);
    return image.evaluate((element) => {
      if (!(element instanceof HTMLImageElement)) throw new Error("no image");
      return { width: element.naturalWidth, height: element.naturalHeight };
    });
  };
  await attach(from, picture("quay.png"));
  const single = await shown(fileCard(to, "quay.png"));
  await attach(from, ["one.png", "two.png"].map(picture));
  expect(await shown(fileCard(to, "2 pictures"))).toEqual({ width: 238, height: 117 });
  return single;
}

test("pictures that are huge, animated or contain other data are redrawn or not shown", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await armHostilePeer(bo.context);
  await meet([ada, bo], { room });
  await openConversation(ada.page, "Bo");
  // Only people with a conversation are stored.
  await openConversation(bo.page, "Ada");
  // Ada writes nothing: the pictures of a stranger wait for a press.
  await deliverText(bo.page, ada.page, "Hello");
  const [adaId, boId] = [await clientIdOf(ada.page), await clientIdOf(bo.page)];
  const image = ada.page.getByRole("heading", { level: 1 }).locator("xpath=ancestor::header").locator("img");
  const setPicture = async (avatar: string | null) => {
    await sendRaw(bo.page, adaId, [{ type: "profile", name: "Bo", avatar }]);
  };
  const dataUrl = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString("base64")}`;
  const still = drawPng(40, 40, () => red);
  const jpeg = await encodeInPage(bo.page, "image/jpeg", 40, "#f00");

  const redrawn = {
    "an animated PNG": dataUrl("png", animatedPng(40, red, [0, 0, 255])),
    "an animated WebP": dataUrl("webp", await animatedWebp(bo.page, 40, ["#f00", "#00f"])),
    "a PNG followed by a page": dataUrl("png", Buffer.concat([still, Buffer.from(markup)])),
    "a JPEG followed by an archive": dataUrl(
      "jpeg",
      Buffer.concat([jpeg, Buffer.from("PK\u0003\u0004"), Buffer.from(markup)]),
    ),
    "2,048 px": dataUrl(
      "png",
      drawPng(2_048, 8, () => red),
    ),
  };
  for (const [what, picture] of Object.entries(redrawn)) {
    await test.step(what, async () => {
      await setPicture(null);
      await expect(image, what).toHaveCount(0);
      await setPicture(picture);
      await expect(image, what).toHaveCount(1);
      const shown = (await image.getAttribute("src")) ?? "";
      const { width, height } = readPngUrl(shown);
      expect([width, height]).toEqual([128, 128]);
      const [r, g, b] = pixelAt(readPngUrl(shown), 64, 64);
      expect(r).toBeGreaterThan(230);
      expect(g + b).toBeLessThan(60);
      const bytes = Buffer.from(shown.slice(shown.indexOf(",") + 1), "base64");
      for (const left of ["acTL", "fdAT", "evil", "PK"]) expect(bytes.includes(left)).toBe(false);
      await expect.poll(() => storedPicture(ada.page, boId)).toBe(shown);
      expect(shown.length).toBeLessThanOrEqual(limitBytes);
    });
  }

  const notShown = {
    "20,000 px": dataUrl(
      "png",
      drawPng(20_000, 1, () => red),
    ),
    "an animated GIF": dataUrl("gif", animatedGif()),
    "a GIF declared as a PNG and followed by a script": dataUrl(
      "png",
      Buffer.concat([Buffer.from("GIF89a/*"), Buffer.from(markup)]),
    ),
    "an SVG": dataUrl(
      "svg+xml",
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><image href="//evil.example/x.png"/></svg>`),
    ),
    "an SVG said to be a PNG": dataUrl("png", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"/>`)),
    "another host's picture": "https://evil.example/beacon.png",
  };
  for (const [what, picture] of Object.entries(notShown)) {
    await test.step(what, async () => {
      await setPicture(redrawn["an animated PNG"]);
      await expect(image, what).toHaveCount(1);
      await setPicture(picture);
      await expect(image, what).toHaveCount(0);
      await expect.poll(() => storedPicture(ada.page, boId)).toBeNull();
      await expectOnline(ada.page, "Bo");
    });
  }
  const description = { fileSize: 9, mimeType: "image/png", lastModified: 0, chunkSize: 524_288 };
  const thumbnails = {
    ...notShown,
    "2,048 px": redrawn["2,048 px"],
    "too much": dataUrl("png", Buffer.concat([still, Buffer.alloc(8_192)])),
  };
  const offers = Object.values(thumbnails).map((thumbnail, i) => {
    const fid = `hostile-file-${i}`;
    return { type: "send-file", fid, fileName: `${fid}.png`, ...description, thumbnail };
  });
  await sendRaw(bo.page, adaId, offers);
  // Sent after the others, which would be shown by then.
  expect(await offerPictures(ada.page, bo.page)).toEqual({ width: 240, height: 150 });
  for (const { fid } of offers) {
    await expect(fileCard(ada.page, fid).getByRole("button", { name: /^Decline:/ })).toBeVisible();
    await expect(fileCard(ada.page, fid).locator("img"), fid).toHaveCount(0);
  }
  // newPerson fails the test on requests to other hosts; this confirms that requests are recorded.
  expect(ada.requests.length).toBeGreaterThan(0);
  expect(ada.requests.filter((address) => address.includes("evil"))).toEqual([]);
});
