import type { Locator, Page } from "@playwright/test";
import { expect, type Person, test } from "../support/fixtures.ts";
import { watchIceServers } from "../support/ice-servers.ts";
import { chooseFrom } from "../support/menu.ts";
import { expectOnline, expectWaiting, startRoom } from "../support/room.ts";
import { openSection } from "../support/settings.ts";

const serversFragment = new URLSearchParams({
  stun: JSON.stringify(["stun:stun.example.org:3478"]),
  turn: JSON.stringify([
    { authMethod: "longterm", username: "guest", password: "guest", url: "turn:relay.example.org:3478" },
  ]),
}).toString();

/** Turns a person into a returning visitor: has a name and a room, and closed the tab. */
async function becomeReturning(person: Person, room: string): Promise<Person> {
  await startRoom(person, { room });
  await expectWaiting(person.page);
  await chooseFrom(person.page.getByRole("button", { name: "Room menu" }), "Leave room");
  await expect(person.page.getByRole("heading", { name: `Join ${room}` })).toBeVisible();
  await person.page.close();
  return { ...person, page: await person.context.newPage() };
}

test("a link shows a newcomer the arrival page with a suggested name", async ({
  newPerson,
  server,
  room,
}) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto(`/?id=${room}&join=true#pwd=correct%20horse`);

  await expect(page.getByRole("heading", { name: `Join ${room}` })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(page.getByRole("textbox", { name: "Your name" })).toHaveValue(/\S/);
  await expect(page.getByRole("textbox", { name: "Room name" })).toHaveCount(0);
  await expect(page.getByText("The password came with the link. No server sees it.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  await expect(page.getByRole("heading", { name: room })).toBeVisible();
});

test("a link rejoins the last room immediately; for another room it asks, and Not now leads back", async ({
  newPerson,
  server,
  room,
}) => {
  const { page } = await becomeReturning(await newPerson({ name: "Ada" }), room);
  await page.goto(`/?id=${room}&join=true`);
  await expectWaiting(page);

  // A site that sends no referrer, for example with `no-referrer`.
  let sockets = 0;
  page.on("websocket", () => void sockets++);
  await page.goto("about:blank");
  await page.goto("/?id=evil&join=true#pwd=correct%20horse");
  await expect(page.getByRole("heading", { name: "Join evil" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Join evil" })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
  expect(sockets).toBe(0);

  // Back in the room that this tab was in.
  await page.getByRole("button", { name: "Not now" }).click();
  await expectWaiting(page);

  await page.goto(`/?id=${room}-locked&join=true#pwd=correct%20horse`);
  await page.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  await expect(page.getByText("Room with a password")).toBeAttached();
  await expect(page.getByRole("button", { name: "Your profile, Ada" })).toBeVisible();
});

test("the start page joins automatically only if autoJoin is enabled in the settings", async ({
  newPerson,
  room,
}) => {
  const { page, context } = await becomeReturning(await newPerson({ name: "Ada" }), room);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: `Join ${room}` })).toBeVisible();
  await openSection(page, "connection", "Connection");
  await page.getByRole("switch", { name: "Join on start" }).click();
  await page.close();

  const another = await context.newPage();
  await another.goto("/");
  await expectWaiting(another);
  await expect(another.getByRole("heading", { name: room })).toBeVisible();
});

/** The notice of what of a link cannot be used. It disappears after four seconds: start waiting before the page loads. */
function damage(page: Page): Locator {
  const notices = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  return notices.filter({ hasText: "Part of this link is damaged" });
}

test("a link with invalid servers shows a notice, and works without them", async ({
  newPerson,
  server,
  room,
}) => {
  const broken = [
    {
      link: `/?id=${room}&join=true#stun=[broken&turn={`,
      words: /list of STUN servers.*list of TURN servers/,
    },
    {
      link: `/?id=${room}&join=true&stun=7&turn=%5B7%5D`,
      words: /list of STUN servers.*list of TURN servers/,
    },
    {
      link: `/?id=${room}&join=true#turn=[{%22authMethod%22:%22magic%22,%22username%22:%22u%22,%22url%22:%22turn:x.org%22}]`,
      words: /One of its TURN servers uses an unknown sign-in method\./,
    },
  ];
  for (const { link, words } of broken) {
    const { page } = await newPerson({ name: "Ada" });
    await Promise.all([expect(damage(page)).toHaveText(words), page.goto(link)]);
    await expect(page).toHaveURL(`${server.url}/`);
    await page.getByRole("button", { name: "Join room" }).click();
    await expectWaiting(page);
    await page.close();
  }
});

test("a link whose room name is cut within an escape says so", async ({ newPerson, server }) => {
  const { page } = await newPerson({ name: "Ada" });
  const words = /Its room name cannot be used\./;
  await Promise.all([expect(damage(page)).toHaveText(words), page.goto("/r/%E0%A4%A#tidal")]);
  await expect(page).toHaveURL(`${server.url}/`);
});

test("servers in a link are confirmed once, by host, and used only with consent", async ({
  newPerson,
  room,
}) => {
  const host = await newPerson({ name: "Ada" });
  await startRoom(host, { room });
  await expectWaiting(host.page);
  const link = `/?id=${room}&join=true#${serversFragment}`;

  const newcomer = await newPerson({ name: "Bo" });
  const newcomersServers = await watchIceServers(newcomer.context);
  await newcomer.page.goto(link);
  const choice = newcomer.page.getByRole("checkbox", {
    name: /servers from the link, for this room only: stun\.example\.org, relay\.example\.org$/,
  });
  await expect(choice).toBeChecked();
  await choice.uncheck();
  await newcomer.page.getByRole("button", { name: "Join room" }).click();
  await expectOnline(newcomer.page, "Ada");
  expect(newcomersServers).not.toEqual([]);
  expect(newcomersServers.join()).not.toContain("example.org");

  const person = await becomeReturning(await newPerson({ name: "Cy" }), `${room}-attic`);
  const servers = await watchIceServers(person.context);
  await person.page.goto(link);
  await expect(
    person.page.getByRole("checkbox", { name: /: stun\.example\.org, relay\.example\.org$/ }),
  ).toBeChecked();
  expect(servers).toEqual([]);
  await person.page.getByRole("button", { name: "Join room" }).click();
  await expectOnline(person.page, "Ada");
  expect(servers).toContain("stun:stun.example.org:3478");
  expect(servers).toContain("turn:relay.example.org:3478");

  servers.splice(0);
  await person.page.reload();
  await expectOnline(person.page, "Ada");
  await expect(person.page.getByRole("dialog")).toHaveCount(0);
  expect(servers).toContain("turn:relay.example.org:3478");
});
