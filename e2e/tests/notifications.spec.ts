import type { Page } from "@playwright/test";
import { launchOptions } from "../support/browser.ts";
import { deliverText, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { attach } from "../support/files.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { meet } from "../support/room.ts";
import { untilActive } from "../support/until-active.ts";

// The headless shell has no notifications.
test.use({ launchOptions, serviceWorkers: "allow" });

/** What a page shows, by its service worker. */
const notesOf = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const notes = (await registration?.getNotifications()) ?? [];
    return notes.map(({ title, body }) => `${title}: ${body}`);
  });

/** Makes the page believe that it is hidden, or seen again: a test's pages never are. */
const turn = (page: Page, sight: "hidden" | "visible") =>
  page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, sight);

/** Presses the notification of a page as its service worker does: a test cannot press what the system shows. */
async function press(person: Person, action: string, reply: string | null = null): Promise<void> {
  const [worker] = person.context.serviceWorkers();
  if (!worker) throw new Error("no service worker");
  await worker.evaluate(
    async ([pressed, written]) => {
      // The types of a test are those of a page.
      const scope = globalThis as unknown as EventTarget & {
        readonly registration: ServiceWorkerRegistration;
        readonly NotificationEvent: new (type: string, init: object) => Event & { waitUntil: unknown };
      };
      const [notification] = await scope.registration.getNotifications();
      if (!notification) throw new Error("no notification");
      const event = new scope.NotificationEvent("notificationclick", { notification, action: pressed });
      if (written !== null) Object.defineProperty(event, "reply", { value: written });
      // Only the browser can keep a worker alive; this one is awake.
      event.waitUntil = () => {};
      scope.dispatchEvent(event);
    },
    [action, reply] as const,
  );
}

/** The notifications that the page shows itself, and how often it asked for the permission. */
interface Recorded {
  readonly shown: Set<Notification>;
  asked: number;
}
declare global {
  var recorded: Recorded;
}

/** Runs in the page before its own code. */
function recordNotes(): void {
  const recorded: Recorded = { shown: new Set(), asked: 0 };
  globalThis.recorded = recorded;
  const Real = Notification;
  globalThis.Notification = class extends Real {
    static override requestPermission(): Promise<NotificationPermission> {
      recorded.asked++;
      return Real.requestPermission();
    }
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      this.addEventListener("show", () => recorded.shown.add(this));
      this.addEventListener("close", () => recorded.shown.delete(this));
    }
  };
}

const ownNotesOf = (page: Page) =>
  page.evaluate(() => [...globalThis.recorded.shown].map(({ title, body }) => `${title}: ${body}`));

/** Goes to the settings about notifications, without a reload. */
async function openSettings(page: Page): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Notifications" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Notifications" })).toBeVisible();
}

/** Two people who know each other, of whom the first has notifications on. */
async function acquainted(
  newPerson: (settings: { name: string }) => Promise<Person>,
  room: string,
  hasWorker = true,
): Promise<readonly [Person, Person]> {
  const ada = await newPerson({ name: "Ada" });
  const ben = await newPerson({ name: "Ben" });
  if (!hasWorker) await ada.context.addInitScript(recordNotes);
  await ada.context.grantPermissions(["notifications", "clipboard-read", "clipboard-write"]);
  await meet([ada, ben], { room });
  if (hasWorker) await untilActive(ada.page);
  await openSettings(ada.page);
  if (!hasWorker) expect(await ada.page.evaluate(() => globalThis.recorded.asked)).toBe(0);
  await ada.page.getByRole("switch", { name: "Notifications" }).click();
  await expect(ada.page.getByRole("switch", { name: "Notifications" })).toBeChecked();
  await ada.page.getByRole("navigation").getByRole("link", { name: "Chat" }).click();
  await openConversation(ada.page, "Ben");
  await openConversation(ben.page, "Ada");
  return [ada, ben];
}

