import { describe, expect, it } from "vitest";
import { statusOf } from "../messages/message.ts";
import { starterId } from "../messages/starter.ts";
import { TestWorld } from "../testing/test-world.ts";

const texts = ["Say who you are.", "Choose a room.", "Share it."];

describe("the welcome", () => {
  it("is a contact with its texts, received and read, and survives a reload", async () => {
    const [mara] = await new TestWorld().twoPeers();
    await mara.warren.chat.addStarter("Warren", texts);
    await mara.reload();
    const { contacts, conversations } = mara.warren.chat.store.getState();
    expect(contacts[starterId]?.name).toBe("Warren");
    expect(mara.texts(starterId)).toEqual(texts);
    expect(conversations[starterId]?.messages.map(statusOf)).toEqual(["received", "received", "received"]);
    expect(conversations[starterId]?.unread).toBe(0);
  });

  it("is sent once, even when requested again", async () => {
    const [mara] = await new TestWorld().twoPeers();
    await mara.warren.chat.addStarter("Warren", texts);
    await mara.warren.chat.addStarter("Warren", texts);
    expect(mara.texts(starterId)).toEqual(texts);
  });

  it("cannot receive messages, and is gone once deleted", async () => {
    const [mara] = await new TestWorld().twoPeers();
    const { chat } = mara.warren;
    await chat.addStarter("Warren", texts);
    await expect(chat.sendText(starterId, "Hello?")).rejects.toMatchObject({ code: "no-session" });
    await chat.deleteContact(starterId);
    await mara.reload();
    expect(mara.warren.chat.store.getState().contacts[starterId]).toBeUndefined();
    expect(mara.texts(starterId)).toEqual([]);
  });
});
