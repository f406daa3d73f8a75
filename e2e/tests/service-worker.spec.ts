import type { Page } from "@playwright/test";
import { ownServerTest as base, expect } from "../support/fixtures.ts";
import { copyBuild, type VersionedBuild } from "../support/new-version.ts";
import { expectWaiting, startRoom } from "../support/room.ts";
import { startServer } from "../support/server.ts";
import { openSection } from "../support/settings.ts";
import { untilActive } from "../support/until-active.ts";

const test = base.extend<{ readonly build: VersionedBuild }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  build: async ({}, use) => {
    const build = await copyBuild();
    await use(build);
    await build.remove();
  },
  server: async ({ build }, use) => {
    const server = await startServer({ env: { WEB_ROOT: build.folder } });
    await use(server);
    await server.stop();
  },
});
test.use({ serviceWorkers: "allow" });

/** Console errors that the browser logs without a network. */
const expectedErrors = /ERR_CONNECTION_REFUSED|WebSocket|ERR_FAILED|fetching the script/;

/** The result of evaluating in a page, or null while a new version replaces it. */
const ask = <T>(page: Page, question: () => Promise<T>) => page.evaluate(question).catch(() => null);

const descriptionOf = (page: Page) => page.locator('meta[name="description"]').getAttribute("content");

test("without the server the app opens at every address, and its cache contains no personal data", async ({
  newPerson,
  server,
}) => {
  const { page } = await newPerson({ name: "Ada", expectedErrors });
  await page.goto("/?id=harbour&join=true#pwd=marker-tidal");
  await expect(page.getByRole("button", { name: "Join room" })).toBeVisible();
  await untilActive(page);

  // Once it controls pages, their code does not pass through it.
  await page.reload();
  const sources = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => /[/]assets[/].*[.](?:js|css)$/.test(name))
      .map((entry) => Reflect.get(entry, "workerFinalSourceType")),
  );
  expect(new Set(sources)).toEqual(new Set(["cache"]));
  await server.kill();

  await page.goto("/video?id=harbour&pwd=marker-tidal");
  await expect(page.getByText("No Stream")).toBeVisible();
  await page.goto("/file");
  await expect(page.getByRole("heading", { name: "Files", exact: true })).toBeVisible();

  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requestsOf = async (name: string) => (await (await caches.open(name)).keys()).map(({ url }) => url);
    return { names, addresses: (await Promise.all(names.map(requestsOf))).flat() };
  });
  expect(kept.names).toHaveLength(1);
  expect(kept.addresses).toContain(`${server.url}/index.html`);
  expect(kept.addresses.filter((address) => /[?#]|harbour|marker/.test(address))).toEqual([]);

  await server.restart();
  await openSection(page, "advanced", "Advanced");
  await page.getByRole("button", { name: "Troubleshooting" }).click();
  await page.getByRole("button", { name: "Clear cache" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Clear cache" }).click();
  await expect(page.getByText("Cache Storage and Service Worker cleared successfully")).toBeVisible();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await page.goto("about:blank");
  await server.kill();
  await expect(page.goto("/")).rejects.toThrow(/ERR_(?:CONNECTION_REFUSED|FAILED)/);
});

test("a new version is offered and takes over with Reload; later ones take over automatically", async ({
  newPerson,
  server,
  build,
}) => {
  const ada = await newPerson({ name: "Ada", expectedErrors });
  const { page } = ada;
  await startRoom(ada, { room: "harbour" });
  await expectWaiting(page);
  await untilActive(page);
  // Triggers the check that a page runs every 60 s.
  const check = () =>
    page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));

  await build.describe("The second version");
  await server.restart();
  await check();
  const offer = page.getByRole("listitem").filter({ hasText: "A new version is ready" });
  await expect(offer.getByRole("button", { name: "Close" })).toBeVisible();
  expect(await descriptionOf(page)).toContain("straight from browser to browser");
  await offer.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => descriptionOf(page)).toBe("The second version");
  await expectWaiting(page);
  await untilActive(page);

  await build.describe("The third version");
  await server.restart();
  await check();
  await expect.poll(() => descriptionOf(page)).toBe("The third version");
  await expect.poll(() => ask(page, async () => (await caches.keys()).length)).toBe(1);
});

test("another app's share is pending on the share page, and opens the forward dialog of a page in a room", async ({
  newPerson,
  server,
}) => {
  const ada = await newPerson({ name: "Ada", expectedErrors });
  const { page, context } = ada;
  await startRoom(ada, { room: "harbour" });
  await expectWaiting(page);
  await untilActive(page);

  // The system opens it without a referrer, as a form in its own window.
  const window = await context.newPage();
  await window.setContent(
    `<form method="post" enctype="multipart/form-data" action="${server.url}/share">
      <textarea name="text">&lt;b>High&lt;/b> at nine</textarea><input type="file" name="files"><button>Share</button>
    </form>`,
  );
  await window.getByRole("textbox").waitFor();
  const file = { name: "tides\u202e.txt", mimeType: "text/plain", buffer: Buffer.from("High at nine") };
  await window.locator("input[type=file]").setInputFiles(file);
  await window.getByRole("button", { name: "Share" }).click();
  await expect(window.getByRole("heading", { name: "Shared with Warren" })).toBeVisible();
  await expect(window.getByText("<b>High</b> at nine")).toBeVisible();
  await expect(window.getByText("tides.txt")).toBeVisible();
  await expect(window).toHaveURL(`${server.url}/share`);

  const dialog = page.getByRole("dialog", { name: "Forward 2 items" });
  await expect(dialog.getByText("<b>High</b> at nine")).toBeVisible();
});
