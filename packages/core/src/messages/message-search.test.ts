import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { createStore } from "../shared/store.ts";
import type { ChatState, Conversation } from "./chat-state.ts";
import { type ChatMessage, type FileMessage, messageKeyOf } from "./message.ts";
import { MessageSearch, type MessageSearchResults } from "./message-search.ts";

const jun = "00000000-0000-4000-8000-000000000002";

function said(sortedAt: number, data: string): ChatMessage {
  const id = `00000000-0000-4000-8000-1${String(sortedAt).padStart(11, "0")}`;
  const head = { key: messageKeyOf(jun, id), id, conversation: jun, client: jun, deliveries: {} };
  return { ...head, type: "text", data, createdAt: sortedAt, sortedAt };
}

function folder(sortedAt: number, fileName: string): FileMessage {
  const { type: _, ...head } = said(sortedAt, "");
  const fid = `folder-${sortedAt}`;
  return { ...head, type: "file", file: { fid, fileName, tree: "folder" } } as unknown as FileMessage;
}

describe("a search in one conversation", () => {
  const store = createStore({ conversations: {} } as ChatState);
  const show = (messages: readonly ChatMessage[], gaps?: Conversation["gaps"]) =>
    store.setState({ conversations: { [jun]: { messages, gaps, unread: 0 } } });
  let pages: (readonly ChatMessage[])[];
  let failure: WarrenError | null;
  let trees: Map<string, readonly string[] | null>;
  let readTrees: string[];
  let ending: AbortController;

  beforeEach(() => {
    [pages, failure, trees, readTrees, ending] = [[], null, new Map(), [], new AbortController()];
    show([]);
    return () => ending.abort();
  });

  function search(query: string): AsyncGenerator<MessageSearchResults> {
    const textsBefore = async function* () {
      yield* pages;
      if (failure) throw failure;
    };
    const treePaths = ({ file: { fid } }: FileMessage) => {
      const paths = trees.get(fid) ?? null;
      if (paths === null) return null;
      readTrees.push(fid);
      return Promise.resolve(paths);
    };
    return new MessageSearch({ store, textsBefore }, jun, query, {
      signal: ending.signal,
      treePaths,
    }).results();
  }

  async function untilComplete(searching: AsyncGenerator<MessageSearchResults>): Promise<readonly number[]> {
    for (;;) {
      const { value, done } = await searching.next();
      if (done) throw new Error("the search has ended");
      if (value.isComplete) return value.messages.map(({ sortedAt }: { sortedAt: number }) => sortedAt);
    }
  }

  it("finds every word, in any order, without case and accents", async () => {
    show([said(1, "Mílk, then eggs"), said(2, "milk"), said(3, "EGGS and milk")]);
    expect(await untilComplete(search("eggs milk"))).toEqual([1, 3]);
  });

  it("finds nothing for an empty query, and ends", async () => {
    show([said(1, "milk")]);
    expect(await search("  ").next()).toMatchObject({ done: true });
  });

  it("gives what is in memory first, then what is stored in gaps, earliest first", async () => {
    pages = [
      [said(7, "milk"), said(8, "loaded milk")],
      [said(2, "milk"), said(3, "eggs")],
    ];
    show([said(8, "loaded milk"), said(9, "milk")], [{ from: Number.NEGATIVE_INFINITY, before: 8 }]);
    const searching = search("milk");
    expect(await searching.next()).toMatchObject({
      value: { isComplete: false, messages: [{ sortedAt: 8 }, { sortedAt: 9 }] },
    });
    expect(await untilComplete(searching)).toEqual([2, 7, 8, 9]);
  });

  it("keeps what it found when storage fails", async () => {
    pages = [[said(2, "milk")]];
    failure = new WarrenError("storage-failed");
    show([said(9, "milk")], [{ from: Number.NEGATIVE_INFINITY, before: 9 }]);
    expect(await untilComplete(search("milk"))).toEqual([2, 9]);
  });

  it("follows the conversation, and only this one, until it is ended", async () => {
    show([said(1, "milk")]);
    const searching = search("milk");
    expect(await untilComplete(searching)).toEqual([1]);
    const next = searching.next();
    let isNext = false;
    void next.then(() => {
      isNext = true;
    });
    store.setState({ room: "another" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(isNext).toBe(false);
    show([said(1, "milk"), said(2, "more milk")]);
    expect((await next).value).toMatchObject({ messages: [{ sortedAt: 1 }, { sortedAt: 2 }] });
    const last = searching.next();
    ending.abort();
    expect(await last).toMatchObject({ done: true });
  });

  it("finds all words in one path of a folder, and reads each folder once", async () => {
    trees.set("folder-1", ["list/milk and eggs.txt"]).set("folder-2", ["milk.txt", "eggs.txt"]);
    show([folder(1, "one"), folder(2, "two"), folder(3, "eggs, milk")]);
    const searching = search("eggs milk");
    expect(await untilComplete(searching)).toEqual([1, 3]);
    trees.set("folder-3", ["eggs"]).set("folder-4", ["milk/eggs"]);
    show([folder(1, "one"), folder(2, "two"), folder(4, "four")]);
    await searching.next();
    expect(await untilComplete(searching)).toEqual([1, 4]);
    expect(readTrees).toEqual(["folder-1", "folder-2", "folder-4"]);
  });

  it("passes over a folder that cannot be read", async () => {
    trees.set("folder-1", Promise.reject(new WarrenError("tree-invalid")) as never).set("folder-2", ["milk"]);
    show([folder(1, "one"), folder(2, "two")]);
    expect(await untilComplete(search("milk"))).toEqual([2]);
  });
});
