import type { Browser, BrowserContext, Page } from "@playwright/test";

/** The polling interval of a page, in ms. */
const lookEveryMs = 250;

/** The size and time limits of a crowd. */
export interface CrowdSettings {
  /** The address of the server. */
  readonly url: string;
  /** The number of joining pages. */
  readonly size: number;
  /** Texts that each page sends. */
  readonly textsEach: number;
  /** The time limit for meeting, and then for exchanging the texts, in ms. */
  readonly patienceMs: number;
  /** The browsers of the pages, each page in its own context. */
  readonly browsers: readonly Browser[];
  /** Wraps the exchange of the texts. */
  readonly onTexts?: (pass: () => Promise<void>) => Promise<void>;
}

/** The result of a crowd. */
export interface CrowdResult {
  /**
   * From pressing Join in all pages at once until every page showed all others as online; null if that never happened.
   */
  readonly metMs: number | null;
  /** Directions that were not online at the time limit: "P03 → P11". */
  readonly apart: readonly string[];
  /** From the first sent text until every page showed all texts; null if that never happened. */
  readonly textsMs: number | null;
  /** Texts that a page did not show or had not stored: "P03 lacks P11-2 on the screen". */
  readonly lost: readonly string[];
  /** Texts that a page showed or had stored more than once. */
  readonly doubled: readonly string[];
  /** Texts shown as failed by their sender: "P03: P03-1 for 2". */
  readonly failed: readonly string[];
}

interface Member {
  readonly name: string;
  readonly page: Page;
}

/**
 * Lets a crowd join one room at once, waits until all see each other online, and has each page send texts to Everyone.
 * Reads shown texts from the whole conversation, which is fully rendered up to 150 messages, and stored texts from the
 * database.
 */
export async function gatherCrowd(settings: CrowdSettings): Promise<CrowdResult> {
  const { size, textsEach, patienceMs } = settings;
  const contexts: BrowserContext[] = [];
  try {
    const members = await openAll(settings, contexts);
    const names = members.map(({ name }) => name);
    const joinedAt = Date.now();
    await Promise.all(
      members.map(({ page }) => page.getByRole("button", { name: "Join", exact: true }).click()),
    );
    const metAt = await Promise.all(
      members.map(({ page }) => whenShown(page, countOnline, size - 1, patienceMs)),
    );
    const apart = metAt.includes(null) ? await directionsApart(members, names) : [];
    const metMs = latest(metAt, joinedAt);

    await Promise.all(members.map(({ page }) => openEveryone(page)));
    const texts = names.flatMap((name) =>
      Array.from({ length: textsEach }, (_, index) => `${name}-${index + 1}.`),
    );
    let textsMs: number | null = null;
    const pass = async () => {
      const sentAt = Date.now();
      const waiting = members.map(({ page }) => whenShown(page, countTexts, texts.length, patienceMs));
      await Promise.all(members.map((member) => sendTexts(member, textsEach)));
      textsMs = latest(await Promise.all(waiting), sentAt);
    };
    await (settings.onTexts?.(pass) ?? pass());
    const found = await Promise.all(members.map(({ page }) => page.evaluate(readTexts)));
    const counts = found.flatMap(({ shown, stored }, index) =>
      texts.flatMap((text) => [
        { about: `${names[index]}: ${text} on the screen`, count: countOf(shown, text) },
        { about: `${names[index]}: ${text} in storage`, count: countOf(stored, text) },
      ]),
    );
    return {
      metMs,
      apart,
      textsMs,
      lost: counts.filter(({ count }) => count === 0).map(({ about }) => about),
      doubled: counts.filter(({ count }) => count > 1).map(({ about }) => about),
      failed: found.flatMap(({ failed }, index) => failed.map((text) => `${names[index]}: ${text}`)),
    };
  } finally {
    await Promise.allSettled(contexts.map((context) => context.close()));
  }
}

