import type { Request } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectOnline, expectWaiting, joinByLink, startRoom } from "../support/room.ts";

const password = "marker-password-tidal";
const turnPassword = "marker-turn-password";
const turn = [{ authMethod: "longterm", username: "u", password: turnPassword, url: "turn:127.0.0.1:9" }];
const secrets = [password, turnPassword, encodeURIComponent(turnPassword)];

const holdsSecret = (text: string) => secrets.some((secret) => text.includes(secret));

test("no secret of a link remains in the address, the history, a cache, a request or the server's log", async ({
  newPerson,
  server,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const requests: Request[] = [];
  bo.context.on("request", (request) => requests.push(request));
  await startRoom(ada, { room, password });
  await expectWaiting(ada.page);
  const fragment = new URLSearchParams({ pwd: password, turn: JSON.stringify(turn) });
  await joinByLink(bo, `/?id=${room}&join=true#${fragment}`);
  await expectOnline(bo.page, "Ada");
  await bo.page.reload();

  const kept = await bo.page.evaluate(async () => {
    const keys = await caches.keys();
    const requestsOf = async (key: string) =>
      (await (await caches.open(key)).keys()).map(({ url, referrer }) => `${url} ${referrer}`);
    const { navigation } = window;
    return {
      address: location.href,
      referrer: document.referrer,
      state: JSON.stringify(history.state),
      entries: navigation.entries().map(({ url }) => String(url)),
      caches: [...keys, ...(await Promise.all(keys.map(requestsOf))).flat()],
      resources: performance.getEntries().map(({ name }) => name),
    };
  });
  for (const [place, content] of Object.entries(kept)) {
    expect(holdsSecret(decodeURIComponent(JSON.stringify(content))), place).toBe(false);
    expect(holdsSecret(JSON.stringify(content)), place).toBe(false);
  }
  expect(kept.entries.length).toBeGreaterThan(0);
  for (const request of requests) {
    const headers = await request.allHeaders();
    expect(headers.referer ?? "", request.url()).toBe("");
    // A typed address may contain it; a browser does not send the fragment.
    const sent = `${request.url().split("#")[0]} ${JSON.stringify(headers)} ${request.postData() ?? ""}`;
    expect(holdsSecret(sent), request.url()).toBe(false);
  }
  expect(requests.length).toBeGreaterThan(3);
  await expect.poll(() => server.logs()).toContain("listening");
  expect(holdsSecret(server.logs())).toBe(false);
  expect(server.logs()).not.toContain("harbour");
});

test("a secret in the query is removed too", async ({ newPerson, server, room }) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto(`/?id=${room}&pwd=${password}`);
  await expect(page.getByRole("button", { name: "Join room" })).toBeVisible();
  expect(page.url()).toBe(`${server.url}/`);
  const kept = await page.evaluate(async () => {
    const keys = await caches.keys();
    const urls = await Promise.all(
      keys.map(async (key) => (await (await caches.open(key)).keys()).map(({ url }) => url)),
    );
    return [...window.navigation.entries().map(({ url }) => String(url)), ...urls.flat()];
  });
  expect(holdsSecret(JSON.stringify(kept))).toBe(false);
  expect(holdsSecret(server.logs())).toBe(false);
});
