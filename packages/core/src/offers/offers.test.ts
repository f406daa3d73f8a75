import type { FileDescription } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { type FileMessage, messageKeyOf } from "../messages/message.ts";
import type { Offer, TransferState } from "../transfer/offer-state.ts";
import { type TransferKey, type TransferMode, transferKeyOf } from "../transfer/transfer-state.ts";
import { Offers } from "./offers.ts";

const me = "mara";
const jun = "jun";
const fid = "00000000-0000-4000-8000-000000000001";
const file: FileDescription = {
  ...{ fid, fileName: "notes.txt", fileSize: 12, mimeType: "text/plain" },
  ...{ lastModified: 1, chunkSize: 65_536 },
};

function message(id: string, client: string, offer: Offer, sortedAt: number): FileMessage {
  return {
    ...{ key: messageKeyOf(client, id), id, conversation: jun, client, createdAt: 0, sortedAt },
    ...{ deliveries: {}, type: "file", file, offers: { [jun]: offer } },
  };
}

function setUp(messages: readonly FileMessage[], transfer?: { mode: TransferMode; state: TransferState }) {
  const stateOf = (key: TransferKey, mode?: TransferMode) =>
    transfer && key === transferKeyOf(jun, fid) && mode === transfer.mode ? transfer.state : undefined;
  return new Offers({
    selfId: me,
    messages: {
      find: (key) => messages.find((message) => message.key === key),
      files: (about) => messages.filter((message) => about === undefined || message.file.fid === about),
    },
    transfers: { stateOf },
  });
}

const withdrawn = message("a", jun, { state: "withdrawn" }, 1);
const open = message("b", jun, { state: "accepted" }, 2);
const again = message("c", jun, { state: "accepted" }, 3);
const ours = message("d", me, { state: "complete" }, 4);
const all = [withdrawn, open, again, ours];

describe("offers", () => {
  it("are one record for the messages that share a state, beside those that ended", () => {
    const found = setUp(all).with(jun);
    expect(found.map(({ message, shownBy }) => [message.id, shownBy.map(({ id }) => id)])).toEqual([
      ["a", ["a", "b", "c"]],
      ["c", ["b", "c"]],
      ["d", ["d"]],
    ]);
  });

  it("are found by client, file and direction", () => {
    const offers = setUp(all);
    expect(offers.from(jun, fid)?.message.id).toBe("c");
    expect(offers.to(jun, fid)?.message.id).toBe("d");
    expect(offers.last(jun, fid)).toMatchObject({ side: "sender", state: "complete" });
    expect(offers.shownIn(open.key, "somebody else")).toEqual([]);
  });

  it("have the state of a transfer in their own direction only", () => {
    const receiving = setUp(all, { mode: "receive", state: { state: "running" } });
    expect(receiving.from(jun, fid)?.state).toBe("running");
    const sending = setUp(all, { mode: "send", state: { state: "running" } });
    expect(sending.from(jun, fid)?.state).toBe("accepted");
  });

  it("leave what was turned down out of a later transfer, unless it is the last", () => {
    const shown = setUp(all).ofTransfer(jun, fid, "receive")?.shownBy;
    expect(shown?.map(({ id }) => id)).toEqual(["b", "c"]);
    expect(setUp([withdrawn]).ofTransfer(jun, fid, "receive")?.shownBy).toEqual([withdrawn]);
    expect(setUp([withdrawn]).ofTransfer(jun, fid, "send")).toBeNull();
  });
});
