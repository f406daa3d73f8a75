const logHeightPx = 700;
const rowHeightPx = 50;

function heightsOf(name: "clientHeight" | "scrollHeight" | "offsetHeight", heightOf: (e: Element) => number) {
  Object.defineProperty(HTMLElement.prototype, name, {
    configurable: true,
    get(this: HTMLElement) {
      return heightOf(this);
    },
  });
}

/**
 * happy-dom has no layout, and logs and trees render only visible rows: this gives them and their rows a
 * height.
 */
export function layOutLogs(): void {
  const isLog = (element: Element) => /^(log|tree)$/.test(element.getAttribute("role") ?? "");
  heightsOf("clientHeight", (element) => (isLog(element) ? logHeightPx : 0));
  heightsOf("offsetHeight", (element) => {
    if (element.getAttribute("role") === "tree") return logHeightPx;
    return element.hasAttribute("data-index") ? rowHeightPx : 0;
  });
  heightsOf("scrollHeight", (element) => {
    const content = element.lastElementChild;
    return isLog(element) && content instanceof HTMLElement ? Number.parseFloat(content.style.height) : 0;
  });
}
