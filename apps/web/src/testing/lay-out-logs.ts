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

/** happy-dom lays nothing out, and a log draws what is in sight: gives logs and their rows a height. */
export function layOutLogs(): void {
  const isLog = (element: Element) => element.getAttribute("role") === "log";
  heightsOf("clientHeight", (element) => (isLog(element) ? logHeightPx : 0));
  heightsOf("offsetHeight", (element) => (element.hasAttribute("data-index") ? rowHeightPx : 0));
  heightsOf("scrollHeight", (element) => {
    const content = element.firstElementChild;
    return isLog(element) && content instanceof HTMLElement ? Number.parseFloat(content.style.height) : 0;
  });
}
