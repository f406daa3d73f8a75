import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Of these elements, the first visible one must not move: the head, the field, the newest message, the list, the foot. */
const watched = [
  "main h1",
  "main ~ footer",
  "textarea",
  "[role=log] article:last-of-type",
  "nav[aria-label=People] li:last-child",
];

/** What the platform's types lack of a layout shift. */
interface Shift {
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** Starts to record every shift of the layout, and where the parts of a conversation are in each frame. */
export async function watchStill(page: Page): Promise<void> {
  await page.evaluate((selectors) => {
    const positions = new Map<string, Set<string>>();
    const shifts: string[] = [];
    // Also within 500 ms of a press, which the browser does not count.
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & Shift)[])
        for (const { node, previousRect, currentRect } of entry.sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          // What has just appeared may grow, and so may what is shown on hover: it must not move what was there.
          if (element?.closest("section[data-corner], [role=toolbar]") !== null) continue;
          const [from, to] = [previousRect, currentRect].map(({ x, y, width, height }) =>
            [x, y, width, height].map(Math.round).join(" "),
          );
          shifts.push(`${from} → ${to}: ${element?.outerHTML.slice(0, 200) ?? "an element that is gone"}`);
        }
    });
    observer.observe({ type: "layout-shift" });
    let isOver = false;
    const measure = (): void => {
      for (const selector of selectors) {
        const element = document.querySelector(selector);
        if (element === null) continue;
        const { x, y } = element.getBoundingClientRect();
        const seen = positions.get(selector) ?? new Set();
        positions.set(selector, seen.add(`${Math.round(x)} ${Math.round(y)}`));
      }
      if (!isOver) requestAnimationFrame(measure);
    };
    measure();
    const end = () => {
      isOver = true;
      observer.disconnect();
      return { shifts, positions: [...positions].map(([selector, seen]) => [selector, ...seen]) };
    };
    Object.assign(globalThis, { endStill: end });
  }, watched);
}

/** Expects that nothing has moved since {@link watchStill}. */
export async function expectStill(page: Page, what: string): Promise<void> {
  const { shifts, positions } = await page.evaluate(() =>
    (Reflect.get(globalThis, "endStill") as () => { shifts: string[]; positions: string[][] })(),
  );
  expect(
    positions.filter(([, ...seen]) => seen.length > 1),
    `moved while ${what}`,
  ).toEqual([]);
  expect(positions.length).toBeGreaterThan(1);
  expect(shifts, `layout shifts while ${what}`).toEqual([]);
}

/** Expects that something which floats over a page covers none of the others. */
export async function expectUncovered(floating: Locator, others: readonly Locator[]): Promise<void> {
  for (const other of others) {
    await expect
      .poll(async () => {
        const [over, under] = [await floating.boundingBox(), await other.boundingBox()];
        if (over === null || under === null) return "not shown";
        const width = Math.min(over.x + over.width, under.x + under.width) - Math.max(over.x, under.x);
        const height = Math.min(over.y + over.height, under.y + under.height) - Math.max(over.y, under.y);
        return width > 0 && height > 0 ? { over, under } : "free";
      })
      .toBe("free");
  }
}
