import type { Page } from "@playwright/test";

/**
 * Visible layout faults of a page: the page or a pane scrolls sideways, words are cut off without an
 * ellipsis, or controls overlap. Rows of chips, tables and technical texts may scroll sideways.
 */
export function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const mayScroll =
      "fieldset, pre, :has(> pre), table, textarea, input, [role=grid], :has(> table), :has(> * > table)";
    const slackPx = 1;
    const called = (element: Element): string => {
      const words = element.getAttribute("aria-label") ?? element.textContent ?? "";
      return `${element.tagName.toLowerCase()} “${words.trim().slice(0, 60)}”`;
    };
    const inSight = [...document.body.querySelectorAll<HTMLElement>("*")].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".sr-only"),
    );
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    for (const element of inSight) {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isTooWide = element.scrollWidth > element.clientWidth + slackPx && element.clientWidth > 1;
      if (!isTooWide || element.matches(mayScroll)) continue;
      if (overflowX === "auto" || overflowX === "scroll") found.push(`scrolls sideways: ${called(element)}`);
      const hasWords = [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE);
      if (overflowX !== "visible" && textOverflow !== "ellipsis" && hasWords)
        found.push(`is cut: ${called(element)}`);
      if (overflowX === "visible" && hasWords && element.getBoundingClientRect().right > innerWidth)
        found.push(`leaves the page: ${called(element)}`);
    }
    const floatOf = (element: Element): Element | null => {
      for (let around: Element | null = element; around !== null; around = around.parentElement)
        if (["absolute", "fixed", "sticky"].includes(getComputedStyle(around).position)) return around;
      return null;
    };
    /** Whether its scroll container shows it completely. */
    const isWhole = (element: Element): boolean => {
      const box = element.getBoundingClientRect();
      const pane = element.closest("[role=log], fieldset, .overflow-y-auto, .overflow-auto");
      const { top, bottom, left, right } = pane?.getBoundingClientRect() ?? new DOMRect(-1e6, -1e6, 2e6, 2e6);
      return box.top >= top && box.bottom <= bottom && box.left >= left && box.right <= right;
    };
    const controls = inSight
      .filter((element) => element.matches("button, a, input, select, textarea, summary") && isWhole(element))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ element, box }) => {
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return top !== null && element.contains(top);
      });
    for (const [index, one] of controls.entries())
      for (const other of controls.slice(index + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        if (floatOf(one.element) !== floatOf(other.element)) continue; // floating elements may cover scrolled content
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (width > slackPx && height > slackPx)
          found.push(`lies over another: ${called(one.element)} and ${called(other.element)}`);
      }
    return found;
  });
}
