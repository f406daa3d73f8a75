/**
 * Evaluated in the pages of the app and in its transfer worker: meters for values that are only available
 * there.
 */
Object.assign(globalThis, { meters: createMeters() });

function createMeters() {
  const gapMs = 50;
  let silence = { firstMs: 0, lastMs: 0, silentMs: 0 };
  let longestFrameMs = 0;
  /** @type {PerformanceObserver | null} */
  let frames = null;

  /** @param {Event} event */
  function recordMessage(event) {
    if (!(event instanceof MessageEvent) || typeof event.data === "string") return;
    const now = performance.now();
    silence.firstMs ||= now;
    if (silence.lastMs && now - silence.lastMs > gapMs) silence.silentMs += now - silence.lastMs;
    silence.lastMs = now;
  }

  /** @param {PerformanceEntry[]} entries */
  function recordFrames(entries) {
    for (const { duration } of entries) longestFrameMs = Math.max(longestFrameMs, duration);
  }

  if (globalThis.RTCDataChannel) {
    const listen = EventTarget.prototype.addEventListener;
    /** @param {Parameters<EventTarget["addEventListener"]>} args */
    RTCDataChannel.prototype.addEventListener = function (...args) {
      if (args[0] === "message") listen.call(this, "message", recordMessage);
      listen.apply(this, args);
    };
  }

  /**
   * The button of a file's card.
   * @param {readonly string[]} verbs what it is called in this build or in an older one.
   * @param {string} fileName @returns {HTMLElement | null}
   */
  function button(verbs, fileName) {
    return document.querySelector(verbs.map((verb) => `button[aria-label="${verb}: ${fileName}"]`).join());
  }

  return {
    startSilence() {
      silence = { firstMs: 0, lastMs: 0, silentMs: 0 };
    },

    /** The fraction of the time between the first and the last message that was in gaps over 50 ms. */
    silentFraction: () => silence.silentMs / Math.max(1, silence.lastMs - silence.firstMs),

    startFrames() {
      longestFrameMs = 0;
      // Requesting frames would make the browser render sixty a second, which costs as much CPU as sending.
      frames = new PerformanceObserver((list) => recordFrames(list.getEntries()));
      frames.observe({ type: "long-animation-frame" });
    },

    /** The longest frame since the start, in ms; 0 if none exceeded 50. */
    stopFrames() {
      recordFrames(frames?.takeRecords() ?? []);
      frames?.disconnect();
      return longestFrameMs;
    },

    /** When the next file is picked, in ms since the epoch. */
    whenSent: () =>
      new Promise((resolve) => {
        document.addEventListener("change", () => resolve(Date.now()), { capture: true, once: true });
      }),

    /**
     * Accepts a file as soon as it is offered.
     * @param {string} fileName
     * @returns when its card offers to save it.
     */
    whenComplete: (fileName) =>
      new Promise((resolve, reject) => {
        const look = () => {
          button(["Keep here", "Accept"], fileName)?.click();
          const isSaved = button(["Save"], fileName) !== null;
          // Right after the acceptance the button is there, and hidden.
          if (!isSaved && !button(["Try again"], fileName)?.checkVisibility({ visibilityProperty: true }))
            return;
          observer.disconnect();
          if (isSaved) resolve(Date.now());
          else reject(new Error(`the transfer failed: ${document.body.innerText}`));
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      }),
  };
}
