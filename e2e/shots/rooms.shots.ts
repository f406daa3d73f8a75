import { openCloseWindow } from "../support/close-window.ts";
import { openConversation, sendText } from "../support/conversation.ts";
import { expect, ownServerTest as test } from "../support/fixtures.ts";
import { dismiss, expectOnline, expectWaiting, joinByLink, joinForm, meet } from "../support/room.ts";
import { shoot } from "../support/shots.ts";

test("the start page and the error pages", async ({ newPerson }) => {
  test.slow();
  const { page, context } = await newPerson({ name: "Mara", expectedErrors: /./ });
  await page.goto("/");
  await page.getByRole("heading", { name: "Send anything to anyone" }).waitFor();
  await shoot(page, "start");
  for (const name of ["How it works", "About"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await shoot(page, name.toLowerCase().replaceAll(" ", "-"));
    await page.keyboard.press("Escape");
  }
  await page.goto("/no/such/page");
  await page.getByRole("button", { name: "Go to Home" }).waitFor();
  await shoot(page, "not-found");
  await openCloseWindow(page);
  await shoot(page, "close-window");
  await context.route(/\/settings-.*\.js$/, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      // Whatever is imported from the settings' code is a component that throws.
      body: `
        const stop = () => { throw new Error("cache 7d1f2c90 info not found"); };
        export const t = new Proxy({}, { get: (_, name) => (name === "then" ? undefined : stop) });
      `,
    }),
  );
  await page.goto("/setting");
  await page.getByRole("heading", { name: "Error Occurred" }).waitFor();
  await page.getByText("Technical details").click();
  await shoot(page, "error");
});

test("the replacement for a dialog that crashed", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Mara", expectedErrors: /./ });
  await page.goto("/");
  await page.getByRole("heading", { name: "Send anything to anyone" }).waitFor();
  await page.evaluate(() => {
    // The dialog renders the build date; the start page renders no date.
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
      get() {
        throw new Error("cache 7d1f2c90 info not found");
      },
    });
  });
  await page.getByRole("button", { name: "About", exact: true }).click();
  await page.getByRole("dialog", { name: "Error Occurred" }).waitFor();
  await page.getByText("Technical details").click();
  await shoot(page, "error-dialog");
});

test("the screens of an unsupported browser", async ({ newPerson }) => {
  const userAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/60.0.3112.113 Safari/537.36";
  const { page } = await newPerson({ name: "Mara", userAgent });
  await page.goto("/");
  await page.getByRole("heading", { name: "This browser is too old" }).waitFor();
  await shoot(page, "too-old");
  const without = await newPerson({ name: "Mara" });
  await without.context.addInitScript(() => Reflect.deleteProperty(globalThis, "RTCPeerConnection"));
  await without.page.goto("/");
  await without.page.getByRole("heading", { name: "This browser cannot run Warren" }).waitFor();
  await shoot(without.page, "unsupported");
});

test("joining a room by a link", async ({ newPerson }) => {
  test.slow();
  const { page } = await newPerson({ name: "Mara" });
  await page.goto("/?id=harbour&join=true#pwd=correct%20horse");
  await page.getByRole("heading", { name: "Join harbour" }).waitFor();
  await shoot(page, "arrival");
  await page.getByRole("button", { name: "Room name and password" }).click();
  await expect(joinForm(page)).toBeVisible();
  await shoot(page, "join-form");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  await shoot(page, "waiting");
  const profile = page.getByRole("button", { name: /^Your profile/ });
  await shoot(page, "profile", {
    open: async () => {
      await profile.click();
      await page.getByRole("dialog", { name: "Your profile" }).waitFor();
    },
  });
  await page.getByRole("button", { name: "Share this room" }).click();
  await page.getByRole("dialog", { name: "Share this room" }).waitFor();
  await shoot(page, "share");
});

test("a link with servers that leads to another room", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Mara" });
  await page.goto("/?id=harbour&join=true");
  await page.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  const stun = encodeURIComponent(JSON.stringify(["stun:stun.example.org:3478"]));
  await page.goto(`/?id=boathouse&join=true#stun=${stun}`);
  await page.getByRole("checkbox", { name: /servers from the link/ }).waitFor();
  await shoot(page, "link-servers");
});

test("the rooms that one was in, a new one, and the palette", async ({ newPerson }) => {
  test.setTimeout(400_000);
  const mara = await newPerson({ name: "Mara" });
  const jun = await newPerson({ name: "Jun Park" });
  const { link } = await meet([mara, jun], { room: "harbour", password: "tidal" });
  const { page } = mara;
  const kim = await newPerson({ name: "Kim" });
  await openConversation(page, "Everyone");
  await sendText(page, "The survey of the harbour is ready.");
  await joinByLink(kim, link);
  await expectOnline(page, "Kim");
  await shoot(page, "rooms-came", { at: ["wide", "phone"] });
  await page.goto("/r/burrow");
  await page.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  await page.getByRole("button", { name: /switch room/ }).click();
  await page.getByRole("menuitem", { name: "All rooms" }).click();
  await page.getByRole("dialog", { name: "Your rooms" }).waitFor();
  await shoot(page, "rooms-all", { at: ["wide", "phone"] });
  await page.getByRole("button", { name: "Settings of harbour" }).click();
  await page.getByRole("button", { name: "Forget this room" }).waitFor();
  await shoot(page, "rooms-settings", { at: ["wide", "phone"] });
  await dismiss(page.getByRole("dialog"));
  await dismiss(page.getByRole("dialog"));
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search Warren" });
  await field.waitFor();
  await shoot(page, "palette", { at: ["wide", "phone"] });
  await field.fill("harb");
  await page.getByRole("option", { name: /survey of the/ }).waitFor();
  await shoot(page, "palette-search", { at: ["wide", "phone"] });
  await dismiss(page.getByRole("dialog"));
  await page.keyboard.press("Control+k");
  await field.fill("new room");
  await field.press("Enter");
  await page.getByRole("dialog", { name: "New room" }).waitFor();
  await shoot(page, "new-room", { at: ["wide", "phone"] });
});
