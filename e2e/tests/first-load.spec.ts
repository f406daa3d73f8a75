import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { copyLink, dismiss, expectWaiting, startRoom } from "../support/room.ts";

const appCode = /\/assets\/[^/]+\.js$/;

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
  await panel.getByRole("button", { name: "Copy room link" }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  await panel.getByRole("button", { name: /About/ }).click();
  const about = page.getByRole("dialog", { name: /About/ });
  await expect(about).toBeVisible();
  await dismiss(about);
  await page.getByRole("button", { name: "Room menu" }).click();
  await page.getByRole("menuitem", { name: "Edit room" }).click();
  await expect(page.getByRole("dialog", { name: "Edit Room Info" })).toBeVisible();
});

test("a button clicked before its panel's code has loaded opens the panel afterwards", async ({
  newPerson,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const { page } = ada;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The entry and its imports load at once; later requests are held back.
  let isLater = false;
  await page.route(appCode, async (route) => {
    if (isLater) await held;
    await route.continue();
  });
  await page.goto("/");
  await page.getByRole("heading", { name: "Rooms between browsers" }).waitFor();
  isLater = true;
  await page.getByRole("button", { name: "Picture, password and more" }).click();
  release();
  await expect(page.getByRole("dialog", { name: "Edit Room Info" })).toBeVisible();
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
  await page.getByRole("heading", { name: "Rooms between browsers" }).waitFor();
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
  for (const missing of [/\/assets\/draw-[^/]+\.js$/, /\/assets\/(index|meet)-[^/]+\.js$/]) {
    await page.route(missing, (route) => route.abort());
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Warren could not be loaded" })).toBeVisible();
    await page.unroute(missing);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Rooms between browsers" })).toBeVisible();
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
  await page.getByRole("option", { name: /Warren/ }).click();
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

/** Has a page press Join at once, and note the code it has asked for when it first shows somebody online. */
async function noteMeeting(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      const buttons = [...document.querySelectorAll("button")];
      buttons.find(({ textContent, ariaBusy }) => textContent === "Join room" && ariaBusy === null)?.click();
      const rows = [...document.querySelectorAll('[role="option"]')];
      if (!rows.some(({ textContent }) => textContent?.includes("online"))) return;
      observer.disconnect();
      const asked = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
      Object.assign(globalThis, { askedUntilMet: asked });
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
}

test("until two people see each other, a page fetches no code but that of the first load", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  await startRoom(ada, { room });
  await expectWaiting(ada.page);
  const link = await copyLink(ada);
  const { page } = await newPerson({ name: "Bo" });
  await noteMeeting(page);
  // The first visit asks before it joins, the second joins at once.
  for (const from of ["about:blank", "about:blank?again"]) {
    await page.goto(from);
    await page.goto(link);
    await page.waitForFunction(() => Reflect.has(globalThis, "askedUntilMet"));
    const [asked, named] = await page.evaluate((): [string[], string[]] => [
      Reflect.get(globalThis, "askedUntilMet"),
      [
        ...document.head.querySelectorAll<HTMLScriptElement | HTMLLinkElement>(
          "script[src], link[as=script]",
        ),
      ].map((element) => new URL("src" in element ? element.src : element.href).pathname),
    ]);
    const code = asked.filter((path) => path.endsWith(".js"));
    expect(code.some((path) => /\/draw-[^/]+\.js$/.test(path))).toBe(true);
    // Workers and chunks would be listed as well.
    expect(code.filter((path) => !named.includes(path))).toEqual([]);
  }
});

for (const part of ["app", "files"]) {
  test(`the shell reports when ${part} cannot be fetched after meeting, and Try again loads it`, async ({
    newPerson,
    room,
  }) => {
    const ada = await newPerson({ name: "Ada", expectedErrors: /Failed to load resource/ });
    const { page } = ada;
    const later = new RegExp(`/assets/${part}-[^/]+\\.js$`);
    await page.route(later, (route) => route.abort());
    await startRoom(ada, { room });
    const notice = page.getByText("This part could not be loaded. Check your network and try again.");
    await expect(notice).toBeVisible();
    await page.unroute(later);
    // The idle page may load the part before the press, which removes the button.
    const retry = page.getByRole("button", { name: "Try again" });
    await expect(async () => {
      await retry.click({ timeout: 5_000 }).catch(() => {});
      await expect(notice).toHaveCount(0, { timeout: 5_000 });
    }).toPass();
  });
}
