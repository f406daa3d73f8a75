import { Emitter } from "../shared/emitter.ts";
import type { ThreadPort } from "../transfer/engine/transfer-messages.ts";

/** The thread of a worker, which a test can stop for a while. */
export interface HangingThread {
  /** While true, no message arrives in the worker or from it. */
  isHung: boolean;
}

/** Both ends of a page-worker channel in one thread: messages are copied, transferred objects are not. */
export function createThreadPair<FromPage extends object, FromWorker extends object>(): {
  readonly page: ThreadPort<FromPage, FromWorker>;
  readonly worker: ThreadPort<FromWorker, FromPage>;
  readonly thread: HangingThread;
} {
  const toPage = new Emitter<{ message: [FromWorker] }>();
  const toWorker = new Emitter<{ message: [FromPage] }>();
  let isHung = false;
  const held: (() => void)[] = [];
  const deliver = (arrive: () => void) => {
    if (isHung) held.push(arrive);
    else arrive();
  };
  const thread = {
    get isHung() {
      return isHung;
    },
    set isHung(value) {
      isHung = value;
      if (!value) for (const arrive of held.splice(0)) arrive();
    },
  };
  return { page: portOf(toWorker, toPage, deliver), worker: portOf(toPage, toWorker, deliver), thread };
}

function portOf<Sent extends object, Received>(
  there: Emitter<{ message: [Sent] }>,
  here: Emitter<{ message: [Received] }>,
  deliver: (arrive: () => void) => void,
): ThreadPort<Sent, Received> {
  return {
    post(message, transfer = []) {
      const copy = copyOf(message, new Set<unknown>(transfer)) as Sent;
      queueMicrotask(() => deliver(() => there.emit("message", copy)));
    },
    on: here.on.bind(here),
  };
}

/** A structured clone that keeps transferred objects and blobs (references anyway) as they are. */
function copyOf(value: unknown, transferred: ReadonlySet<unknown>): unknown {
  if (transferred.has(value) || value instanceof Blob) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item, transferred));
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item, transferred)]));
  return structuredClone(value);
}
