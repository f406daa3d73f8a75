import type { BrowserContext, Page } from "@playwright/test";

/** A message of docs/protocol.md without its envelope, or with a wrong one. */
export type RawMessage = Readonly<Record<string, unknown>> & { readonly type: string };

const channelsName = "hostileChannels";

/** Lets the pages of a context send messages that Warren's own code never would. Call it before they open the app. */
export async function armHostilePeer(context: BrowserContext): Promise<void> {
  await context.addInitScript((name) => {
    /** The message channels by peer, taken from the first message received on each. */
    const channels = new Map<string, RTCDataChannel>();
    Reflect.set(globalThis, name, channels);
    const keep = (channel: RTCDataChannel): RTCDataChannel => {
      const learn = ({ data }: MessageEvent) => void channels.set(String(JSON.parse(data).client), channel);
      if (channel.protocol === "message") channel.addEventListener("message", learn, { once: true });
      return channel;
    };
    const Original = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        this.addEventListener("datachannel", ({ channel }) => void keep(channel));
      }

      override createDataChannel(label: string, options?: RTCDataChannelInit): RTCDataChannel {
        return keep(super.createDataChannel(label, options));
      }
    };
  }, channelsName);
}

/** The client id of a page. */
export async function clientIdOf(page: Page): Promise<string> {
  return page.evaluate(() => String(JSON.parse(localStorage.getItem("profile") ?? "{}").clientId));
}

/**
 * Sends messages over the open message channel of a page, bypassing its own code.
 * @returns how many were sent before the other side closed the channel
 */
export async function sendRaw(
  page: Page,
  target: string,
  messages: readonly RawMessage[],
  perSecond = 40,
): Promise<number> {
  return page.evaluate(
    async ([name, to, frames, rate]) => {
      const channels: unknown = Reflect.get(globalThis, name);
      const client = JSON.parse(localStorage.getItem("profile") ?? "{}").clientId;
      const channel = channels instanceof Map ? channels.get(to) : undefined;
      if (!(channel instanceof RTCDataChannel)) throw new Error("no message channel");
      const startedAt = performance.now();
      let sent = 0;
      for (const frame of frames) {
        while (sent > ((performance.now() - startedAt) / 1_000) * rate)
          await new Promise((resolve) => setTimeout(resolve, 5));
        if (channel.readyState !== "open") break;
        const envelope = { id: crypto.randomUUID(), client, target: to, createdAt: Date.now() };
        channel.send(JSON.stringify({ ...envelope, ...frame }));
        sent++;
      }
      return sent;
    },
    [channelsName, target, messages, perSecond] as const,
  );
}