test("a hidden page tells of messages, one notification a conversation, gone when read, and Reply sends", async ({
  newPerson,
  room,
}) => {
  const [ada, ben] = await acquainted(newPerson, room);
  await turn(ada.page, "hidden");
  await sendText(ben.page, "Before we were introduced");
  await expect(ada.page).toHaveTitle(/^\(1\)/);
  expect(await notesOf(ada.page)).toEqual([]);
  await turn(ada.page, "visible");
  await deliverText(ada.page, ben.page, "Nice to meet you");

  await sendText(ben.page, "While it is open and seen");
  await expect(messagesWith(ada.page, "While it is open and seen")).toBeVisible();
  await turn(ada.page, "hidden");
  await sendText(ben.page, "First");
  await expect.poll(() => notesOf(ada.page)).toEqual(["Ben: First"]);
  await sendText(ben.page, "Second");
  await expect.poll(() => notesOf(ada.page)).toEqual(["Ben: Second"]);

  await press(ada, "reply", "From the notification");
  await expect(messagesWith(ben.page, "From the notification")).toBeVisible();
  await expect.poll(() => notesOf(ada.page)).toEqual([]);

  await sendText(ben.page, "Third");
  await expect.poll(() => notesOf(ada.page)).toEqual(["Ben: Third"]);
  await turn(ada.page, "visible");
  await expect.poll(() => notesOf(ada.page)).toEqual([]);
});

test("an offer is accepted from its notification; without content a notification says nothing; muted says nothing at all", async ({
  newPerson,
  room,
}) => {
  const [ada, ben] = await acquainted(newPerson, room);
  await deliverText(ada.page, ben.page, "Hello Ben");
  await turn(ada.page, "hidden");
  await attach(ben.page, { name: "tide.txt", mimeType: "text/plain", buffer: Buffer.from("high at nine") });
  await expect
    .poll(() => notesOf(ada.page))
    .toEqual([expect.stringMatching(/^Ben: Wants to send tide\.txt/)]);
  await press(ada, "accept");
  await expect.poll(() => notesOf(ada.page)).toEqual(["Ben: tide.txt has arrived"]);
  await turn(ada.page, "visible");

  await openSettings(ada.page);
  await ada.page.getByRole("switch", { name: "Show content" }).click();
  await turn(ada.page, "hidden");
  await sendText(ben.page, "A secret");
  await expect.poll(() => notesOf(ada.page)).toEqual(["Warren: New message"]);
  await turn(ada.page, "visible");
  await ada.page.getByRole("navigation").getByRole("link", { name: "Chat" }).click();
  await openConversation(ada.page, "Ben");
  await expect.poll(() => notesOf(ada.page)).toEqual([]);

  await ada.page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await ada.page.getByRole("menuitemcheckbox", { name: "Mute" }).click();
  await turn(ada.page, "hidden");
  await sendText(ben.page, "Into the void");
  // A message to everyone comes after it and is told of.
  await openConversation(ben.page, "Everyone");
  await expect(messagesWith(ada.page, "Into the void")).toBeAttached();
  expect(await notesOf(ada.page)).toEqual([]);
});

test.describe("without a service worker", () => {
  test.use({ serviceWorkers: "block" });

  test("a hidden page tells of messages by itself, asked for on a press, one a conversation, gone when read", async ({
    newPerson,
    room,
  }) => {
    const [ada, ben] = await acquainted(newPerson, room, false);
    const { page } = ada;
    expect(await page.evaluate(() => globalThis.recorded.asked)).toBe(1);
    await deliverText(page, ben.page, "Hello Ben");
    await openConversation(page, "Everyone");
    await turn(page, "hidden");
    await sendText(ben.page, "First");
    await expect.poll(() => ownNotesOf(page)).toEqual(["Ben: First"]);
    await sendText(ben.page, "Second");
    await expect.poll(() => ownNotesOf(page)).toEqual(["Ben: Second"]);
    await page.evaluate(() => {
      for (const note of globalThis.recorded.shown) note.dispatchEvent(new Event("click"));
    });
    await expect(page.getByRole("heading", { level: 1, name: "Ben" })).toBeVisible();
    await turn(page, "visible");
    await expect.poll(() => ownNotesOf(page)).toEqual([]);

    await turn(page, "hidden");
    await sendText(ben.page, "Third");
    await expect.poll(() => ownNotesOf(page)).toEqual(["Ben: Third"]);
    await turn(page, "visible");
    await expect.poll(() => ownNotesOf(page)).toEqual([]);
  });
});