/** Opens the pages a few at a time, with name and room filled in. */
async function openAll(settings: CrowdSettings, contexts: BrowserContext[]): Promise<Member[]> {
  const { url, size, browsers } = settings;
  const room = `crowd-${crypto.randomUUID().slice(0, 8)}`;
  const members: Member[] = [];
  for (let index = 0; index < size; index++) {
    const browser = browsers[index % browsers.length];
    if (!browser) throw new Error("no browser");
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
    contexts.push(context);
    const name = `P${String(index + 1).padStart(2, "0")}`;
    // A machine shared by many pages is slow, but not broken.
    context.setDefaultTimeout(settings.patienceMs);
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("textbox", { name: "Your name" }).fill(name);
    await page.getByRole("combobox", { name: "Have a link or code?" }).fill(room);
    members.push({ name, page });
  }
  return members;
}

async function openEveryone(page: Page): Promise<void> {
  await page
    .getByRole("navigation", { name: "People" })
    .getByRole("link", { name: /^Everyone/ })
    .click();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
}

async function sendTexts({ name, page }: Member, count: number): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  for (let index = 1; index <= count; index++) {
    await field.fill(`${name}-${index}.`);
    await field.press("Control+Enter");
  }
}

/**
 * Waits until a page shows `count`.
 * @returns when, in ms since the epoch; null at the time limit.
 */
async function whenShown(
  page: Page,
  countInPage: () => number,
  wanted: number,
  patienceMs: number,
): Promise<number | null> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    if ((await page.evaluate(countInPage)) >= wanted) return Date.now();
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return null;
}

function latest(times: readonly (number | null)[], since: number): number | null {
  return times.includes(null) ? null : Math.max(...times.map(Number)) - since;
}

async function directionsApart(members: readonly Member[], names: readonly string[]): Promise<string[]> {
  const apart = members.map(async ({ name, page }) => {
    const online = await page.evaluate(namesOnline);
    return names
      .filter((other) => other !== name && !online.includes(other))
      .map((other) => `${name} → ${other}`);
  });
  return (await Promise.all(apart)).flat();
}

function countOf(texts: readonly string[], text: string): number {
  return texts.filter((other) => other === text).length;
}

/** In the page: the names of the people it lists as online. */
function namesOnline(): string[] {
  const rows = [...document.querySelectorAll('nav[aria-label="People"] a')];
  const online = rows.filter((row) => row.querySelector('[data-status="online"]'));
  return online.flatMap((row) => /P\d\d/.exec(row.textContent ?? "")?.[0] ?? []);
}

/** In the page: how many people it lists as online. */
function countOnline(): number {
  return document.querySelectorAll('nav[aria-label="People"] a [data-status="online"]').length;
}

/** In the page: how many different texts of the crowd it shows. */
function countTexts(): number {
  const articles = [...document.querySelectorAll('[role="log"] article')];
  return new Set(articles.flatMap((article) => /P\d\d-\d+\./.exec(article.textContent ?? "")?.[0] ?? []))
    .size;
}

/**
 * In the page: the crowd's texts that it shows, those it has stored, and its own that failed for a receiver.
 */
async function readTexts(): Promise<{ shown: string[]; stored: string[]; failed: string[] }> {
  const articles = [...document.querySelectorAll('[role="log"] article')];
  const shown = articles.flatMap((article) => /P\d\d-\d+\./.exec(article.textContent ?? "")?.[0] ?? []);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open("warren-messages");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const records = await new Promise<
    { value: { data?: string; deliveries?: Record<string, { status: string }> } }[]
  >((resolve, reject) => {
    const reading = database.transaction("records").objectStore("records").getAll();
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => reject(reading.error);
  });
  database.close();
  const texts = records.flatMap(({ value: { data, deliveries = {} } }) =>
    data !== undefined && /^P\d\d-\d+\.$/.test(data) ? [{ data, deliveries }] : [],
  );
  return {
    shown,
    stored: texts.map(({ data }) => data),
    failed: texts.flatMap(({ data, deliveries }) => {
      const failures = Object.values(deliveries).filter(({ status }) => status === "error").length;
      return failures > 0 ? [`${data} for ${failures}`] : [];
    }),
  };
}
