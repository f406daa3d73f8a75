/**
 * Evaluated in pages before their own code: records the time of each step of a meeting. Independent of the
 * app.
 */
Object.assign(globalThis, { meeting: watchMeeting() });

function watchMeeting() {
  /**
   * The first time of each step, in ms since the epoch.
   * @type {Map<string, number>}
   */
  let steps = new Map();
  let isWatching = false;
  let pressesJoin = false;

  /** @param {string} step @param {number} atMs */
  const record = (step, atMs = performance.now()) => {
    if (!steps.has(step)) steps.set(step, performance.timeOrigin + atMs);
  };

  /**
   * The type of a signalling frame; null for data in another format.
   * @param {unknown} data
   */
  const frameOf = (data) => {
    try {
      const { type, signal } = JSON.parse(String(data));
      return type === "signal" ? String(signal.kind ?? signal.type) : String(type);
    } catch {
      return null;
    }
  };

  globalThis.WebSocket = class extends WebSocket {
    /** @param {ConstructorParameters<typeof WebSocket>} args */
    constructor(...args) {
      super(...args);
      record("socket asked for");
      this.addEventListener("open", () => record("socket open"));
      this.addEventListener("message", ({ data }) => {
        const frame = frameOf(data);
        if (frame !== null) record(`${frame} received`);
      });
    }

    /** @override @param {Parameters<WebSocket["send"]>[0]} data */
    send(data) {
      super.send(data);
      const frame = frameOf(data);
      if (frame !== null) record(`${frame} sent`);
    }
  };

  /** @param {RTCDataChannel} channel */
  const watchChannel = (channel) => {
    channel.addEventListener("open", () => record("channel open"));
    channel.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data.includes('"profile"')) record("profile received");
    });
  };
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    /** @param {RTCConfiguration} [configuration] */
    constructor(configuration) {
      super(configuration);
      this.addEventListener("datachannel", ({ channel }) => watchChannel(channel));
      this.addEventListener("iceconnectionstatechange", () => record(`ICE ${this.iceConnectionState}`));
      this.addEventListener("connectionstatechange", () => record(`DTLS ${this.connectionState}`));
    }

    /** @override @param {Parameters<RTCPeerConnection["createDataChannel"]>} args */
    createDataChannel(...args) {
      const channel = super.createDataChannel(...args);
      watchChannel(channel);
      return channel;
    }
  };

  const look = () => {
    if (!isWatching) return;
    if (pressesJoin) {
      const buttons = [...document.querySelectorAll("form button")];
      const join = buttons.find(({ textContent }) => textContent === "Join room");
      if (join instanceof HTMLButtonElement) {
        pressesJoin = false;
        record("Join pressed");
        join.click();
      }
    }
    // A row of the list of people; in earlier builds an option.
    const rows = [...document.querySelectorAll("a[href*='/client/'], [role=option]")];
    if (rows.some((row) => row.textContent?.includes("online"))) record("on screen");
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });

  return {
    /**
     * Resets the recorded steps.
     * @param {boolean} isArriving whether to press Join as soon as the page shows the button to a newcomer.
     */
    start(isArriving) {
      steps = new Map();
      isWatching = true;
      pressesJoin = isArriving;
    },
    /** The steps so far, including the page's own marks, by their time since the epoch. */
    steps() {
      const [navigation] = performance.getEntriesByType("navigation");
      record("navigation", 0);
      if (navigation instanceof PerformanceNavigationTiming) record("page received", navigation.responseEnd);
      for (const { name, startTime } of performance.getEntriesByType("mark")) record(name, startTime);
      return [...steps];
    },
  };
}
