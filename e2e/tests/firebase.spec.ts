import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { FirebaseDouble } from "../../packages/core/src/testing/firebase/firebase-double.ts";
import { deliverText } from "../support/conversation.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { copyLink, expectOnline, joinByLink, personRow, startRoom } from "../support/room.ts";
import { startServer } from "../support/server.ts";
import { openSection, unfold } from "../support/settings.ts";

const isLong = process.env.WARREN_LONG === "1";
const webApp = fileURLToPath(new URL("../../apps/web", import.meta.url));
const vite = fileURLToPath(new URL("../../node_modules/vite/bin/vite.js", import.meta.url));

/** A build for Firebase, served as static files, and the Firebase double it connects to. */
const test = base.extend<{ readonly firebase: FirebaseDouble }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  firebase: async ({}, use) => {
    const firebase = new FirebaseDouble();
    await firebase.start();
    await use(firebase);
    await firebase.stop();
  },

  server: async ({ firebase }, use, testInfo) => {
    const files = testInfo.outputPath("web");
    await promisify(execFile)(process.execPath, [vite, "build", "--outDir", files], {
      cwd: webApp,
      env: {
        ...process.env,
        VITE_BACKEND: "FIREBASE",
        VITE_FIREBASE_API_KEY: "key",
        VITE_FIREBASE_DATABASE_URL: firebase.databaseUrl,
        VITE_FIREBASE_AUTH_EMULATOR_URL: firebase.accountsUrl,
      },
    });
    const { host } = new URL(firebase.accountsUrl);
    const server = await startServer({
      env: { WEB_ROOT: files, CONNECT_SRC: `http://${host} ws://${host}` },
    });
    await use(server);
    await server.stop();
  },
});

// It needs its own build. packages/core/src/signalling/firebase has faster tests of the rest.
if (isLong) {
  test("two people meet over Firebase in a room with a password, and see each other leave and return", async ({
    newPerson,
    firebase,
  }) => {
    const { host } = new URL(firebase.accountsUrl);
    const expectedErrors = new RegExp(`asked another host: (?:http|ws)://${host}/`);
    const ada = await newPerson({ name: "Ada", expectedErrors });
    const bo = await newPerson({ name: "Bo", expectedErrors });
    await startRoom(ada, { room: "harbour", password: "tidal" });
    await joinByLink(bo, await copyLink(ada));
    await expectOnline(ada.page, "Bo");
    await expectOnline(bo.page, "Ada");
    await deliverText(ada.page, bo.page, "Hello from the harbour");
    await deliverText(bo.page, ada.page, "Hello back");

    await bo.page.reload();
    await expectOnline(bo.page, "Ada");
    await expectOnline(ada.page, "Bo");
    await deliverText(bo.page, ada.page, "Back again");

    await bo.page.close();
    await expect(personRow(ada.page, "Bo").getByText("online", { exact: true })).toHaveCount(0);
    await expect.poll(() => firebase.connected).toHaveLength(1);

    // There is no server to select.
    await openSection(ada.page, "connection", "Connection");
    await unfold(ada.page, "Servers");
    await expect(ada.page.getByRole("button", { name: "Add a TURN server" })).toBeVisible();
    await expect(ada.page.getByText("Signalling server")).toHaveCount(0);
    const asked = [...ada.requests, ...bo.requests];
    expect(asked.filter((address) => new URL(address).host !== host && address.startsWith("ws"))).toEqual([]);
    // The database receives neither messages nor names.
    expect(JSON.stringify(firebase.written)).not.toMatch(/Hello|tidal|harbour|candidate:/);
  });
}
