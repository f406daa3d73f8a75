import { type NotificationPressMessage, readNotificationData } from "./messages.ts";

/** A page that does not answer in this time is gone, or frozen. */
const answerMs = 2_000;
/** A longer reply is cut: longer texts are written in the app. */
const replyLengthMax = 4_000;

interface Press {
  readonly tag: string;
  readonly data: unknown;
  readonly action: string;
  readonly reply: string | null;
}

interface PressDeps {
  readonly clients: Pick<Clients, "matchAll" | "openWindow">;
  /** The address of the app. */
  readonly home: string;
  readonly delay: (ms: number) => Promise<void>;
}

/**
 * Passes the press on a notification to the page that showed the notification. That page handles a reply or an action alone; for any
 * other press it is also focused. If it is gone, a new page opens at the conversation that the notification is about.
 */
export async function passOnPress(
  { tag, data, action, reply }: Press,
  { clients, home, delay }: PressDeps,
): Promise<void> {
  const about = readNotificationData(data);
  if (about === null) return;
  const written = reply?.trim().slice(0, replyLengthMax) || null;
  const message: NotificationPressMessage = {
    ...{ type: "notification-press", page: about.page, tag, action },
    reply: written,
  };
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const answers = pages.map((page) => answerOf(page, message));
  const answer = await Promise.race([firstOf(answers), delay(answerMs).then(() => null)]);
  if (answer === null) await clients.openWindow(new URL(about.path, home));
  else if (answer.needsFocus) await answer.page.focus();
}

interface Answer {
  readonly page: WindowClient;
  readonly needsFocus: boolean;
}

/** Never settles for a page that did not show the notification. */
function answerOf(page: WindowClient, message: NotificationPressMessage): Promise<Answer> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve({ page, needsFocus: data !== "done" });
    };
    page.postMessage(message, [port2]);
  });
}

/** The first answer to arrive; null if there are no pages to answer. */
function firstOf(answers: readonly Promise<Answer>[]): Promise<Answer | null> {
  return answers.length === 0 ? Promise.resolve(null) : Promise.race(answers);
}
