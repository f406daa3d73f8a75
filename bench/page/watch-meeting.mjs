/** Put into pages before their own code runs: notes when each step of meeting somebody happened. Knows no app in particular. */
Object.assign(globalThis, { meeting: watchMeeting() });

function watchMeeting() {
  /** When each step happened first, ms since the epoch. @type {Map<string, number>} */
  let steps = new Map();
  let isWatching = false;
  let pressesJoin = false;

  /** @param {string} step @param {number} atMs */
  const note = (step, atMs = performance.now()) => {
    if (!steps.has(step)) steps.set(step, performance.timeOrigin + atMs);
  };

  /** The name of a frame of signalling; nothing of an app that sends something else. @param {unknown} data */
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
      note("socket asked for");
      this.addEventListener("open", () => note("socket open"));
      this.addEventListener("message", ({ data }) => {
        const frame = frameOf(data);
        if (frame !== null) note(`${frame} received`);
      });
    }

    /** @override @param {Parameters<WebSocket["send"]>[0]} data */
    send(data) {
      super.send(data);
      const frame = frameOf(data);
      if (frame !== null) note(`${frame} sent`);
    }
  };

  /** @param {RTCDataChannel} channel */
  const watchChannel = (channel) => {
    channel.addEventListener("open", () => note("channel open"));
    channel.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data.includes('"profile"')) note("profile received");
    });
  };
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    /** @param {RTCConfiguration} [configuration] */
    constructor(configuration) {
      super(configuration);
      this.addEventListener("datachannel", ({ channel }) => watchChannel(channel));
      this.addEventListener("iceconnectionstatechange", () => note(`ICE ${this.iceConnectionState}`));
      this.addEventListener("connectionstatechange", () => note(`DTLS ${this.connectionState}`));
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
        note("Join pressed");
        join.click();
      }
    }
    if ([...document.querySelectorAll("[role=option]")].some((row) => row.textContent?.includes("online")))
      note("on screen");
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });

  return {
    /** Forgets what was noted. @param {boolean} isArriving whether to press Join as soon as the page asks a newcomer. */
    start(isArriving) {
      steps = new Map();
      isWatching = true;
      pressesJoin = isArriving;
    },
    /** The steps so far, with the page's own marks, by their time since the epoch. */
    steps() {
      const [navigation] = performance.getEntriesByType("navigation");
      note("navigation", 0);
      if (navigation instanceof PerformanceNavigationTiming) note("page received", navigation.responseEnd);
      for (const { name, startTime } of performance.getEntriesByType("mark")) note(name, startTime);
      return [...steps];
    },
  };
}
