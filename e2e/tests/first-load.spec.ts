import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { copyLink, dismiss, expectOnline, expectWaiting, startRoom } from "../support/room.ts";

/** The app, without what runs before it in any browser. */
const appCode = /\/assets\/(?!theme-|unsupported-)[^/]+\.js$/;

/** Waits until the page has fetched all code that it would fetch on first use. */
async function untilIdle(page: Page): Promise<void> {
  const missing = () =>
    page.evaluate(() => {
      const later: string[] = JSON.parse(document.getElementById("later-chunks")?.textContent ?? "[]");
      const fetched = new Set(
        performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
      );
      return later.length === 0 ? ["the list"] : later.filter((address) => !fetched.has(address));
    });
  await expect.poll(missing).toEqual([]);
}

test("once the page is idle, panels, menus and dialogs open offline", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada", expectedErrors: /ERR_INTERNET_DISCONNECTED|WebSocket/ });
  const { page, context } = ada;
  await startRoom(ada, { room });
  await expectWaiting(page);
  await untilIdle(page);
  await context.setOffline(true);

  await page.getByRole("button", { name: /^Your profile/ }).click();
  const panel = page.getByRole("dialog", { name: "Your profile" });
  await panel.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  await panel.getByRole("button", { name: /About/ }).click();
  const about = page.getByRole("dialog", { name: /About/ });
  await expect(about).toBeVisible();
  await dismiss(about);
  await chooseFrom(page.getByRole("button", { name: "Room menu" }), "Settings of this room");
  await expect(page.getByRole("dialog", { name: room })).toBeVisible();
});

test("a page opened before its code has arrived is shown once it has", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/settings-page-[^/]+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/setting");
  await expect(page.getByRole("button", { name: /^Your profile/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Appearance" })).toHaveCount(0);
  release();
  await expect(page.getByRole("heading", { name: "Appearance" })).toBeVisible();
});

test("the layout does not shift on a slow machine", async ({ newPerson }) => {
  const ada = await newPerson({ name: "Ada" });
  const { page, context } = ada;
  await context.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry) shifts.push(Number(entry.value));
    }).observe({ type: "layout-shift", buffered: true });
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const shifted = () =>
    page.evaluate(() => {
      const shifts: unknown = Reflect.get(globalThis, "shifts");
      return Array.isArray(shifts) ? shifts.reduce((sum: number, shift: number) => sum + shift, 0) : -1;
    });

  await page.goto("/");
  await page.getByRole("heading", { name: "Send anything to anyone" }).waitFor();
  await untilIdle(page);
  expect(await shifted()).toBeLessThan(0.01);

  await page.getByRole("button", { name: "New room" }).click();
  await expectWaiting(page);
  await page.reload();
  await expectWaiting(page);
  await untilIdle(page);
  expect(await shifted()).toBeLessThan(0.01);
});

test("app code that fails to load is reported, and Try again loads it", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada", expectedErrors: /Failed to load resource/ });
  for (const missing of [/\/assets\/draw-[^/]+\.js$/, /\/assets\/index-[^/]+\.js$/]) {
    await page.route(missing, (route) => route.abort());
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Warren could not be loaded" })).toBeVisible();
    await page.unroute(missing);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Send anything to anyone" })).toBeVisible();
  }
});

test("a browser that cannot parse the code is told that it is too old", async ({ newPerson }) => {
  // Errors of unparseable code reach the test without a message.
  const { page } = await newPerson({ name: "Ada", expectedErrors: /^uncaught: $/ });
  await page.route(appCode, (route) => route.fulfill({ contentType: "text/javascript", body: "a future;" }));
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "This browser is too old" })).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveText(["Update this browser to use Warren."]);
});

test("a browser that cannot store anything shows that, and everything works until the page closes", async ({
  newPerson,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const { page, context } = ada;
  await context.addInitScript(() => {
    const denied = () => {
      throw new DOMException("denied", "SecurityError");
    };
    IDBFactory.prototype.open = denied;
    Object.defineProperty(globalThis, "localStorage", { get: denied });
  });
  // A visit leaves nothing behind.
  await page.goto("/");
  await page.getByRole("button", { name: "New room" }).click();
  await expectWaiting(page);
  await expect(page.getByText("Nothing is saved in this browser")).toHaveCount(1);
  await expect(page.getByText(/are lost when you close this tab/)).toBeVisible();
  await page
    .getByRole("navigation", { name: "People" })
    .getByRole("link", { name: /Warren/ })
    .click();
  await expect(page.getByText(/^Welcome\./)).toBeVisible();
});

test("a link to a room joined before opens its only socket before the app's first code runs", async ({
  newPerson,
  room,
}) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.addInitScript(() => {
    const { WebSocket: Native } = window;
    window.WebSocket = class extends Native {
      constructor(...args: ConstructorParameters<typeof Native>) {
        super(...args);
        performance.mark("socket asked for");
      }
    };
  });
  const marks = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType("mark")
        .map(({ name }) => name)
        .filter((name) => name === "first script" || name === "socket asked for"),
    );
  const link = `/?id=${room}&join=true#pwd=correct%20horse`;
  await page.goto(link);
  await page.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  expect(await marks()).toEqual(["first script", "socket asked for"]);

  await page.goto("about:blank");
  await page.goto(link);
  await expectWaiting(page);
  expect(await marks()).toEqual(["socket asked for", "first script"]);
});

/** The code that pages fetch once they are idle. */
async function laterCode(page: Page): Promise<readonly string[]> {
  const html = await (await page.request.get("/")).text();
  const [, list = "[]"] = /id="later-chunks">([^<]*)</.exec(html) ?? [];
  return JSON.parse(list);
}

test("two people meet with the code of the first load alone", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  await startRoom(ada, { room });
  await expectWaiting(ada.page);
  const link = await copyLink(ada);
  const { page } = await newPerson({ name: "Bo" });
  const later = await laterCode(page);
  expect(later.filter((path) => /\/(?:conversation-pane|settings-page|call-page)-/.test(path))).toHaveLength(
    3,
  );
  let asked = 0;
  // Never answered, so that nothing can depend on it.
  await page.route(
    ({ pathname }) => later.includes(pathname),
    () => {
      asked++;
    },
  );
  const online = ada.page
    .getByRole("navigation", { name: "People" })
    .getByRole("link")
    .getByText("online", { exact: true });
  // The first visit asks before it joins, the second joins at once.
  await page.goto(link);
  await page.getByRole("button", { name: "Join room" }).click();
  for (const from of ["about:blank", null]) {
    await expectOnline(page, "Ada");
    await expect(online).toBeAttached();
    // The held conversation shows that the requests are really held.
    await expect.poll(() => asked).toBeGreaterThan(0);
    if (from === null) break;
    await page.goto(from);
    await expect(online).toHaveCount(0);
    await page.goto(link);
  }
});

test("a page whose code cannot be fetched says so, and Try again shows it", async ({ newPerson }) => {
  const ada = await newPerson({
    name: "Ada",
    expectedErrors: /Failed to load resource|dynamically imported/,
  });
  const { page } = ada;
  const settings = /\/settings-page-[^/]+\.js$/;
  await page.route(settings, (route) => route.abort());
  await page.goto("/setting");
  await expect(page.getByRole("heading", { name: "This page could not be loaded" })).toBeVisible();
  await page.unroute(settings);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Appearance" })).toBeVisible();
});
