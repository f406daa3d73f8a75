import { randomUUID } from "node:crypto";
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type Page,
  type TestInfo,
} from "@playwright/test";
import { type SharedServer, startServer, type TestServer } from "./server.ts";
import { slowDown } from "./slowness.ts";
import { watchContext } from "./watch-context.ts";

export { expect } from "@playwright/test";

/** A person with a separate browser context: nothing is shared with the others of a test. */
export interface Person {
  readonly name: string;
  readonly context: BrowserContext;
  /** Open on a blank page; `page.goto("/")` opens the app. */
  readonly page: Page;
  /** Every address that the pages have requested so far, sockets included. */
  readonly requests: readonly string[];
}

/** The settings of a person; further options are passed to the browser context, which knows the server's address. */
export interface PersonSettings extends BrowserContextOptions {
  readonly name: string;
  /** Console errors that the test provokes. */
  readonly expectedErrors?: RegExp;
  /** Whether the browser asks where to save a file; instead of a person, the page's own storage answers. */
  readonly asksWhereToSave?: boolean;
}

/** A test cannot choose in the browser's own picker: without it, files are saved as downloads. */
function replaceSavePicker(asks: boolean): void {
  if (!asks) Reflect.deleteProperty(window, "showSaveFilePicker");
  else
    Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { readonly suggestedName: string }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
    });
}

/** The fixtures of a test. */
interface Fixtures {
  /** The server of the test's worker. Tests that stop theirs use {@link ownServerTest}, those that configure it override this. */
  readonly server: SharedServer;
  /** The name of a room that no other test joins: `harbour-` and eight random characters. */
  readonly room: string;
  /**
   * Adds another person. The test fails if one of their pages throws an uncaught error, logs an error or a warning of an
   * unknown header to the console, violates the content security policy, opens a browser dialog, or contacts any host
   * but the server.
   */
  readonly newPerson: (settings: PersonSettings) => Promise<Person>;
}

/** The fixtures of a worker, shared by its tests. After a failed test Playwright continues in a new worker. */
interface WorkerFixtures {
  readonly sharedServer: SharedServer;
}

const permissions = ["clipboard-read", "clipboard-write"];

/** Attaches what a server has logged since `start` if the test failed. */
async function attachLog(testInfo: TestInfo, server: SharedServer, start = 0): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  await testInfo.attach("server.log", { body: server.logs().slice(start), contentType: "text/plain" });
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],

  server: async ({ sharedServer }, use, testInfo) => {
    const start = sharedServer.logs().length;
    await use(sharedServer);
    await attachLog(testInfo, sharedServer, start);
  },

  baseURL: async ({ server }, use) => use(server.url),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  room: async ({}, use) => use(`harbour-${randomUUID().slice(0, 8)}`),

  newPerson: async ({ browser, baseURL }, use) => {
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];

    await use(async ({ name, expectedErrors, asksWhereToSave = false, ...options }) => {
      const context = await browser.newContext({ permissions, ...options });
      contexts.push(context);
      await slowDown(context);
      await context.addInitScript(replaceSavePicker, asksWhereToSave);
      const requests: string[] = [];
      await watchContext(context, {
        origin: baseURL ?? "",
        onRequest: (address) => requests.push(address),
        onComplaint: (complaint) => {
          if (!expectedErrors?.test(complaint)) complaints.push(`${name}: ${complaint}`);
        },
      });
      return { name, context, page: await context.newPage(), requests };
    });

    await Promise.all(contexts.map((context) => context.close()));
    if (complaints.length > 0) throw new Error(`Page errors:\n${complaints.join("\n")}`);
  },
});

/** The `test` of those that stop or restart their server, or show a room's name in pictures. */
export const ownServerTest = test.extend<{ readonly server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  server: async ({}, use, testInfo) => {
    const server = await startServer();
    await use(server);
    await server.stop();
    await attachLog(testInfo, server);
  },
});
