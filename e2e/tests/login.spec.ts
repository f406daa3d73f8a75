import { test as base, expect } from "../support/fixtures.ts";
import { addressOf, login, startLogin } from "../support/login.ts";
import { expectWaiting, joinByLink } from "../support/room.ts";

const test = base.extend({
  baseURL: async ({ server }, use) => {
    const proxy = await startLogin(server.port);
    await use(addressOf(proxy));
    proxy.closeAllConnections();
    proxy.close();
  },
});

test("behind a login of the proxy the app can be installed and used", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada", httpCredentials: login });
  await joinByLink(ada, `/?id=${room}&join=true`);
  await expectWaiting(ada.page);
  const devTools = await ada.context.newCDPSession(ada.page);
  const { data, errors } = await devTools.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? "")).toMatchObject({ name: "Warren" });
});
