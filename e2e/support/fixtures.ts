import { type BrowserContext, type BrowserContextOptions, test as base, type Page } from "@playwright/test";
import { startServer, type TestServer } from "./server.ts";
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
}

/** The fixtures of a test. */
interface Fixtures {
  /** The test's own server. */
  readonly server: TestServer;
  /**
   * Adds another person. The test fails if one of their pages throws an uncaught error, logs an error or a warning of an
   * unknown header to the console, violates the content security policy, opens a browser dialog, or contacts any host
   * but the server.
   */
  readonly newPerson: (settings: PersonSettings) => Promise<Person>;
}

const permissions = ["clipboard-read", "clipboard-write"];

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  server: async ({}, use, testInfo) => {
    const server = await startServer();
    await use(server);
    await server.stop();
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach("server.log", { body: server.logs(), contentType: "text/plain" });
    }
  },

  baseURL: async ({ server }, use) => use(server.url),

  newPerson: async ({ browser, baseURL }, use) => {
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];

    await use(async ({ name, expectedErrors, ...options }) => {
      const context = await browser.newContext({ permissions, ...options });
      contexts.push(context);
      await slowDown(context);
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
    if (complaints.length > 0) throw new Error(`What the pages complained of:\n${complaints.join("\n")}`);
  },
});
