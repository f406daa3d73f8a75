import { describe, expect, it } from "vitest";
import { nextToOpen, type QueueEntry } from "./transfer-queue.ts";
import { partsOf, type TransferKey, type TransferMode } from "./transfer-state.ts";

const limits = {
  send: { withPeerBytes: 40, togetherBytes: Number.POSITIVE_INFINITY },
  receive: { withPeerBytes: 40, togetherBytes: 60 },
};

/** Transfers as the queue sees them, and the keys of the opened ones, in order. */
function createQueue(mode: TransferMode = "receive") {
  const transfers = new Map<TransferKey, { -readonly [Field in keyof QueueEntry]: QueueEntry[Field] }>();
  const opened: TransferKey[] = [];
  const advance = () => {
    for (;;) {
      const next = nextToOpen(transfers.values(), limits);
      const [key] = [...transfers].find(([, transfer]) => transfer === next) ?? [];
      if (!next || !key) return;
      opened.push(key);
      Object.assign(next, { phase: { name: "opening", run: null } });
    }
  };
  const change = (key: TransferKey, to: Partial<QueueEntry>) => {
    Object.assign(transfers.get(key) ?? {}, to);
    advance();
  };
  return {
    opened,
    add: (key: TransferKey, needBytes = 10) => {
      const phase = { name: "queued", isHeldBack: false } as const;
      transfers.set(key, { peerId: partsOf(key).peerId, mode, needBytes, phase, isSilent: false });
      advance();
    },
    end: (key: TransferKey) => change(key, { phase: { name: "closing", end: null } }),
    holdBack: (key: TransferKey, isHeldBack: boolean) =>
      change(key, { phase: { name: "queued", isHeldBack } }),
    setSilent: (key: TransferKey, isSilent: boolean) => change(key, { isSilent }),
  };
}

describe("the queue", () => {
  it("opens transfers at once while there is memory, and then in order of arrival", () => {
    const { opened, add, end } = createQueue();
    add("a/1");
    add("a/2", 20);
    add("a/3", 20);
    add("a/4", 20);
    expect(opened).toEqual(["a/1", "a/2"]);
    end("a/2");
    expect(opened).toEqual(["a/1", "a/2", "a/3"]);
    end("a/1");
    expect(opened).toEqual(["a/1", "a/2", "a/3", "a/4"]);
  });

  it("lets no smaller transfer of the same client overtake", () => {
    const { opened, add, end } = createQueue();
    add("a/1", 30);
    add("a/2", 20);
    add("a/3", 5);
    expect(opened).toEqual(["a/1"]);
    end("a/2");
    expect(opened).toEqual(["a/1", "a/3"]);
  });

  it("opens one transfer with every client, however much others need", () => {
    const { opened, add } = createQueue();
    add("a/1", 40);
    add("b/1", 40);
    add("c/1", 40);
    add("c/2", 5);
    expect(opened).toEqual(["a/1", "b/1", "c/1"]);
  });

  it("prefers the client with the least open", () => {
    const { opened, add, end } = createQueue();
    add("a/1", 40);
    add("b/1", 20);
    add("b/2", 10);
    add("a/2", 10);
    add("b/3", 10);
    add("c/1", 10);
    expect(opened).toEqual(["a/1", "b/1", "b/2", "c/1"]);
    end("a/1");
    expect(opened.slice(4)).toEqual(["a/2", "b/3"]);
  });

  it("leaves each client its quota, however much another client took before", () => {
    const { opened, add } = createQueue();
    add("a/1", 40);
    for (const n of [1, 2, 3, 4]) add(`b/${n}`);
    expect(opened).toEqual(["a/1", "b/1", "b/2", "b/3"]);
    for (const n of [1, 2, 3]) add(`c/${n}`);
    expect(opened.slice(4)).toEqual(["c/1", "c/2"]);
  });

  it("counts a silent transfer against its own client only", () => {
    const { opened, add, setSilent, end } = createQueue();
    for (const n of [1, 2, 3, 4, 5]) add(`a/${n}`);
    for (const n of [1, 2, 3, 4, 5]) add(`b/${n}`);
    expect(opened.slice(4)).toEqual(["b/1", "b/2", "b/3"]);
    for (const n of [1, 2, 3, 4] as const) setSilent(`a/${n}`, true);
    expect(opened.slice(4)).toEqual(["b/1", "b/2", "b/3", "b/4"]);
    end("a/1");
    expect(opened.slice(8)).toEqual(["a/5"]);
    setSilent("a/2", false);
    end("b/1");
    expect(opened.slice(9)).toEqual(["b/5"]);
  });

  it("skips transfers cancelled while queued", () => {
    const { opened, add, end } = createQueue();
    add("a/1", 40);
    add("a/2", 40);
    add("a/3", 40);
    end("a/2");
    end("a/1");
    expect(opened).toEqual(["a/1", "a/3"]);
  });

  it("holds back only the transfers of a client whose connection takes no channel", () => {
    const { opened, add, holdBack } = createQueue("send");
    add("a/1");
    holdBack("a/1", true);
    add("a/2");
    add("b/1");
    expect(opened).toEqual(["a/1", "b/1"]);
    holdBack("a/1", false);
    expect(opened).toEqual(["a/1", "b/1", "a/1", "a/2"]);
  });
});
