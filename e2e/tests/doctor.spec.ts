import { expectNoViolations, inEveryLook } from "../support/accessibility.ts";
import { test as base, expect, type Person, type PersonSettings } from "../support/fixtures.ts";
import { startTurnServer, type TurnServer } from "../support/turn-server.ts";

/** An examination ends within 15 s of the page's own time. */
const examinedMs = 60_000;

const test = base.extend<{ readonly relay: TurnServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  relay: async ({}, use) => {
    const relay = await startTurnServer();
    await use(relay);
    await relay.stop();
  },
});

/** A person with a relay, which is a STUN server too, and an address that no browser accepts. */
async function withServers(
  newPerson: (settings: PersonSettings) => Promise<Person>,
  { host, port, username }: TurnServer,
  password: string,
): Promise<Person> {
  const person = await newPerson({ name: "Ada" });
  const servers = {
    stuns: ["stun:stun.example.org:99999", `stun:${host}:${port}`],
    turns: [{ authMethod: "longterm", url: `turn:${host}:${port}`, username, password }],
  };
  await person.context.addInitScript(
    (options) => localStorage.setItem("app_options", options),
    JSON.stringify({ servers }),
  );
  return person;
}

test("what stands between a browser and others is found by keyboard alone, and copied without addresses", async ({
  newPerson,
  relay,
}) => {
  test.slow();
  const { page } = await withServers(newPerson, relay, relay.password);
  await page.goto("/setting#connection");
  await expect(page.getByRole("button", { name: "Test servers" })).toBeVisible();
  // Shortcuts work once the page is idle.
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByRole("dialog").getByRole("button", { name: "Check my connection" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Connection check" })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "Copy report" })).toBeVisible({ timeout: examinedMs });

  // The bad address stops no other server.
  await expect(page.getByText(/^stun:stun\.example\.org:99999 cannot be used: /)).toBeVisible();
  await expect(page.getByText(`${relay.host} works by UDP`)).toBeVisible();
  await expect(page.getByText("The page is secure.")).toBeVisible();
  await expect(page.getByText(/ answered in \d+ ms\.$/).first()).toBeVisible();
  await expect(page.getByText(/^Connections within this device carry/)).toBeVisible();
  await expect(page.getByText("The browser gave no answer.")).toHaveCount(0);
  await inEveryLook(page, (look) => expectNoViolations(page, `connection check, ${look}`));

  await page.getByRole("button", { name: "Copy report" }).focus();
  await page.keyboard.press("Enter");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^\+ page: /);
  const report = await copied();
  expect(report).toContain("- stun: stun:stun.example.org:99999 cannot be used: ");
  expect(report).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
});

test("a relay that refuses the password is told from one that is down", async ({ newPerson, relay }) => {
  const { page } = await withServers(newPerson, relay, "wrong");
  await page.goto("/doctor");
  await expect(page.getByText(`${relay.host} does not accept the user name or password.`)).toBeVisible({
    timeout: examinedMs,
  });
  await relay.kill();
  await expect(page.getByRole("button", { name: "Copy report" })).toBeVisible({ timeout: examinedMs });
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText(`${relay.host} does not answer, neither by UDP nor TCP nor TLS.`)).toBeVisible({
    timeout: examinedMs,
  });
});
